/** The density of a model, recorded for a chain of Metropolis–Hastings. */
import type { Entry } from '../../runtime/execution.ts';
import type { Distribution, SampleOptions } from '../../runtime/handler.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { Reason } from '../../runtime/reasons.ts';
import { isClosed, withoutChoices } from '../../runtime/refusal.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { UNFAITHFUL } from '../obstacles.ts';
import { scoreOf } from './distribution.ts';
import { nodeOf } from './recorded.ts';
import { type KnownChoice, type Made, Recorder, recordedBy } from './recorder.ts';
import type { HeldValues, Remembered } from './remembering.ts';
import { CHOICE_SCORE, FACTOR_SCORE, SCORES } from './results.ts';
import { HEADER, VISIT } from './steps-code.ts';
import { type Part, type Taped, TapeRecording, type Walk } from './tape-recording.ts';

/** An execution to record, with its choices in order. */
interface KnownExecution {
  readonly choices: readonly KnownChoice[];
  /** How many of the choices, from the first on, belong to it. */
  readonly length: number;
  readonly choiceScore: number;
  readonly factorScore: number;
}

type DriftKernel = (previous: unknown) => unknown;

/** A number by which the leaf is recognised, because no other value has it. */
const PROBE = 0.12345;

/** A choice as it was recorded. */
interface RecordedChoice {
  /** Makes the distribution. */
  readonly distribution: Part;
  /**
   * Makes the proposal of the choice's drift kernel for its value; null if it has no kernel, or one that depends on nothing
   * else.
   */
  proposal: Part | null;
  readonly isTruth: boolean;
  /** Where it is no number, the values that it may have; what stands for it is the place among them. */
  readonly listed: readonly unknown[] | null;
  /** Where no list of these is known, those of the recording; what stands for one is a number of its own. */
  readonly held: HeldValues | null;
}

/**
 * The density of a model near an execution, as a function of the values of its choices. It is at a state, and can be tried
 * at another: after writing `values` the caller puts things back, or calls `accept`.
 */
export class RecordedDensity<T> extends TapeRecording {
  private readonly remembered: readonly Remembered[];
  /** What stood for the choice that was proposed last. */
  private before = 0;
  /** Results are in one of two places: those of the candidate are written next. */
  private state: Float64Array;
  private candidate: Float64Array;
  /** What the model returns in the state, once it was asked for. */
  private known: { readonly value: T } | null = null;

  /** Proposals can be drawn in advance, for many steps, if they depend on nothing. */
  constructor(
    taped: Taped,
    private readonly choices: readonly RecordedChoice[],
    drawnInAdvance: boolean,
  ) {
    super(taped, drawnInAdvance);
    const { remembered, held } = taped.tape;
    this.remembered = remembered;
    const places = choices.flatMap((choice, place) => (choice.held === null ? [] : [place]));
    held.chosen = () => [this.before, ...places.map((place) => this.values[place])];
    [this.state, this.candidate] = this.buffers;
  }

  /** Number of choices. */
  get length(): number {
    return this.choices.length;
  }

  /** Computes the density for the values: `SAME_WAY`, `IMPOSSIBLE` or `UNKNOWN`. The results are the candidate. */
  evaluate(): number {
    return this.course(this.candidate);
  }

  /** Goes to the execution that was recorded. False if its results are not those of the execution. */
  start(execution: KnownExecution): boolean {
    if (!this.agrees(execution, this.candidate, execution.factorScore, execution.choiceScore)) return false;
    this.accept();
    return true;
  }

  /** Moves to the candidate. */
  accept(): void {
    const { state } = this;
    this.state = this.candidate;
    this.candidate = state;
    this.known = null;
    for (const call of this.remembered) call.accept();
  }

  /** The sum of the scores of the choices, in the state. */
  get choiceScore(): number {
    return this.state[CHOICE_SCORE];
  }

  /** The sum of the factors, in the state. */
  get factorScore(): number {
    return this.state[FACTOR_SCORE];
  }

  /** The score of the candidate minus that of the state. */
  get gain(): number {
    const { state, candidate } = this;
    return candidate[CHOICE_SCORE] + candidate[FACTOR_SCORE] - (state[CHOICE_SCORE] + state[FACTOR_SCORE]);
  }

  /** The same, less what the candidate gains by one of its choices. */
  gainBeside(place: number): number {
    const { state, candidate } = this;
    return this.gain + state[SCORES + place] - candidate[SCORES + place];
  }

  /** The same from the state of another recording, which makes the same choices. */
  gainFrom({ state }: RecordedDensity<T>, place: number): number {
    const { candidate } = this;
    const gain = candidate[CHOICE_SCORE] + candidate[FACTOR_SCORE] - (state[CHOICE_SCORE] + state[FACTOR_SCORE]);
    return gain + state[SCORES + place] - candidate[SCORES + place];
  }

  /** Makes steps from the proposals of the walk; gives how many, up to the first whose outcome is not known. */
  walkOn(count: number): number {
    const { steps, proposals, header } = this.walk as Walk;
    const { state, candidate } = this;
    const made = steps(count, proposals.byteOffset, header.byteOffset, state.byteOffset, candidate.byteOffset);
    if (header[HEADER.state] !== state.byteOffset) this.accept();
    else this.known = null;
    return made;
  }

  /** What the model returned at a visit of the last walk. */
  resultAt(visit: number): T {
    const { visits, width } = this.walk as Walk;
    const { template } = this.returned;
    return template(visits.subarray(visit * width + VISIT, (visit + 1) * width)) as T;
  }

  /** Whether that is a number, which is then the first leaf of the visit. */
  get returnsNumber(): boolean {
    const { template, count } = this.returned;
    return count === 1 && template([PROBE]) === PROBE;
  }

  /** The distribution of a choice, as the state has it. */
  distributionOf(place: number): Distribution<unknown> {
    return this.make(this.choices[place].distribution, this.state) as Distribution<unknown>;
  }

  /** What the drift kernel of a choice returns for its value, if it was recorded. */
  proposalOf(place: number, candidate: boolean): Distribution<unknown> | null {
    const { proposal } = this.choices[place];
    if (proposal === null) return null;
    return this.make(proposal, candidate ? this.candidate : this.state) as Distribution<unknown>;
  }

  /** The value of a choice, as the program sees it. */
  choiceValue(place: number): unknown {
    const value = this.values[place];
    const { isTruth, listed, held } = this.choices[place];
    if (held !== null) return held.of(value);
    return listed === null ? (isTruth ? value !== 0 : value) : listed[value];
  }

  /** The values of a choice that is no number; those of which no list is known are of this recording alone. */
  listedAt(place: number): readonly unknown[] | null {
    const { listed, held } = this.choices[place];
    return held === null ? listed : [held];
  }

  /** The number that stands for a value of a choice; −1 for one that it was not known to have. */
  override numberOf(place: number, value: unknown): number {
    const { listed, held } = this.choices[place];
    if (held === null) return listed?.indexOf(value) ?? Number(value);
    this.before = this.values[place];
    return Object.is(held.of(this.before), value) ? this.before : held.take(value);
  }

  /** What the model returns in the state. */
  result(): T {
    if (this.known === null) this.known = { value: this.valueIn(this.state) as T };
    return this.known.value;
  }
}

class ChainRecorder extends Recorder {
  override readonly holdsValues = true;
  readonly recorded: RecordedChoice[] = [];
  private drifts = false;
  private readonly kernels: { kernel: DriftKernel; place: number; value: unknown }[] = [];

  constructor(
    private readonly execution: KnownExecution,
    takesTables: boolean,
  ) {
    super(execution.choices, execution.length, takesTables);
  }

  /** Whether no proposal depends on anything. */
  get drawsInAdvance(): boolean {
    return this.recorded.every(({ distribution }) => distribution.count === 0) && !this.drifts;
  }

  protected override note(
    place: number,
    distribution: Distribution<unknown>,
    { value, listed, held }: Made,
    options: SampleOptions<unknown> | undefined,
  ): void {
    this.tape.choice(nodeOf(scoreOf(distribution, value)));
    const isTruth = typeof this.execution.choices[place].value === 'boolean';
    this.recorded.push({ distribution: this.part(distribution), proposal: null, isTruth, listed, held });
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

/** Records an execution that has been made before. A reason says why that is not possible. */
export function recordDensity<T>(
  entry: Entry,
  model: () => T,
  execution: KnownExecution,
  stream: RandomStream,
): RecordedDensity<T> | Reason {
  const density = recordedBy((takesTables) => {
    const recorder = new ChainRecorder(execution, takesTables);
    const made = recorder.record(
      entry,
      model,
      stream.again(),
      (taped) => new RecordedDensity<T>(taped, recorder.recorded, recorder.drawsInAdvance),
    );
    return { made, tables: recorder.tape.tables };
  });
  return density instanceof Reason || density.start(execution) ? density : UNFAITHFUL;
}
