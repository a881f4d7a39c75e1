/**
 * Particles side by side, among ranks. Each rank executes an _island_ of the particles, and no particle ever leaves its island: the
 * children of a particle are where it is, so that nothing of an execution has to be sent. What is exchanged at each factor are the
 * weights. All ranks weigh all particles alike, and so know which particle gets which places; as in one process its choices draw from the
 * streams of its place, wherever that is executed. So islands grow and shrink with the weight of their particles. If n particles
 * are resampled r times, the share of an island is off by about √(r·ranks/n) of it, which is little beside what sending particles would take.
 *
 * Ranks meet once for each factor. One that cannot go on in this way says so instead, and all of them go another way together.
 */
import { Diverged, isSignal, OneByOne } from '../../runtime/signals.ts';
import { type Share, shareOf, type Team } from '../../runtime/team.ts';
import { DrawsElsewhere, OutOfStep } from './other-ways.ts';

/** What a rank says: its weights, that it has no particle that could go on, that it has come to the end, or why it gives up. */
const WEIGHTS = 0;
const NOTHING = 1;
const END = 2;
const DRAWS_ELSEWHERE = 3;
const OUT_OF_STEP = 4;
const GIVES_UP = 5;

/** Numbers before the weights: what is said, `guidedFrom`, `end`, and whether none, all or some have ended. */
const HEADER = 4;
const NONE = 0;
const ALL = 1;
const SOME = 2;

/** What is known of particles at a factor. */
export interface Weighing<Ended = Uint8Array | null> {
  /** Log-weights since the last resampling. */
  readonly weights: Float64Array;
  /** Fewest factors before a choice that was drawn from a guide. */
  readonly guidedFrom: number;
  /** The most factors that any of them meets, its end counted; Infinity while that is not known. */
  readonly end: number;
  /** Which of them have come to their end, by marks; null if none has. */
  readonly ended: Ended;
}

/** Fewer particles than this for each rank are as soon executed by all of them. */
export const LEAST_ON_ISLAND = 256;

export class Islands {
  /** For each place, the rank that has its particle. */
  private owners: Int32Array;
  /** The places of this rank, in order. */
  places: Int32Array;
  /** Whether this rank is among those that agree on something, or has agreed to give up. */
  private isAgreeing = false;

  constructor(
    readonly team: Team,
    readonly size: number,
  ) {
    this.owners = new Int32Array(size);
    for (let rank = 0; rank < team.size; rank++) {
      const { first, count } = shareOf(size, { rank, size: team.size });
      this.owners.fill(rank, first, first + count);
    }
    this.places = this.placesOf(team.rank);
  }

  /** The places in the beginning. */
  get share(): Share {
    return shareOf(this.size, this.team);
  }

  has(place: number): boolean {
    return this.owners[place] === this.team.rank;
  }

  private placesOf(rank: number): Int32Array {
    const { owners } = this;
    let count = 0;
    for (let i = 0; i < owners.length; i++) if (owners[i] === rank) count++;
    const places = new Int32Array(count);
    for (let i = 0, k = 0; i < owners.length; i++) if (owners[i] === rank) places[k++] = i;
    return places;
  }

  /** Particles take the places of others: for each place, that of its parent. Gives the same for this rank alone, by numbers there. */
  follow(parents: Int32Array): Int32Array {
    const { places, owners } = this;
    const numbers = new Int32Array(this.size);
    for (let number = 0; number < places.length; number++) numbers[places[number]] = number;
    const after = new Int32Array(this.size);
    for (let place = 0; place < after.length; place++) after[place] = owners[parents[place]];
    this.owners = after;
    this.places = this.placesOf(this.team.rank);
    return this.places.map((place) => numbers[parents[place]]);
  }

  /** Tells the weights of this rank's particles, in the order of their places, and hears those of all. */
  weigh(own: Weighing<Uint8Array | 'all' | null>): Weighing {
    const { weights, guidedFrom, end, ended } = own;
    const marks = ended === null ? NONE : ended === 'all' ? ALL : SOME;
    const message = new Float64Array(HEADER + weights.length * (marks === SOME ? 2 : 1));
    message.set([WEIGHTS, guidedFrom, end, marks]);
    message.set(weights, HEADER);
    if (marks === SOME) message.set(ended as Uint8Array, HEADER + weights.length);
    return this.together(this.exchange(message));
  }

  private together(told: readonly Float64Array[]): Weighing {
    const { size, owners } = this;
    const weights = new Float64Array(size);
    const ended = new Uint8Array(size);
    const speakers = told.filter(([said]) => said === WEIGHTS);
    const marked = speakers.some((message) => message[3] !== NONE);
    const next = new Int32Array(told.length).fill(HEADER);
    const counts = told.map((message) => (message.length - HEADER) / (message[3] === SOME ? 2 : 1));
    for (let place = 0; place < size; place++) {
      const rank = owners[place];
      const message = told[rank];
      // Particles of a rank that has none left to go on are impossible.
      if (message[0] !== WEIGHTS) weights[place] = -Infinity;
      else {
        const at = next[rank]++;
        weights[place] = message[at];
        if (marked) ended[place] = message[3] === SOME ? message[at + counts[rank]] : message[3];
      }
    }
    return {
      weights,
      guidedFrom: Math.min(...speakers.map((message) => message[1])),
      end: Math.max(...speakers.map((message) => message[2])),
      ended: marked ? ended : null,
    };
  }

  /** Waits for the ranks that have particles left, until these have come to their end. */
  watch(): void {
    for (;;) {
      const told = this.exchange(Float64Array.of(NOTHING));
      if (told.some(([said]) => said === END)) return;
      if (told.every(([said]) => said === NOTHING)) throw new OneByOne('weights', 'all of them turn out impossible');
    }
  }

  /** Tells the others that this rank has come to its end, as they have. */
  arrive(): void {
    this.exchange(Float64Array.of(END));
  }

  /** An error on this rank is told to all, so that they go on together in another way. */
  giveUp(thrown: unknown): unknown {
    if (this.isAgreeing || (isSignal(thrown) && reasonOf(thrown) === null)) return thrown;
    const own = reasonOf(thrown) ?? GIVES_UP;
    try {
      this.exchange(Float64Array.of(own));
      return thrown;
    } catch (agreed) {
      return own === this.worst ? thrown : agreed;
    }
  }

  private worst = 0;

  private exchange(message: Float64Array): Float64Array[] {
    this.isAgreeing = true;
    const bytes = new Uint8Array(message.buffer, message.byteOffset, message.byteLength);
    const told = this.team
      .gather('weigh particles', bytes)
      .map(({ buffer, byteOffset, byteLength }) => new Float64Array(buffer, byteOffset, byteLength / 8));
    this.worst = Math.max(...told.map(([said]) => said));
    if (this.worst > END) throw otherWay(this.worst);
    this.isAgreeing = false;
    return told;
  }
}

/** What ends this way, as others are told of it; null if it ends the inference. */
function reasonOf(thrown: unknown): number | null {
  if (thrown instanceof DrawsElsewhere) return DRAWS_ELSEWHERE;
  if (thrown instanceof OutOfStep || thrown instanceof Diverged) return OUT_OF_STEP;
  return thrown instanceof OneByOne ? GIVES_UP : null;
}

function otherWay(said: number): OneByOne {
  if (said === DRAWS_ELSEWHERE) return new DrawsElsewhere('outside', 'something is drawn that is no choice');
  if (said === OUT_OF_STEP) return new OutOfStep('courses', 'they part on another rank');
  return new OneByOne('courses', 'another rank cannot go on side by side');
}
