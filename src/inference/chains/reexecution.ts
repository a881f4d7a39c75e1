import { drawToStart } from '../../distributions/improper-uniform.ts';
import type { Address } from '../../runtime/address.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { abandoned, type Entry } from '../../runtime/execution.ts';
import type { Distribution, Handler, SampleOptions } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { givenUp } from '../../runtime/signals.ts';
import type { Model } from '../algorithm.ts';
import { stop } from '../particles/horizon.ts';
import type { Trace } from './trace.ts';

/** No choice is replaced. */
export const NO_SITE = -1;

/** A factor of +∞ has no meaning as a weight, and would make NaN of the next difference of scores. */
export function infiniteFactor(): WaymarkError {
  return new WaymarkError(
    'factor got Infinity: a weight must be finite. A density is infinite at this point; give it a wider scale, ' +
      'or keep the value away from the end of the support.',
  );
}

/**
 * Executes a model again, taking over the values of an earlier execution wherever a choice has the same address and
 * is of the same family, and drawing the others. Programs mostly meet the same addresses in the same order, so the
 * earlier choice is looked for where it is expected before it is looked up.
 */
export class Reexecution<T> implements Handler {
  readonly name = 'Metropolis–Hastings';
  /**
   * The execution stops after this many factors; one that ends before counts as impossible. So a chain among
   * executions that have come this far stays among them, and those that have ended can be left alone.
   */
  factorLimit = Infinity;
  /** Where executions are known to end, in factors; 0 if that is not known. */
  end = 0;
  /** Whether an execution goes on after a factor of −∞. */
  permissive = false;
  /** Whether values are wanted to start from, also where there is no distribution to draw them from. */
  starting = false;
  /**
   * Whether inferences made inside are kept with the trace: those before the choice that is another are then not made again,
   * as if the execution went on from there. (One that draws samples would otherwise give others every time.)
   */
  keepsInferences = false;
  /** Whether executions are made within `Entry.many`. */
  within = false;
  /** Called in the place of a factor of −∞, so that an error it throws points there. */
  onImpossible: (() => void) | null = null;

  /** Of the last execution: log-probability of the choices drawn, and of the earlier choices not taken over. */
  freshScore = 0;
  staleScore = 0;
  /** Whether it was possible, and had not the same choices as the one before it. */
  madeOtherChoices = false;

  private from!: Trace<T>;
  private into!: Trace<T>;
  private site = NO_SITE;
  private replacement: unknown = undefined;
  /** Choices and factors before the site will be as they were, and are not scored again. */
  private knownUpTo = NO_SITE;
  private knownFactors = 0;
  /** Where in `from` the next choice is expected. */
  private expected = 0;
  private reused = 0;
  /** Number of the execution: marks on choices by any other mean nothing. */
  private round = 0;
  private stopped = false;
  private isUnsettled = false;

  constructor(
    private readonly entry: Entry,
    private readonly model: Model<T>,
    /** What fresh choices are drawn with. */
    public random: RandomStream,
  ) {}

  /**
   * Executes into `into`, with the value at place `site` of `from` replaced. `origin` is the stream of whatever in
   * the program draws without asking the handler. False if the execution turned out impossible.
   */
  run(from: Trace<T>, into: Trace<T>, site: number, replacement: unknown, origin: RandomStream): boolean {
    this.from = from;
    this.into = into;
    this.site = site;
    this.replacement = replacement;
    const known = site !== NO_SITE && from.settled;
    this.knownUpTo = known ? site : NO_SITE;
    this.knownFactors = known ? from.choices[site].factors : 0;
    this.expected = 0;
    this.reused = 0;
    this.round = machine.executions + 1;
    this.stopped = false;
    this.freshScore = 0;
    this.madeOtherChoices = false;
    this.isUnsettled = false;
    into.clear();
    const { entry, model } = this;
    const value = this.within ? entry.again(this, model, origin) : entry.execute(this, model, origin);
    into.settled = !origin.used && !this.isUnsettled;
    if (value !== abandoned && !this.stopped) {
      if (this.factorLimit !== Infinity) return false;
      into.value = value;
      into.finished = true;
    } else if (!this.stopped) {
      return false;
    }
    this.staleScore = this.reused === from.length ? 0 : this.scoreOfStale();
    this.madeOtherChoices = this.reused !== from.length || into.length !== from.length;
    return true;
  }

  sample<V>(distribution: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): V {
    const unique = address.choice(machine.execution);
    const { from } = this;
    let place = this.expected;
    if (place >= from.length || from.choices[place].address !== unique) {
      place = this.reused === from.length ? -1 : from.placeOf(unique);
    }
    let value: V;
    let score: number;
    const earlier = place < 0 ? undefined : from.choices[place];
    if (earlier !== undefined && earlier.distribution.constructor === distribution.constructor) {
      this.expected = place + 1;
      this.reused++;
      earlier.reusedBy = this.round;
      if (place <= this.knownUpTo) this.into.factorScore = earlier.factorScore;
      if (place < this.knownUpTo) {
        value = earlier.value as V;
        score = earlier.score;
      } else {
        value = (place === this.site ? this.replacement : earlier.value) as V;
        score = distribution.score(value);
        if (score === -Infinity) throw givenUp();
      }
    } else {
      const random = this.random.begin();
      value = this.starting ? drawToStart(distribution, random) : distribution.draw(random);
      score = distribution.score(value);
      this.freshScore += score;
    }
    this.into.add(unique, distribution as Distribution<unknown>, options as SampleOptions<unknown>, value, score);
    return value;
  }

  inferred<R>(infer: () => R, address: Address): R {
    if (!this.keepsInferences) return infer();
    const { from, into } = this;
    const { stream } = machine;
    const choices = into.length;
    const { factors } = into;
    const known = from.inferences[into.inferences.length];
    if (from.settled && choices <= this.site && known?.address === address && known.choices === choices) {
      into.inferences.push(known);
      stream.goTo(known.position);
      return known.result as R;
    }
    const own = stream.apart();
    machine.stream = own;
    let result: R;
    try {
      result = infer();
    } finally {
      machine.stream = stream;
    }
    const { position } = own;
    stream.goTo(position);
    // It has made choices of this execution: what it gives would have to be found again.
    if (into.length !== choices || into.factors !== factors) this.isUnsettled = true;
    into.inferences.push({ address, choices, position, result });
    return result;
  }

  observe<V>(distribution: Distribution<V>, value: V): void {
    if (this.into.factors < this.knownFactors) this.into.factors++;
    else this.weigh(distribution.score(value));
  }

  factor(score: number): void {
    if (this.into.factors < this.knownFactors) this.into.factors++;
    else this.weigh(score);
  }

  private weigh(score: number): void {
    if (score === -Infinity) {
      if (!this.permissive) {
        this.onImpossible?.();
        throw givenUp();
      }
    } else if (score === Infinity) {
      throw infiniteFactor();
    }
    const { into } = this;
    into.factorScore += score;
    if (++into.factors >= this.factorLimit) {
      this.stopped = true;
      stop(into.factors, this.end);
    }
  }

  proposalBoundary(): void {
    this.into.boundary = this.into.length;
  }

  private scoreOfStale(): number {
    const { from, round } = this;
    let score = 0;
    for (let i = 0; i < from.length; i++) {
      const choice = from.choices[i];
      if (choice.reusedBy !== round) score += choice.score;
    }
    return score;
  }
}
