/** What executions of one step have in common. */
import { isSharded } from '../io/sharded-data.ts';
import type { Lanes } from '../lanes/lanes.ts';
import { ASKED } from '../lanes/obstacles.ts';
import type { Ways } from '../lanes/ways.ts';
import type { Address } from '../runtime/address.ts';
import { machine } from '../runtime/machine.ts';
import { Reason } from '../runtime/reasons.ts';
import type { Division } from './division.ts';
import type { BatchingReport } from './explain-batching.ts';
import type { LeafTable } from './leaves.ts';
import type { ProgramFindings } from './program-findings.ts';
import type { DatumSource } from './record.ts';
import type { SamplingNow } from './sampled/objective.ts';
import type { GradientPolicy } from './sites/rule.ts';
import type { StepDraws } from './step-draws.ts';

export const FAULT = new Reason('fault', 'the engine failed when they were not');
export const BEFORE_CHECKPOINT = new Reason('courses', 'they were so before the checkpoint');
export const ONE_SAMPLE = new Reason('few', 'there is one');
export const WATCHED = new Reason('watched', 'onStep, or a step size, may change what the model does');

/** Why so many executions of a step are made one by one, before anything is known of them; null if they are not. */
export function apartAtFirst(samples: number): Reason | null {
  if (machine.run.engine?.sequential) return ASKED;
  return samples === 1 ? ONE_SAMPLE : null;
}

/** What all steps of an objective have in common. */
interface Setting {
  /** How gradients are estimated: the option `gradients`. */
  readonly policy: GradientPolicy;
  /** The ways that lanes have taken through the program. */
  readonly ways: Ways;
  readonly report: BatchingReport;
  /** Where there are several samples of data, or of executions. */
  readonly sampling: SamplingNow | null;
  /** How data are divided among ranks, if there are several. */
  readonly division: Division | null;
}

export class StepContext {
  readonly apart: boolean;
  /** The data of passes that are in no other, where they are a list. */
  private readonly data = new Map<Address, readonly unknown[]>();

  constructor(
    /** What earlier steps have found out of the program. */
    readonly found: ProgramFindings,
    readonly setting: Setting,
    readonly leaves: LeafTable,
    /** What this step draws. */
    readonly draws: StepDraws,
    /** Whether all data are to be looked at one by one. */
    apart: boolean,
    /** What the step at hand draws, when this one is run again. */
    readonly later: { draws: StepDraws | null },
  ) {
    this.apart = apart || machine.run.engine?.sequential === true;
  }

  /** A pass over data begins, which is inside another or not. (Data of data may differ between lanes.) */
  meet(pass: Address, data: unknown, isInside: boolean): void {
    const { division } = this.setting;
    if (division !== null && isSharded(data)) division.holdsShards = true;
    if (!isInside && Array.isArray(data)) this.data.set(pass, data);
  }

  /** The outermost datum that the datum of a pass is, or is part of. */
  datumOf(pass: Address, lanes: Lanes | null, index: number, around: DatumSource | undefined): DatumSource | undefined {
    const data = this.data.get(pass);
    return data === undefined ? around : { data, lanes, index };
  }

  /** How many constructs have been found not to work side by side. */
  get refusals(): number {
    return this.found.oneByOne.size + this.found.loops.size;
  }
}
