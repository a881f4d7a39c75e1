import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { settled } from '../runtime/force.ts';
import { Tensor } from '../tensor/tensor.ts';
import type { Chain, ChoiceEvent } from './record.ts';
import { numberOf } from './settle.ts';

/** Thrown for a step whose objective is no finite number; `skipBadSteps` lets an optimisation go on after it. */
export class BadStep extends WaymarkError {
  override name = 'BadStep';
}

/** If the objective is not finite, says which choice or factor made it so. */
export function checkTerms(objective: number, chains: readonly Chain[]): void {
  if (Number.isFinite(objective)) return;
  for (const chain of chains) search(chain, '');
  throw new BadStep(`The objective is ${objective}, though each of its terms is finite: they add up to too much.`);
}

function search(chain: Chain, datum: string): void {
  for (const event of chain.events) {
    if (event.kind === 'pass') {
      for (const item of event.items) search(item, ` for datum ${item.datum}`);
    } else if (event.kind === 'factor') {
      const score = numberOf(event.score);
      if (!Number.isFinite(score)) {
        throw new BadStep(`The factor at ${event.address}${datum} is ${score}. ${factorAdvice(score)}`);
      }
    } else searchChoice(event, datum);
  }
}

function searchChoice({ target, guide, logTarget, logGuide, address, value }: ChoiceEvent, datum: string): void {
  const [p, q] = [numberOf(logTarget), numberOf(logGuide)];
  if (Number.isFinite(p) && Number.isFinite(q)) return;
  const drawn = `drew ${shown(value)} from its guide ${distribution(guide)}`;
  const [score, under] = Number.isFinite(q) ? [p, `under ${distribution(target)}`] : [q, 'there'];
  throw new BadStep(`The choice at ${address}${datum} ${drawn}, which has score ${score} ${under}. ${ADVICE}`);
}

const ADVICE = 'A guide must not draw what the model rules out; a smaller stepSize, or clip, often helps.';

const factorAdvice = (score: number): string =>
  score === -Infinity
    ? 'Guides cannot learn from what is impossible: soften the condition (observe a distribution around the value, or factor with a finite score).'
    : 'A smaller stepSize, or clip, often helps.';

/** A distribution with its parameters as they are now. */
function distribution({ name, params }: { name: string; params: object }): string {
  const fields = Object.entries(params).map(([field, value]) => `${field}: ${shown(value)}`);
  return `${name}({${fields.join(', ')}})`;
}

/** Arrays and tensors of more elements than this are described by their size. */
const FEW = 6;

function shown(given: unknown): string {
  const value = settled(given);
  const elements: unknown[] = value instanceof Tensor ? [...value.data] : Array.isArray(value) ? value : [];
  const few = elements.length > 0 && elements.length <= FEW;
  return few ? `[${elements.map(shown).join(', ')}]` : describe(value);
}
