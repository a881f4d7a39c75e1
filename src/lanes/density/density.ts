import type { Distribution } from '../../runtime/handler.ts';
import { webAssembly } from '../../tensor/wasm/host.ts';
import { CHOICE_SCORE, densityModule, FACTOR_SCORE, SCORES, UNKNOWN } from './module.ts';
import { failures, type Template } from './recorded.ts';
import type { Tape } from './tape.ts';

const PAGE = 65536;
const BYTES = 8;
const NO_NUMBERS: readonly number[] = [];

/** How a value of the program is made of numbers among the leaves. */
export interface Part {
  readonly template: Template;
  /** Place of its first leaf. */
  readonly start: number;
  readonly count: number;
}

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
  /** The values of the choices, truth values as 0 and 1. Who writes here puts things back, or calls `accept`. */
  readonly values: Float64Array;
  private readonly run: (results: number) => number;
  /** What was found is in one of two places in memory: that of the candidate is written to next. */
  private state: Float64Array;
  private candidate: Float64Array;
  /** What the model returns in the state, once somebody has asked. */
  private known: { readonly value: T } | null = null;

  constructor(
    tape: Tape,
    leaves: readonly number[],
    private readonly choices: readonly RecordedChoice[],
    private readonly returned: Part,
  ) {
    const { bytes, functions } = densityModule(tape, leaves);
    const results = SCORES + choices.length + leaves.length;
    const pages = Math.ceil((BYTES * (choices.length + 2 * results)) / PAGE);
    const memory = new webAssembly!.Memory({ initial: pages, maximum: pages });
    const env = { memory, ...Object.fromEntries(functions) };
    const { density } = new webAssembly!.Instance(new webAssembly!.Module(bytes), { env }).exports;
    this.run = density;
    const at = (place: number, length: number): Float64Array => new Float64Array(memory.buffer, BYTES * place, length);
    this.values = at(0, choices.length);
    this.state = at(choices.length, results);
    this.candidate = at(choices.length + results, results);
  }

  /** Number of choices. */
  get length(): number {
    return this.choices.length;
  }

  /** Works out the density for the values: `SAME_WAY`, `IMPOSSIBLE` or `UNKNOWN`. What it finds is the candidate. */
  evaluate(): number {
    const before = failures.count;
    const found = this.run(this.candidate.byteOffset);
    return failures.count === before ? found : UNKNOWN;
  }

  /** Moves to the candidate. */
  accept(): void {
    const { state } = this;
    this.state = this.candidate;
    this.candidate = state;
    this.known = null;
  }

  /** The sum of the scores of the choices. */
  choiceScore(candidate: boolean): number {
    return (candidate ? this.candidate : this.state)[CHOICE_SCORE];
  }

  /** The sum of the factors. */
  factorScore(candidate: boolean): number {
    return (candidate ? this.candidate : this.state)[FACTOR_SCORE];
  }

  /** The score of one choice. */
  scoreOf(place: number, candidate: boolean): number {
    return (candidate ? this.candidate : this.state)[SCORES + place];
  }

  /** The distribution of a choice, as the state has it. */
  distributionOf(place: number): Distribution<unknown> {
    return this.made(this.choices[place].distribution, this.state) as Distribution<unknown>;
  }

  /** What the drift kernel of a choice returns for its value, if it is part of the recording. */
  proposalOf(place: number, candidate: boolean): Distribution<unknown> | null {
    const { proposal } = this.choices[place];
    if (proposal === null) return null;
    return this.made(proposal, candidate ? this.candidate : this.state) as Distribution<unknown>;
  }

  /** The value of a choice, as the program sees it. */
  valueOf(place: number): unknown {
    const value = this.values[place];
    return this.choices[place].isTruth ? value !== 0 : value;
  }

  /** What the model returns in the state. */
  result(): T {
    if (this.known === null) this.known = { value: this.made(this.returned, this.state) as T };
    return this.known.value;
  }

  private made({ template, start, count }: Part, results: Float64Array): unknown {
    if (count === 0) return template(NO_NUMBERS);
    const first = SCORES + this.choices.length + start;
    return template(results.subarray(first, first + count));
  }
}
