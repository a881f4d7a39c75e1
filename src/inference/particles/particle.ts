import type { RandomStream } from '../../runtime/random.ts';
import type { RemainingCall } from '../../runtime/returning.ts';

/** A point of an execution from which it can be taken up again: choices and factors met, and what was left then. */
export interface Point {
  readonly call: RemainingCall;
  readonly choices: number;
  readonly factors: number;
}

/**
 * A partial execution, as particle methods know it: the values of its choices in order. Executing again with them
 * leads back to where it stopped. It may have run ahead of the factor at which the population is being weighed, so it
 * keeps, for each factor from `first` on, what it weighed there and how to go back to that point.
 *
 * The lists are buffers: only their beginnings mean something, and a particle that is not wanted any more becomes
 * another one in place.
 */
export class Particle<T> {
  /** The values of its choices, `choices` of them. */
  readonly values: unknown[] = [];
  choices = 0;
  /** The first factor in the lists below, and how many there are in them. */
  private first = 0;
  private length = 0;
  /** The log-weight that factor `first + k` brought, with the importance weights of the choices before it. */
  private readonly weights: number[] = [];
  /** Number of choices made before factor `first + k`. */
  private readonly choicesBefore: number[] = [];
  /** Log of the joint probability of choices and factors, up to and with factor `first + k`. */
  private readonly scores: number[] = [];
  /** The last point before factor `first + k`, if there was one. */
  private readonly points: (Point | null)[] = [];
  /** The last point so far. */
  point: Point | null = null;
  /** Log of the joint probability of all choices and factors so far. */
  score = 0;
  /** Whether the execution came to its end; its end counts as one more factor. */
  finished = false;
  value: T | undefined = undefined;
  /** True once the execution has turned out impossible. */
  dead = false;
  /** True once it is in several places of a population, so that it must not become another. */
  shared = false;

  constructor(
    /** What in the program draws without asking the handler draws from this, from its beginning in every execution. */
    public origin: RandomStream,
  ) {}

  /** Number of factors met so far. */
  get factors(): number {
    return this.first + this.length;
  }

  /** The log-weight that the factor brought; nothing after the end. */
  weightAt(factor: number): number {
    if (factor < this.first + this.length) return this.weights[factor - this.first];
    return this.dead ? -Infinity : 0;
  }

  /** Makes one more choice. */
  choose(value: unknown): void {
    this.values[this.choices++] = value;
  }

  /** Notes a factor, or the end, met after the given number of choices, and after the last point. */
  weigh(weight: number, choices: number, score: number, point: Point | null): void {
    const k = this.length++;
    this.weights[k] = weight;
    this.choicesBefore[k] = choices;
    this.scores[k] = score;
    this.points[k] = point;
    this.point = point;
    this.score = score;
    if (weight === -Infinity) this.dead = true;
  }

  /** Forgets how to go back to the factors so far. */
  forgetFactors(): void {
    this.first += this.length;
    this.length = 0;
  }

  /** Becomes one that has made the first `choices` of the given choices, and met a number of factors. */
  become(
    origin: RandomStream,
    values: ArrayLike<unknown>,
    choices: number,
    factors: number,
    score: number,
    point: Point | null = null,
  ): this {
    this.origin = origin;
    this.point = point;
    for (let i = 0; i < choices; i++) this.values[i] = values[i];
    this.choices = choices;
    this.first = factors;
    this.length = 0;
    this.score = score;
    this.finished = false;
    this.value = undefined;
    this.dead = false;
    return this;
  }

  /**
   * A particle with the same past up to and with the given factor, and a future of its own. If nothing was left to
   * chance after it so far, that future is the same, and need not be executed again. `room` is a particle that may be
   * overwritten.
   */
  branch(factor: number, room: Particle<T>): Particle<T> {
    const place = factor - this.first;
    const settled = this.length === 0 || place >= this.length || this.choicesBefore[place] === this.choices;
    if (!settled)
      return room.become(
        this.origin,
        this.values,
        this.choicesBefore[place],
        factor + 1,
        this.scores[place],
        this.points[place],
      );
    if (this.finished) {
      this.shared = true;
      return this;
    }
    room.become(this.origin, this.values, this.choices, this.first, this.score, this.point);
    for (let k = 0; k < this.length; k++) {
      room.weights[k] = this.weights[k];
      room.choicesBefore[k] = this.choicesBefore[k];
      room.scores[k] = this.scores[k];
      room.points[k] = this.points[k];
    }
    room.length = this.length;
    room.dead = this.dead;
    return room;
  }
}
