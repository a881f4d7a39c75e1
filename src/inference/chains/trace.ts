/**
 * The record of one execution: its choices in order, each found by address at once. Traces are buffers: a Markov chain
 * has two and fills them in turn, so that a step allocates nothing once they have grown.
 */
import type { Address } from '../../runtime/address.ts';
import type { Distribution, SampleOptions } from '../../runtime/handler.ts';

/** One random choice of an execution. */
export class Choice {
  /** Number of the last re-execution that took this choice's value over. */
  reusedBy = 0;

  constructor(
    public address: Address,
    public distribution: Distribution<unknown>,
    public options: SampleOptions<unknown> | undefined,
    public value: unknown,
    /** Log-probability of the value under the distribution. */
    public score: number,
    /** Number and sum of the factors met before. */
    public factors: number,
    public factorScore: number,
  ) {}
}

/** An inference that was made inside of an execution. */
interface InnerInference {
  readonly address: Address;
  /** Number of choices made before. */
  readonly choices: number;
  /** Where the random stream was afterwards. */
  readonly position: number;
  readonly result: unknown;
}

let fills = 0;

export class Trace<T> {
  /** The first `length` of them belong to this execution; the rest are room for longer ones. */
  readonly choices: Choice[] = [];
  length = 0;
  /** Sum of the choices' scores. */
  choiceScore = 0;
  /** Sum of the factors. */
  factorScore = 0;
  /** Number of factors met. */
  factors = 0;
  /** Inferences made inside, in order, where they are kept. */
  inferences: InnerInference[] = [];
  /** Choices before this one were made before the last `setProposalBoundary()`. */
  boundary = 0;
  /** What the model returned; meaningless unless `finished`. */
  value: T | undefined = undefined;
  /** False of an execution that was stopped at a factor. */
  finished = false;
  /** Whether the execution is known to be a function of its choices, and of inferences that are kept: nothing else drew without asking the handler. */
  settled = false;
  /** Number of this fill of the buffer: never used twice, so that by it one knows later whether the trace is another. */
  revision = 0;
  private places: Map<Address, number> | null = null;

  constructor(
    /** Where the execution started: choices' addresses are below it. */
    readonly entry: Address,
  ) {}

  /** Log of the joint probability of choices and conditions. */
  get score(): number {
    return this.choiceScore + this.factorScore;
  }

  /** Makes the trace empty, keeping its room. */
  clear(): void {
    this.revision = ++fills;
    this.length = 0;
    this.choiceScore = 0;
    this.factorScore = 0;
    this.factors = 0;
    if (this.inferences.length > 0) this.inferences = [];
    this.boundary = 0;
    this.value = undefined;
    this.finished = false;
    this.settled = false;
    this.places = null;
  }

  /** Records the next choice. */
  add(
    address: Address,
    distribution: Distribution<unknown>,
    options: SampleOptions<unknown> | undefined,
    value: unknown,
    score: number,
  ): void {
    const { choices, length } = this;
    if (length === choices.length) {
      choices.push(new Choice(address, distribution, options, value, score, this.factors, this.factorScore));
    } else {
      const choice = choices[length];
      choice.address = address;
      choice.distribution = distribution;
      choice.options = options;
      choice.value = value;
      choice.score = score;
      choice.factors = this.factors;
      choice.factorScore = this.factorScore;
    }
    this.length = length + 1;
    this.choiceScore += score;
  }

  /** The place of the choice made at the address, or −1. */
  placeOf(address: Address): number {
    if (this.places === null) {
      // Only executions whose structure changes ask, so most traces never need the table.
      this.places = new Map();
      for (let i = 0; i < this.length; i++) this.places.set(this.choices[i].address, i);
    }
    return this.places.get(address) ?? -1;
  }

  /** The choice made at the address, if any. */
  at(address: Address): Choice | undefined {
    const place = this.placeOf(address);
    return place < 0 ? undefined : this.choices[place];
  }
}
