/**
 * `Optimize({checkpoint: {file, every}})`: keeps the optimisation in a file, so that it can be resumed after an interruption.
 * `docs/parameters.md` says what users see of it.
 *
 * A checkpoint holds what a step needs and cannot compute again: parameters, what the optimiser remembers, and what an
 * estimator offers as `memory` (`checkpoint-format.ts`). Random numbers need not be in it, since they are a function of the
 * seed and the step. What lasts from step to step belongs to `OptimizationState`; `checkpoint-kill.long.test.ts` finds what
 * was forgotten. How something is computed must not depend on what was computed before it was resumed: see `bySize` in
 * `tensor/mode.ts`.
 */

import { removeDrafts } from '../host/atomic-write.ts';
import { resolve } from '../host/path.ts';
import { bytesOf, checkWritable, type NamedFile, readContainer, writeContainer } from '../io/container-file.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { machine, type Run } from '../runtime/machine.ts';
import { saidDifferences } from './checkpoint-conditions.ts';
import {
  CHECKPOINT,
  type CheckpointContents,
  decodeCheckpoint,
  encodeCheckpoint,
  type OptimizationState,
} from './checkpoint-format.ts';
import { difference, type Identity } from './checkpoint-identity.ts';
import { CheckpointLock } from './checkpoint-lock.ts';
import type { CheckpointOptions } from './checkpoint-options.ts';

/** Files in use by the optimisations of a run, so that no two of them share one. */
const inUse = new WeakMap<Run, Set<string>>();

export class Checkpoint {
  /** Where to go on from, if that is wanted and there is something. */
  readonly resumed: OptimizationState | undefined;
  private readonly file: NamedFile;
  private readonly every: number;
  private readonly lock: CheckpointLock;
  /** Whether this run has written it before. */
  private written = false;

  /** Reads what is in the file. Throws if it is damaged, or of another optimisation, or would be lost. */
  constructor(
    options: CheckpointOptions,
    private readonly identity: Identity,
    private readonly steps: number,
  ) {
    this.every = options.every;
    this.file = { caller: 'Optimize', name: options.file, place: resolve(machine.run.folder, options.file) };
    claim(this.file);
    // Before anything else, so that a file that cannot be used is refused for what it is.
    this.read();
    checkWritable(this.file);
    const resume = options.resume ?? machine.run.resume ?? false;
    this.lock = new CheckpointLock(this.file, resume !== false);
    try {
      this.resumed = this.open(resume);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Others may write it from now on. */
  close(): void {
    this.lock.release();
  }

  /** Saves if it is time to; `state` is called only then. */
  afterStep(step: number, state: () => OptimizationState): void {
    if (step % this.every === 0) this.save(state());
    this.lock.renew();
  }

  /**
   * A file that can never be written is an error. Later a failure to write is only a warning: an optimisation is not to be lost
   * because a checkpoint is.
   */
  save(state: OptimizationState): void {
    try {
      writeContainer(this.file, encodeCheckpoint({ identity: this.identity, steps: this.steps, state }));
      this.written = true;
    } catch (error) {
      if (!(error instanceof WaymarkError) || !this.written) throw error;
      machine.run.warn(`${error.message} The optimisation goes on, and the checkpoint stays as it was.`);
    }
  }

  /** The message about it for the user of a run that ends after the given step. */
  words(step: number): string {
    return `The optimisation as it was after step ${step} is in ${this.file.name}: go on with it by --resume.`;
  }

  private open(resume: boolean | 'anyway'): OptimizationState | undefined {
    const found = this.read();
    removeDrafts(this.file.place);
    if (found === undefined) return undefined;
    if (resume === false) {
      this.refuseToLose(found);
      return undefined;
    }
    this.refuseAnother(found, resume === 'anyway');
    this.sayWhatDiffers(found);
    return found.state;
  }

  private sayWhatDiffers({ identity }: CheckpointContents): void {
    const said = saidDifferences(identity.conditions, this.identity.conditions);
    if (said.length === 0) return;
    machine.run.warn(
      `Since the checkpoint '${this.file.name}' was written, ${said.join(', and ')}: ` +
        'the result may differ from that of one go, in its last digits or more.',
    );
  }

  private read(): CheckpointContents | undefined {
    const bytes = bytesOf(this.file);
    if (bytes === undefined) return undefined;
    try {
      return decodeCheckpoint(readContainer(this.file, bytes, CHECKPOINT));
    } catch (error) {
      if (!(error instanceof WaymarkError)) throw error;
      throw new WaymarkError(
        `${error.message} The file is left as it is: give the checkpoint another name, or delete it.`,
      );
    }
  }

  private refuseToLose({ steps, state }: CheckpointContents): void {
    if (state.stopped || state.step >= steps) return;
    throw new WaymarkError(
      `The checkpoint '${this.file.name}' holds an optimisation that has come to step ${state.step} of ${steps}. ` +
        'Go on with it by waymark run --resume (or resume: true in the option checkpoint), or delete the file to start anew.',
    );
  }

  private refuseAnother({ identity }: CheckpointContents, anyProgram: boolean): void {
    const reason = difference(identity, this.identity, anyProgram);
    if (reason === undefined) return;
    throw new WaymarkError(`Optimize cannot go on from the checkpoint '${this.file.name}': ${reason}.`);
  }
}

function claim({ name, place }: NamedFile): void {
  const { run } = machine;
  let files = inUse.get(run);
  if (files === undefined) {
    files = new Set();
    inUse.set(run, files);
  }
  if (files.has(place)) {
    throw new WaymarkError(
      `Two calls of Optimize in this run have the checkpoint '${name}'; the second would overwrite the first. ` +
        'Give each its own file.',
    );
  }
  files.add(place);
}
