import type { Address } from '../runtime/address.ts';
import { machine } from '../runtime/machine.ts';
import type { Reason } from '../runtime/reasons.ts';
import type { Disagreements } from './disagreements.ts';
import type { BatchingReport } from './explain-batching.ts';
import type { LeafTable } from './leaves.ts';
import type { SamplingNow } from './sampled/objective.ts';
import type { GradientPolicy } from './sites/rule.ts';
import type { StepDraws } from './step-draws.ts';

/** What executions of one step have in common. */
export class Circumstances {
  readonly apart: boolean;

  constructor(
    readonly leaves: LeafTable,
    /** What this step draws. */
    readonly draws: StepDraws,
    /** What is said of gradients. */
    readonly policy: GradientPolicy,
    /** Data passes that have been found not to work side by side, and why. */
    readonly oneByOne: Map<Address, Reason>,
    /** Constructs such as `map` that have been found to be better off as loops, and why. */
    readonly loops: Map<Address, Reason>,
    readonly disagreements: Disagreements,
    /** Whether all data are to be looked at one by one. */
    apart: boolean,
    /** What the step at hand draws, when this one is run again. */
    readonly later: { draws: StepDraws | null },
    readonly report: BatchingReport,
    /** Where there are several samples of data, or of executions. */
    readonly sampling: SamplingNow | null = null,
  ) {
    this.apart = apart || machine.run.engine?.sequential === true;
  }

  /** How many constructs have been found not to work side by side. */
  get refusals(): number {
    return this.oneByOne.size + this.loops.size;
  }
}
