import type { Address } from '../../runtime/address.ts';
import { abandoned, type Entry } from '../../runtime/execution.ts';
import type { Distribution, Handler, SampleOptions } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { isClosed, withoutChoices } from '../../runtime/refusal.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { webAssembly } from '../../tensor/wasm/host.ts';
import { type Part, type RecordedChoice, RecordedDensity } from './density.ts';
import { scoreOf } from './distribution.ts';
import { SAME_WAY } from './module.ts';
import { fromNode, isNumeric, isRecord, isTruth, type Numeric, nodeOf, recording, templateOf } from './recorded.ts';
import { Tape } from './tape.ts';

/** An execution to record, with its choices in order. */
export interface KnownExecution {
  readonly choices: readonly KnownChoice[];
  /** The first so many of the choices belong to it. */
  readonly length: number;
  readonly choiceScore: number;
  readonly factorScore: number;
}

interface KnownChoice {
  readonly address: Address;
  readonly distribution: Distribution<unknown>;
  readonly value: unknown;
  /** Log-probability of the value. */
  readonly score: number;
}

type DriftKernel = (previous: unknown) => unknown;

/** Follows an execution that is known, and records what it computes. */
class Recorder implements Handler {
  readonly name = 'recording';
  readonly tape = new Tape();
  readonly choices: RecordedChoice[] = [];
  readonly leaves: number[] = [];
  private readonly kernels: { kernel: DriftKernel; address: Address; place: number; value: unknown }[] = [];

  constructor(private readonly known: KnownExecution) {}

  sample<V>(given: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): V {
    const { tape, choices, known } = this;
    const place = choices.length;
    if (place >= known.length) throw new OneByOne('the program makes more choices than before');
    const { value, distribution } = known.choices[place];
    if (known.choices[place].address !== address.choice(machine.execution) || distribution.name !== given.name) {
      throw new OneByOne('the program makes other choices than before');
    }
    if (!isNumeric(value)) throw new OneByOne(`a choice from ${given.name} is no number`);
    const recorded = fromNode(tape.input(Number(value)), isTruth(value));
    const score = scoreOf(given as Distribution<unknown>, recorded);
    this.expect(score, known.choices[place].score);
    tape.choice(nodeOf(score));
    choices.push({ distribution: this.part(given), proposal: null, isTruth: isTruth(value) });
    const kernel = options?.driftKernel as DriftKernel | undefined;
    if (kernel !== undefined && !isClosed(kernel)) this.kernels.push({ kernel, address, place, value: recorded });
    return recorded as V;
  }

  /** Records what drift kernels return; as in executions, they are asked when the model has ended. */
  recordKernels(): void {
    for (const { kernel, address, place, value } of this.kernels) {
      const proposal = withoutChoices('A drift kernel', address.at('drift'), kernel, value);
      if (!isDistribution(proposal)) throw new OneByOne('a drift kernel returns no distribution');
      this.choices[place].proposal = this.part(proposal);
    }
  }

  observe<V>(distribution: Distribution<V>, value: V): void {
    this.factor(scoreOf(distribution as Distribution<unknown>, value));
  }

  factor(score: unknown): void {
    this.tape.factor(nodeOf(score as Numeric));
  }

  proposalBoundary(): void {
    throw new OneByOne('there is a proposal boundary');
  }

  /** How to make a value again. */
  part(value: unknown): Part {
    const start = this.leaves.length;
    const own: number[] = [];
    const template = templateOf(value, own);
    this.leaves.push(...own);
    return { template, start, count: own.length };
  }

  private expect(score: Numeric, before: number): void {
    if (!Object.is(this.tape.values[nodeOf(score)], before)) {
      throw new OneByOne('a choice does not score what it scored before');
    }
  }
}

/** Records an execution that has been made before. A text says why that is not possible. */
export function recordDensity<T>(
  entry: Entry,
  model: () => T,
  execution: KnownExecution,
  stream: RandomStream,
): RecordedDensity<T> | string {
  if (webAssembly === undefined) return 'there is no WebAssembly';
  const recorder = new Recorder(execution);
  let density: RecordedDensity<T>;
  try {
    const returned = recorded(recorder, entry, model, stream);
    density = new RecordedDensity(recorder.tape, recorder.leaves, recorder.choices, returned);
  } catch (thrown) {
    if (thrown instanceof OneByOne) return thrown.reason;
    return `the recording failed: ${(thrown as Error)?.message ?? thrown}`;
  }
  return agrees(density, execution) ? density : 'the recording does not give what the execution gave';
}

function recorded<T>(recorder: Recorder, entry: Entry, model: () => T, stream: RandomStream): Part {
  recording.tape = recorder.tape;
  try {
    const value = entry.many(recorder, () => {
      machine.columns = recorder;
      try {
        const returned = entry.again(recorder, model, stream);
        recorder.recordKernels();
        return returned;
      } finally {
        machine.columns = null;
      }
    });
    if (value === abandoned) throw new OneByOne('the execution is impossible');
    if (holdsFunction(value)) throw new OneByOne('the model returns a function');
    return recorder.part(value);
  } finally {
    recording.tape = null;
  }
}

/** Functions may depend on choices, which cannot be seen. */
function holdsFunction(value: unknown): boolean {
  if (typeof value === 'function') return true;
  if (Array.isArray(value)) return value.some(holdsFunction);
  return isRecord(value) && Object.values(value).some(holdsFunction);
}

/** Whether the recording, at the execution it was made of, gives what that gave. */
function agrees(density: RecordedDensity<unknown>, execution: KnownExecution): boolean {
  for (let i = 0; i < density.length; i++) density.values[i] = Number(execution.choices[i].value);
  if (density.length !== execution.length || density.evaluate() !== SAME_WAY) return false;
  density.accept();
  return (
    Object.is(density.choiceScore(false), execution.choiceScore) &&
    Object.is(density.factorScore(false), execution.factorScore)
  );
}
