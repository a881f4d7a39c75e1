/** What an objective does at a choice. Each rule is a file of this folder and a row in `rules.ts`. */
import type { Address } from '../../runtime/address.ts';
import type { Distribution, SampleOptions } from '../../runtime/handler.ts';
import type { Node, Value } from '../../tensor/node.ts';
import type { SiteVariation } from '../varied-unit.ts';

/** Which rules choices have: the one they name, else the one that suits them best, or the paper's; or the paper's alone. */
export type GradientsOption = 'automatic' | 'named' | 'paper';

/** The options of an optimisation for how gradients are estimated. */
export interface GradientPolicy {
  readonly gradients: GradientsOption;
  /** Executions per step. */
  readonly samples: number;
}

/** A choice that an execution has come to. */
export interface Site {
  readonly address: Address;
  readonly target: Distribution<unknown>;
  readonly options: SampleOptions<unknown> | undefined;
  readonly guide: Distribution<unknown>;
  /** A value drawn from a distribution with the random numbers of this choice: one for each lane, in lanes. */
  draw(from: Distribution<unknown>): unknown;
  /** Goes on to other random numbers, for rules that draw more than once. */
  begin(): unknown;
  /** The score of a value, for each lane, in lanes. */
  score(of: Distribution<unknown>, value: unknown): Value;
  /** What the optimisation says of gradients. */
  readonly policy: GradientPolicy;
  /** How values of the choice are tried side by side; absent where they cannot be. */
  readonly variation?: SiteVariation;
  /** The value that the objective gives this choice; absent where the guide draws it. */
  readonly given?: { readonly value: unknown };
}

/** The value of a choice, with its scores. */
export interface Drawn {
  readonly value: unknown;
  readonly logTarget: Value;
  readonly logGuide: Value;
  /** The score of the guide without a gradient through its parameters, for estimators that need it (`sampled.ts`). */
  readonly logFixedGuide?: Value;
  /** Where the values of the choice are lanes: the logarithm of how probable that of a lane is, times how many there are. */
  readonly logWeight?: Value;
  /** How many values there are, in that case. */
  readonly tried?: number;
  /** Where the guide is a mixture: the logarithm of how much the component counts that the value comes from. */
  readonly logPick?: Value;
  /** The score of what the guide drew for itself, without a path for gradients. */
  readonly logChance?: Value;
  /** Where the choice has another value in lanes that are no executions: 1 in lanes that count at it, 0 in others. */
  readonly share?: Value;
  /** The score of what the guide draws in executions, in lanes that are none, too. */
  readonly logDrawn?: Value;
  /** Where lanes that are no executions have a value between those that can be drawn. */
  readonly relaxed?: Relaxed;
}

/** A value between those that can be drawn, in the lanes that have one. */
export interface Relaxed {
  /** As the program sees it there: no gradient passes through. */
  readonly value: Node;
  /** The same with its gradient through the guide's parameters. */
  readonly through: Node;
  /** What is drawn in executions. */
  readonly drawn: Node;
  /** 1 in lanes with the second such value, 0 in others. */
  readonly second: Value;
  /** Whether the program has looked at something that depends on it, and has done so before it goes on. */
  isLookedAt: boolean;
}

/** How a weight depends on a relaxed value. */
export interface Slope {
  /** For each lane that has such a value; undefined if the weight does not depend on it. */
  readonly by: Node | undefined;
  /** Whether the weight is a smooth function of it, as far as is known. */
  readonly isSmooth: boolean;
}

export interface SiteRule {
  /** What `--explain-guides` calls it. */
  readonly name: string;
  /** Why a choice has it that asks for none, in words that follow the name; absent where the name says it. */
  readonly why?: string;
  /** Whether its gradient is the score of the guide times a weight: the cost of everything that may depend on the choice. */
  readonly weighed: boolean;
  /**
   * The baseline that is subtracted from the weight: absent for a running average; else a learned one, the cost of the
   * step's other executions, or none.
   */
  readonly baseline?: 'learned' | 'siblings' | 'none';
  /** Whether the rule is right for a choice that asks for none. */
  suits(site: Site): boolean;
  /** Throws, for a choice that asks for the rule and cannot have it, and says why; absent means that all can. */
  refuse?(site: Site): void;
  /** Whether the choice can have the rule in this execution; absent means yes. Where it cannot, it has the score function. */
  serves?(site: Site): boolean;
  /** Why it cannot, in words that complete "since …"; absent where that is because values cannot be tried side by side. */
  readonly unserved?: string;
  draw(site: Site): Drawn;
  /** What the choice adds to the cost of the execution. */
  cost(drawn: Drawn): Value;
  /** What the choice adds to the quantity whose gradient is taken; `weight` is 0 unless the choice is weighed. */
  loss(drawn: Drawn, weight: Value): Value;
  /** The same for what counts in lanes that are no executions but stand for another value of this choice; `slope` is the weight's by a relaxed value. */
  ownLoss?(drawn: Drawn, weight: Value, slope: Slope): Value;
}
