/** `Optimize({checkpoint: {file, every}})`: the optimisation in a file, so that it can go on after anything. */
import { resolve } from 'node:path';
import { removeDrafts } from '../io/atomic-write.ts';
import { bytesOf, checkWritable, type NamedFile, readContainer, writeContainer } from '../io/container-file.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { machine, type Run } from '../runtime/machine.ts';
import {
  CHECKPOINT,
  type CheckpointContents,
  decodeCheckpoint,
  encodeCheckpoint,
  type OptimizationState,
} from './checkpoint-format.ts';
import { difference, type Identity } from './checkpoint-identity.ts';
import type { CheckpointOptions } from './checkpoint-options.ts';

/** Files in use by the optimisations of a run, so that no two of them share one. */
const inUse = new WeakMap<Run, Set<string>>();

export class Checkpoint {
  /** Where to go on from, if that is wanted and there is something. */
  readonly resumed: OptimizationState | undefined;
  private readonly file: NamedFile;
  private readonly every: number;

  /** Reads what is in the file. Throws if it is damaged, or of another optimisation, or would be lost. */
  constructor(
    options: CheckpointOptions,
    private readonly identity: Identity,
    private readonly steps: number,
  ) {
    this.every = options.every;
    this.file = { caller: 'Optimize', name: options.file, place: resolve(machine.run.folder, options.file) };
    claim(this.file);
    const found = this.read();
    const resume = options.resume ?? machine.run.resume ?? false;
    if (found !== undefined) {
      if (resume === false) this.refuseToLose(found);
      else this.refuseAnother(found, resume === 'anyway');
    }
    checkWritable(this.file);
    removeDrafts(this.file.place);
    this.resumed = resume === false ? undefined : found?.state;
  }

  /** Saves if it is time to. `state` is asked only then. */
  afterStep(step: number, state: () => OptimizationState): void {
    if (step % this.every === 0) this.save(state());
  }

  /** Losing a checkpoint is no reason to lose the optimisation: what keeps it from being written is only said. */
  save(state: OptimizationState): void {
    try {
      writeContainer(this.file, encodeCheckpoint({ identity: this.identity, steps: this.steps, state }));
    } catch (error) {
      if (!(error instanceof WaymarkError)) throw error;
      machine.run.warn(`${error.message} The optimisation goes on, and the checkpoint stays as it was.`);
    }
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
