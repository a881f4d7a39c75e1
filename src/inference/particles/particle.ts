/** What a particle is, where executions are made one after the other. */
import type { RandomStream } from '../../runtime/random.ts';
import type { RemainingCall } from '../../runtime/returning.ts';

/** A point of an execution from which it can be taken up again: choices and factors met, and what was left then. */
export interface Point {
  readonly call: RemainingCall;
  readonly choices: number;
  readonly factors: number;
}

/** A factor, or the end, that a particle has met, with the choices and the last point before it. */
export interface Met {
  /** The log-weight that it brought, with the importance weights of the choices since the last one. */
  readonly weight: number;
  readonly choices: number;
  /** Log of the joint probability of choices and factors, up to and with this one. */
  readonly score: number;
  readonly point: Point | null;
}

/** A partial execution. It may have run ahead of the factor being weighed, so it keeps what it met, to go back there. */
export class Particle<T> {
  /** What it met since it was last taken up. */
  met: Met[] = [];
  /** Whether the execution came to its end; its end counts as one more factor. */
  finished = false;
  value: T | undefined = undefined;
  /** True once the execution has turned out impossible. */
  dead = false;

  constructor(
    /** What in the program draws without asking the handler draws from this, from its beginning in every execution. */
    readonly origin: RandomStream,
    /** The values of its choices. */
    readonly values: unknown[] = [],
    /** Factors before those in `met`. */
    private before = 0,
    /** Log of the joint probability of all choices and factors so far. */
    public score = 0,
    /** The last point so far. */
    public point: Point | null = null,
  ) {}

  /** Number of factors met so far. */
  get factors(): number {
    return this.before + this.met.length;
  }

  /** The log-weight that the factor brought; nothing after the end. */
  weightAt(factor: number): number {
    if (factor < this.factors) return this.met[factor - this.before].weight;
    return this.dead ? -Infinity : 0;
  }

  /** Notes a factor, or the end. */
  meet(weight: number, choices: number, score: number, point: Point | null): void {
    this.met.push({ weight, choices, score, point });
    this.point = point;
    this.score = score;
    if (weight === -Infinity) this.dead = true;
  }

  /** Forgets how to go back to the factors so far. */
  forgetFactors(): void {
    this.before += this.met.length;
    this.met = [];
  }

  /**
   * A particle with the same past up to and with the given factor, and a future of its own. If nothing was left to
   * chance after it so far, that future is the same, and need not be executed again.
   */
  branch(factor: number): Particle<T> {
    const { origin, values, met, before, score, point } = this;
    const last = met[factor - before];
    if (last !== undefined && last.choices < values.length) {
      return new Particle<T>(origin, values.slice(0, last.choices), factor + 1, last.score, last.point);
    }
    if (this.finished) return this;
    const copy = new Particle<T>(origin, values.slice(), before, score, point);
    copy.met = met.slice();
    copy.dead = this.dead;
    return copy;
  }
}
