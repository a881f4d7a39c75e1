/** Baselines of choices under the ELBO, for executions one by one and in lanes. */
import { changeable, type Rerun } from '../lanes/rerun.ts';
import type { Address } from '../runtime/address.ts';
import { scalar } from '../tensor/leaves.ts';
import type { Data, Value } from '../tensor/node.ts';
import { mul } from '../tensor/ops.ts';
import { Baselines } from './baselines.ts';
import type { Weight } from './compiled-step.ts';
import { knownOr, LaneBaselines } from './lane-baselines.ts';
import { LearnedBaselines } from './learned-baselines.ts';
import type { ChoiceEvent } from './record.ts';
import { SharedBaselines } from './shared-baselines.ts';
import type { Weighted } from './surrogate.ts';

/**
 * Where no baseline is known yet, most of the weight itself is subtracted. Weights may be in the thousands, and an optimiser that
 * remembers squares of gradients would be slow for long after one such step. The step still has the right direction.
 */
const FIRST_SIGHT = 0.99;

export class ElboBaselines {
  private readonly averages: Baselines;
  private readonly ofLanes: LaneBaselines;
  private readonly learned = new LearnedBaselines();

  /** `decay` is how much of an average is old. */
  constructor(decay: number) {
    this.averages = new Baselines(decay);
    this.ofLanes = new LaneBaselines(this.averages);
  }

  /** The baseline of a weight: learned in earlier steps, or most of the weight itself. */
  of(choice: ChoiceEvent, weight: Value, lanes: Weighted['lanes'], rerun: Rerun | null): Value {
    const { averages } = this;
    const { address } = choice;
    const isLearned = choice.rule.baseline === 'learned';
    if (isLearned && lanes?.space.isOpen) rerun?.obstruct('choices', 'a choice on a side has a learned baseline');
    if (isLearned) return this.learned.of(choice, weight, lanes, FIRST_SIGHT, rerun);
    if (lanes !== undefined) return this.ofLanes.of(address, weight, lanes, FIRST_SIGHT, rerun);
    const number = averages.number(address);
    const known = averages.get(number);
    if (rerun === null) return Number.isNaN(known) ? mul(FIRST_SIGHT, weight) : known;
    const leaf = changeable(scalar(known));
    rerun.changing(leaf, () => averages.get(number));
    return Number.isNaN(known) ? knownOr(leaf, mul(FIRST_SIGHT, weight)) : leaf;
  }

  /** Takes over the weights of a step. */
  learn(weighted: readonly Weighted[], weights: readonly Weight[]): void {
    this.note(weighted, weights);
    this.averages.update();
    // (Those of choices that have a learned baseline are never of some lanes alone: see `of`.)
    this.learned.learn(weighted, weights as readonly (number | Data)[]);
  }

  /** The same, with averages that others learn too. */
  sharedFrom(base: Address): SharedBaselines {
    return new SharedBaselines(this.averages, base);
  }

  /** Notes the weights of a step, from which averages are to learn. */
  note(weighted: readonly Weighted[], weights: readonly Weight[]): void {
    const { averages, ofLanes } = this;
    weighted.forEach(({ choice: { address, rule }, lanes }, i) => {
      if (rule.baseline !== undefined) return;
      const weight = weights[i];
      if (typeof weight === 'object' && 'places' in weight) ofLanes.noteSome(address, weight, lanes!);
      else if (lanes !== undefined) ofLanes.note(address, weight, lanes);
      else averages.note(averages.number(address), typeof weight === 'number' ? weight : weight[0]);
    });
  }

  /** The averages as numbers by name; names are relative to an address. */
  save(below: Address): Map<string, number> {
    const numbers = this.averages.save(below);
    for (const [name, number] of this.learned.save(below)) numbers.set(name, number);
    return numbers;
  }

  restore(numbers: ReadonlyMap<string, number>, below: Address): void {
    const averages = new Map(numbers);
    this.learned.restore(averages, below);
    this.averages.restore(averages, below);
  }
}
