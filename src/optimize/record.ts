/**
 * What one guided execution leaves behind: its choices and factors in order, with the data passes (`mapData`) as
 * branches that do not depend on each other. This is the dependency graph of appendix B of the paper, as a tree: a
 * pass stands for its split and join nodes, each item for one of the strands between them (chains, in the words of the paper).
 */
import type { Lanes } from '../lanes/lanes.ts';
import type { Address } from '../runtime/address.ts';
import type { Distribution } from '../runtime/handler.ts';
import type { Value } from '../tensor/node.ts';
import type { Bound } from './sampled/bound.ts';
import type { Drawn, SiteRule } from './sites/rule.ts';
import type { Variant } from './variants.ts';
import type { VariationPlan } from './variation-plan.ts';

export interface ChoiceEvent extends Drawn {
  readonly kind: 'choice';
  readonly address: Address;
  readonly target: Distribution<unknown>;
  readonly guide: Distribution<unknown>;
  /** True if the program gives no guide here. */
  readonly automatic: boolean;
  /** How its value came about, and how its gradient is estimated. */
  readonly rule: SiteRule;
  /** Why it has this rule, for explanations. */
  readonly why?: string;
  /** Where its baseline is learned from. */
  readonly datum?: DatumSource;
}

/** The outermost datum that a choice is part of. */
export interface DatumSource {
  readonly data: readonly unknown[];
  /** Of the data that run side by side; null where they run one by one. */
  readonly lanes: Lanes | null;
  /** Which of the data it is, there. */
  readonly index: number;
}

export interface FactorEvent {
  readonly kind: 'factor';
  readonly address: Address;
  readonly score: Value;
  /** What was observed, where it was no mere factor. */
  readonly observed?: { readonly distribution: Distribution<unknown>; readonly value: unknown };
  /** For the average cost of an item of `foldData` over its states: what was executed for these. */
  readonly summed?: { readonly plan: VariationPlan; readonly states: number; readonly items: readonly Strand[] };
}

export interface PassEvent {
  readonly kind: 'pass';
  readonly address: Address;
  /** N / B: how many data each datum of the minibatch stands for. */
  readonly scale: number;
  readonly items: Strand[];
  /** True of `map` and its like: a choice may affect all later iterations. */
  readonly ordered?: true;
  /** Of samples of one and the same: their weights are averaged, not multiplied. */
  readonly sampled?: Samples;
  /** True if other ranks have other items of it. */
  readonly divided?: true;
  /**
   * What `mem` drew when items asked for it first, as a pass that stands before this one, with an item for each time: choices of the strand
   * around, on which all items may depend, and which are there because some item made it so.
   */
  asked?: PassEvent;
  /** True if items may depend on each other, in whichever order: what `mem` drew may be what had it asked for something else. */
  readonly entangled?: true;
}

interface Samples {
  /** How many of them, for each lane around. */
  readonly count: number;
  /** Their common bound, once it was asked for (`sampled/bound.ts`). */
  bound?: Bound;
}

export type RecordedEvent = ChoiceEvent | FactorEvent | PassEvent;

/** Events one after the other; each may depend on all before it. */
export interface Strand {
  /** The index of the datum, for items of a pass. */
  readonly datum?: number;
  /** Several items at once, side by side: what the events hold then differs between these lanes. */
  readonly lanes?: Lanes;
  /** For each lane, the place of its iteration among all of the pass. */
  readonly places?: Int32Array;
  /** Where choices are varied within: the variants, and for each lane the number of its own. */
  readonly varied?: { readonly plan: VariationPlan; readonly variants: readonly Variant[]; readonly of: Int32Array };
  readonly events: RecordedEvent[];
}
