/** Recordings of a chain's executions. */

import type { Entry } from '../../runtime/execution.ts';
import type { Distribution, SampleOptions } from '../../runtime/handler.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { Reason } from '../../runtime/reasons.ts';
import { isClosed, withoutChoices } from '../../runtime/refusal.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { UNFAITHFUL } from '../obstacles.ts';
import { type RecordedChoice, RecordedDensity } from './density.ts';
import { scoreOf } from './distribution.ts';
import { type Numeric, nodeOf } from './recorded.ts';
import { type KnownChoice, Recorder } from './recorder.ts';
import { SAME_WAY } from './results.ts';

/** An execution to record, with its choices in order. */
export interface KnownExecution {
  readonly choices: readonly KnownChoice[];
  /** The first so many of the choices belong to it. */
  readonly length: number;
  readonly choiceScore: number;
  readonly factorScore: number;
}

type DriftKernel = (previous: unknown) => unknown;

class ChainRecorder extends Recorder {
  readonly recorded: RecordedChoice[] = [];
  private drifts = false;
  private readonly kernels: { kernel: DriftKernel; place: number; value: unknown }[] = [];

  constructor(private readonly execution: KnownExecution) {
    super(execution.choices, execution.length);
  }

  /** Proposals can be drawn in advance if they depend on nothing. */
  protected override get walks(): boolean {
    return this.recorded.every(({ distribution }) => distribution.count === 0) && !this.drifts;
  }

  protected override note(
    place: number,
    distribution: Distribution<unknown>,
    value: Numeric,
    options: SampleOptions<unknown> | undefined,
  ): void {
    this.tape.choice(nodeOf(scoreOf(distribution, value)));
    const isTruth = typeof this.execution.choices[place].value === 'boolean';
    this.recorded.push({ distribution: this.part(distribution), proposal: null, isTruth });
    const kernel = options?.driftKernel as DriftKernel | undefined;
    if (kernel !== undefined) this.drifts = true;
    if (kernel !== undefined && !isClosed(kernel)) this.kernels.push({ kernel, place, value });
  }

  /** Records what drift kernels return; as in executions, they are asked when the model has ended. */
  protected override ended(): void {
    for (const { kernel, place, value } of this.kernels) {
      const address = this.execution.choices[place].address.at('drift');
      const proposal = withoutChoices('A drift kernel', address, kernel, value);
      if (!isDistribution(proposal)) throw new OneByOne('value', 'a drift kernel returns no distribution');
      this.recorded[place].proposal = this.part(proposal);
    }
  }
}

/** Records an execution that has been made before. A text says why that is not possible. */
export function recordDensity<T>(
  entry: Entry,
  model: () => T,
  execution: KnownExecution,
  stream: RandomStream,
): RecordedDensity<T> | Reason {
  const recorder = new ChainRecorder(execution);
  const made = recorder.record(entry, model, stream);
  if (made instanceof Reason) return made;
  const density = new RecordedDensity<T>(made.compiled, recorder.recorded, made.returned);
  return agrees(density, execution) ? density : UNFAITHFUL;
}

/** Whether the recording, at the execution it was made of, gives what that gave. */
function agrees(density: RecordedDensity<unknown>, execution: KnownExecution): boolean {
  for (let i = 0; i < density.length; i++) density.values[i] = Number(execution.choices[i].value);
  if (density.evaluate() !== SAME_WAY) return false;
  density.accept();
  return Object.is(density.choiceScore, execution.choiceScore) && Object.is(density.factorScore, execution.factorScore);
}
