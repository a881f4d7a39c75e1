import type { Distribution } from '../../runtime/handler.ts';
import type { CompiledTape, Part, Walk } from './compiled.ts';
import { CHOICE_SCORE, FACTOR_SCORE, SCORES } from './results.ts';
import { HEADER, VISIT } from './steps-code.ts';

/** A number that nothing but the leaf itself would be. */
const PROBE = 0.12345;

/** A choice as it was recorded. */
export interface RecordedChoice {
  /** Makes the distribution. */
  readonly distribution: Part;
  /** Makes what its drift kernel returns for its value; null if it has none, or one that depends on nothing else. */
  proposal: Part | null;
  readonly isTruth: boolean;
}

/**
 * The density of a model near an execution, as a function of the values of its choices. It is at a state, and can be tried
 * at another.
 */
export class RecordedDensity<T> {
  /** What was found is in one of two places: that of the candidate is written to next. */
  private state: Float64Array;
  private candidate: Float64Array;
  /** What the model returns in the state, once somebody has asked. */
  private known: { readonly value: T } | null = null;

  constructor(
    private readonly compiled: CompiledTape,
    private readonly choices: readonly RecordedChoice[],
    private readonly returned: Part,
  ) {
    [this.state, this.candidate] = compiled.results;
  }

  /** The values of the choices, truth values as 0 and 1. Who writes here puts things back, or calls `accept`. */
  get values(): Float64Array {
    return this.compiled.values;
  }

  /** Number of choices. */
  get length(): number {
    return this.choices.length;
  }

  /** Works out the density for the values: `SAME_WAY`, `IMPOSSIBLE` or `UNKNOWN`. What it finds is the candidate. */
  evaluate(): number {
    return this.compiled.evaluate(this.candidate);
  }

  /** Moves to the candidate. */
  accept(): void {
    const { state } = this;
    this.state = this.candidate;
    this.candidate = state;
    this.known = null;
  }

  /** The sum of the scores of the choices, in the state. */
  get choiceScore(): number {
    return this.state[CHOICE_SCORE];
  }

  /** The sum of the factors, in the state. */
  get factorScore(): number {
    return this.state[FACTOR_SCORE];
  }

  /** By how much the candidate scores more than the state. */
  get gain(): number {
    const { state, candidate } = this;
    return candidate[CHOICE_SCORE] + candidate[FACTOR_SCORE] - (state[CHOICE_SCORE] + state[FACTOR_SCORE]);
  }

  /** The same, less what the candidate gains by one of its choices. */
  gainBeside(place: number): number {
    const { state, candidate } = this;
    return this.gain + state[SCORES + place] - candidate[SCORES + place];
  }

  /** How to make many steps at once, if proposals depend on nothing; null if they do. */
  get walk(): Walk | null {
    return this.compiled.walk;
  }

  /** Makes steps from the proposals of the walk; gives how many, up to one of which nothing is known. */
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
    return this.compiled.make(this.choices[place].distribution, this.state) as Distribution<unknown>;
  }

  /** What the drift kernel of a choice returns for its value, if it is part of the recording. */
  proposalOf(place: number, candidate: boolean): Distribution<unknown> | null {
    const { proposal } = this.choices[place];
    if (proposal === null) return null;
    return this.compiled.make(proposal, candidate ? this.candidate : this.state) as Distribution<unknown>;
  }

  /** The value of a choice, as the program sees it. */
  valueOf(place: number): unknown {
    const value = this.values[place];
    return this.choices[place].isTruth ? value !== 0 : value;
  }

  /** What the model returns in the state. */
  result(): T {
    if (this.known === null) this.known = { value: this.compiled.make(this.returned, this.state) as T };
    return this.known.value;
  }
}
