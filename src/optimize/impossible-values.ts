/**
 * Values that are tried side by side, and are impossible or lead to an impossible execution. The ELBO is then −∞, and an
 * estimate over all values says so, since a guide gives every value some probability. Executions that draw their values may
 * never meet one. So choices that have not named the rule are drawn from then on.
 */
import { machine } from '../runtime/machine.ts';
import { evaluate } from '../tensor/evaluate.ts';
import { Node, type Value } from '../tensor/node.ts';
import type { Weight } from './compiled-step.ts';
import type { CompiledSteps } from './compiled-steps.ts';
import { tellDrawn } from './explain-guides.ts';
import type { Strand } from './record.ts';
import type { Weighted } from './surrogate.ts';
import { IMPOSSIBLE, type VariationPlan } from './variation-plan.ts';

/** Has choices drawn, of those that are tried around a term that is not finite; whether there were any. */
export function drawInstead(step: number, strands: readonly Strand[], compiled: CompiledSteps): boolean {
  let any = false;
  // The innermost first: perhaps it is that.
  for (const around of new Set(unitsOfBadTerms(strands))) {
    if (around.toReversed().some((plan) => plan.refuseUnnamed(IMPOSSIBLE))) any = true;
  }
  if (any) compiled.clear();
  if (any && step > 0 && machine.run.engine?.explainGuides) tellDrawn(step);
  return any;
}

/** Whether something that was tried, and is no part of the cost, is not finite. */
export function triesImpossible(weighted: readonly Weighted[], weights: readonly Weight[]): boolean {
  return weighted.some(({ choice }, i) => choice.share !== undefined && !allNumbers(weights[i]));
}

function allNumbers(of: Weight): boolean {
  if (typeof of === 'number') return Number.isFinite(of);
  if ('places' in of) return allNumbers(typeof of.weights === 'number' ? of.weights : of.weights.subarray(0, of.count));
  for (let i = 0; i < of.length; i++) if (!Number.isFinite(of[i])) return false;
  return true;
}

/** For each term that is not finite, the units around it, innermost last. */
function unitsOfBadTerms(strands: readonly Strand[]): (readonly VariationPlan[])[] {
  const found: (readonly VariationPlan[])[] = [];
  const visit = (strand: Strand, outer: readonly VariationPlan[]): void => {
    const around = strand.varied === undefined ? outer : [...outer, strand.varied.plan];
    for (const event of strand.events) {
      if (event.kind === 'pass') for (const item of event.items) visit(item, around);
      else if (event.kind === 'factor' && event.summed !== undefined) {
        if (!allFinite(event.score)) found.push([...around, event.summed.plan]);
      } else if (around.length > 0) {
        const terms = event.kind === 'factor' ? [event.score] : [event.logTarget, event.logGuide];
        if (!terms.every(allFinite)) found.push(around);
      }
    }
  };
  for (const strand of strands) visit(strand, []);
  return found;
}

function allFinite(term: Value): boolean {
  if (!(term instanceof Node)) return Number.isFinite(term);
  evaluate([term]);
  return allNumbers(term.elements());
}
