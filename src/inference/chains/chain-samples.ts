import type { Sample } from '../../distributions/marginal.ts';
import { SampleColumns } from '../../distributions/sample-columns.ts';
import type { Callbacks } from '../callbacks.ts';
import { concatenated } from '../concatenated.ts';
import { KeptSamples } from '../kept-samples.ts';
import type { SampleColumn } from './kernel.ts';

/** Room for more than this is made when it is needed. */
const MOST_AT_ONCE = 2 ** 18;

/** The samples of a chain, in a form that can be sent to other ranks. */
export interface KeptChain<T> {
  readonly impossible: number;
  /** One by one, or as columns. */
  readonly samples: readonly Sample<T>[] | null;
  readonly scores: Float64Array;
  readonly numbers: Float64Array | null;
  readonly values: readonly T[];
}

/** The samples of a chain: columns, of numbers if they can be, unless a callback reads them or only the best one is kept. */
export class ChainSamples<T> implements SampleColumn<T> {
  /** How many of them violate a condition. */
  impossible = 0;
  private length = 0;
  private scores: Float64Array;
  /** Null once there was a value that is no number. */
  private numbers: Float64Array | null;
  private values: T[] = [];

  constructor(
    count: number,
    callbacks: readonly Callbacks[],
    private readonly onlyBest: boolean,
    private readonly kept: KeptSamples<T> | null = onlyBest || callbacks.length > 0
      ? new KeptSamples(callbacks, onlyBest)
      : null,
  ) {
    const room = this.kept === null ? Math.min(count, MOST_AT_ONCE) : 0;
    this.scores = new Float64Array(room);
    this.numbers = new Float64Array(room);
  }

  get contents(): KeptChain<T> {
    const { impossible, length, numbers, values } = this;
    const samples = this.kept?.samples ?? null;
    const scores = this.scores.subarray(0, length);
    return { impossible, samples, scores, numbers: numbers?.subarray(0, length) ?? null, values };
  }

  /** The samples of a chain, as they were there. */
  static from<T>({ impossible, samples, scores, numbers, values }: KeptChain<T>, onlyBest: boolean): ChainSamples<T> {
    const all = new ChainSamples<T>(0, [], onlyBest, samples === null ? null : new KeptSamples<T>([], onlyBest));
    for (const sample of samples ?? []) all.kept?.add(sample);
    all.impossible = impossible;
    all.length = scores.length;
    all.scores = scores;
    all.numbers = numbers;
    all.values = values as T[];
    return all;
  }

  add(value: T, score: number): void {
    if (score === -Infinity) this.impossible++;
    if (this.kept !== null) {
      this.kept.add({ value, score });
      return;
    }
    const at = this.length++;
    if (at === this.scores.length) this.grow();
    this.scores[at] = score;
    if (this.numbers === null) this.values.push(value);
    else if (typeof value === 'number') this.numbers[at] = value;
    else this.takeAny(value, at);
  }

  addNumbers(table: Float64Array, from: number, stride: number, count: number): void {
    const { numbers, scores, length } = this;
    if (this.kept !== null || numbers === null || length + count > scores.length) {
      for (let i = 0; i < count; i++) {
        const at = from + i * stride;
        this.add(table[at + 1] as unknown as T, table[at]);
      }
      return;
    }
    for (let i = 0; i < count; i++) {
      const at = from + i * stride;
      scores[length + i] = table[at];
      numbers[length + i] = table[at + 1];
      if (table[at] === -Infinity) this.impossible++;
    }
    this.length = length + count;
  }

  private grow(): void {
    const room = Math.max(16, 2 * this.scores.length);
    this.scores = copied(this.scores, room);
    if (this.numbers !== null) this.numbers = copied(this.numbers, room);
  }

  private takeAny(value: T, at: number): void {
    this.values = Array.from((this.numbers as Float64Array).subarray(0, at)) as unknown[] as T[];
    this.values.push(value);
    this.numbers = null;
  }

  /** The samples of all chains, one chain after the other. */
  static all<T>(chains: readonly ChainSamples<T>[]): readonly Sample<T>[] | SampleColumns<T> {
    const [first] = chains;
    if (first.kept !== null) {
      if (chains.length === 1) return first.kept.samples;
      const all = new KeptSamples<T>([], first.onlyBest);
      for (const { kept } of chains) for (const sample of (kept as KeptSamples<T>).samples) all.add(sample);
      return all.samples;
    }
    const scores = concatenated(chains.map((chain) => chain.scores.subarray(0, chain.length)));
    const numbers = chains.map((chain) => chain.numbers?.subarray(0, chain.length));
    const values = numbers.every((part) => part !== undefined)
      ? concatenated(numbers)
      : chains.flatMap((chain, i) => (numbers[i] === undefined ? chain.values : Array.from(numbers[i])) as unknown[]);
    return new SampleColumns(values as ArrayLike<T>, scores);
  }
}

function copied(numbers: Float64Array, room: number): Float64Array {
  const larger = new Float64Array(room);
  larger.set(numbers);
  return larger;
}
