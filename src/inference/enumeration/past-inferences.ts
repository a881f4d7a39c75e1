import { machine } from '../../runtime/machine.ts';
import type { FollowedPath } from './past-iterations.ts';

/**
 * What the inference at one place of a model gave when it was last made. While a path is followed again it gives the same,
 * since all executions of an enumeration have the same random numbers, so that it need not be made again.
 */
export class Inferred {
  private start = -1;
  private time = -1;
  private result: unknown = undefined;
  /** Where the random stream was afterwards. */
  private end = 0;
  private execution = 0;
  /** Whether an execution made two inferences at this address, because host code called back from one place. */
  private ambiguous = false;

  constructor(private readonly path: FollowedPath) {}

  of<R>(infer: () => R): R {
    const { path } = this;
    if (this.execution === machine.execution) this.ambiguous = true;
    this.execution = machine.execution;
    const { position, time } = path;
    const { stream } = machine;
    if (!this.ambiguous && position === this.start && path.isUnchanged(position, this.time)) {
      stream.goTo(this.end);
      return this.result as R;
    }
    const result = infer();
    this.start = path.position === position ? position : -1;
    this.time = time;
    this.end = stream.position;
    this.result = result;
    return result;
  }
}
