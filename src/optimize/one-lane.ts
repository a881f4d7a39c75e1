/**
 * The one execution of a step, as a lane of its own. A program that makes choices in a loop and branches on them takes
 * another way in nearly every step, so that no recording of it holds a second time. As a lane it comes to the sides of its
 * conditions as data of a pass do, and one recording stands for all ways (`open-steps.ts`). Where such a recording cannot be
 * made, the execution is run without lanes.
 */
import type { Rerun } from '../lanes/rerun.ts';
import type { Address } from '../runtime/address.ts';
import { Reason } from '../runtime/reasons.ts';
import { engineMode } from '../tensor/mode.ts';
import type { CompiledSteps } from './compiled-steps.ts';
import type { BatchingReport } from './explain-batching.ts';
import { NotOpen, type OpenSteps } from './open-steps.ts';
import { MOST_ATTEMPTS, type ProgramFindings } from './program-findings.ts';

/** A recording that relies on more values than this, besides the sides of conditions, hardly ever holds again. */
const MOST_LOOKS = 8;

export class OneLane {
  private state: 'not tried' | 'in use' | 'given up' = 'not tried';

  constructor(
    /** Where executions begin. */
    private readonly entry: Address,
    private readonly openSteps: OpenSteps,
    private readonly compiled: CompiledSteps,
  ) {}

  /** Whether it is tried from now on, after a recording that later steps cannot use. */
  isWorthTrying({ obstacle, looksOutside }: Rerun, { attempts, disagreements }: ProgramFindings): boolean {
    // Where checkpoints are kept, what is computed must not depend on recordings made before.
    if (engineMode.bySize) return false;
    const isDecided = obstacle?.code === 'courses' && looksOutside && attempts === MOST_ATTEMPTS;
    if (this.state !== 'not tried' || !isDecided || this.openSteps.isRefused) return false;
    this.state = 'in use';
    disagreements.forget(this.entry);
    disagreements.parted(this.entry);
    return true;
  }

  /** Refuses a recording for all ways that is none. */
  check({ looks }: Rerun): void {
    if (this.state === 'in use' && looks > MOST_LOOKS)
      throw new NotOpen(new Reason('courses', 'the program looks at many values'));
  }

  /** Whether it is in use and comes to nothing, from now on: asked after a step in which the program was run. */
  isGivenUp({ disagreements }: ProgramFindings, report: BatchingReport): boolean {
    if (this.state !== 'in use') return false;
    const isBranching = disagreements.at(this.entry) === 'branches';
    if (isBranching && !this.openSteps.isHopeless && !report.isMostlyExecuted) return false;
    this.state = 'given up';
    this.compiled.clear();
    disagreements.forget(this.entry);
    return true;
  }
}
