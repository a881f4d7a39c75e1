/**
 * Counter-based random numbers. A number is a pure function of (key, choice, block), so a lane draws the same numbers
 * whether it runs alone or beside a thousand others, on one thread or on many.
 */
import { normalOf, uniformOf } from '../tensor/normals.ts';
import { philox } from '../tensor/philox.ts';

/** Counter word 3 separates the uses of one key, so that a child's key is never also a random number. */
const PURPOSE_DRAW = 0;
const PURPOSE_CHILD = 1;
const PURPOSE_SEED = 2;
const PURPOSE_NAMED = 3;

/** What a sampler may ask for. Every number belongs to the current choice of the stream. */
export interface Random {
  /** Uniform on the open interval (0, 1): neither end is ever returned. */
  uniform(): number;
  /** Standard normal. */
  gaussian(): number;
  /** Uniform on 0 … n − 1. */
  integer(n: number): number;
}

/** The name of a stream, kept by callers that need it often. */
export class StreamName {
  readonly hash0: number;
  readonly hash1: number;

  constructor(name: string) {
    // Two independent 32-bit hashes (FNV-1a, and one with another prime and start), a 64-bit name together.
    let hash0 = 0x811c9dc5 | 0;
    let hash1 = 0x9e3779b9 | 0;
    for (let i = 0; i < name.length; i++) {
      const code = name.charCodeAt(i);
      hash0 = Math.imul(hash0 ^ code, 0x01000193);
      hash1 = Math.imul((hash1 ^ code) + ((hash1 << 13) | (hash1 >>> 19)), 0x85ebca6b);
    }
    this.hash0 = hash0;
    this.hash1 = hash1;
  }
}

/**
 * The random numbers of one lane. `begin` starts the next choice; the numbers of a choice are counted from zero,
 * so a sampler that rejects, and takes more of them than expected, does not shift what later choices see.
 */
export class RandomStream implements Random {
  /** Choices begun and children made so far. */
  private choice: number;
  private blocks: number;
  private unread: number;
  /** The words of the number drawn last, and those of the next one while it is `unread`. */
  private high: number;
  private low: number;
  private word2: number;
  private word3: number;
  private key0: number;
  private key1: number;
  /** The third word of the counter: which stretch of an execution, where these have numbers of their own. */
  private epoch: number;
  /** A child derives its key when it is first needed: most iterations of a map make no choice at all. */
  private keyed: boolean;

  // Fields are written here and not where they are declared, which would be a function of its own to V8: streams are
  // made in great numbers.
  private constructor(
    private readonly parent: RandomStream | null,
    private readonly purpose: number,
    private readonly word: number,
    private index: number,
  ) {
    this.choice = 0;
    this.blocks = 0;
    this.unread = 0;
    this.high = 0;
    this.low = 0;
    this.word2 = 0;
    this.word3 = 0;
    this.key0 = 0;
    this.key1 = 0;
    this.epoch = 0;
    this.keyed = false;
  }

  /** The root stream of a run. Any finite number is a seed. */
  static fromSeed(seed: number): RandomStream {
    const bits = new Int32Array(new Float64Array([seed]).buffer);
    const words = philox(bits[0], bits[1], 0, PURPOSE_SEED, 0, 0);
    const stream = new RandomStream(null, PURPOSE_SEED, 0, 0);
    stream.key0 = words[0];
    stream.key1 = words[1];
    stream.keyed = true;
    return stream;
  }

  /** Starts the next choice. */
  begin(): this {
    this.choice++;
    this.blocks = 0;
    this.unread = 0;
    return this;
  }

  /** Reserves a number for a construct with children (a map, an inference): the first argument of `child`. */
  occurrence(): number {
    this.begin();
    return this.choice;
  }

  /** Gives back the number reserved last: the construct starts over. */
  retract(): void {
    this.choice--;
  }

  /** The stream of the index-th iteration of the construct that reserved `occurrence`. */
  child(occurrence: number, index: number): RandomStream {
    return new RandomStream(this, PURPOSE_CHILD, occurrence, index);
  }

  /** The stream of another iteration, in place of this one, where this one was not kept. */
  restart(index: number): this {
    this.index = index;
    this.keyed = false;
    this.choice = 0;
    this.blocks = 0;
    this.unread = 0;
    return this;
  }

  /** The stream of another iteration of the same construct: this very object, as long as it was not used. */
  sibling(index: number): RandomStream {
    if (this.choice !== 0 || this.keyed) return new RandomStream(this.parent, this.purpose, this.word, index);
    this.index = index;
    return this;
  }

  /** Whether anything was drawn from this stream or from one made from it. */
  get used(): boolean {
    return this.keyed;
  }

  /** The same stream from its beginning: an execution with it draws what was drawn before. */
  again(): RandomStream {
    const stream = new RandomStream(this.parent, this.purpose, this.word, this.index);
    stream.key0 = this.key0;
    stream.key1 = this.key1;
    stream.keyed = this.keyed;
    return stream;
  }

  /**
   * A stream of the same descent, with other streams in place of those that `replaced` names; what is made on the way
   * is added to it. To draw again what a choice draws, under another root.
   */
  replica(replaced: Map<RandomStream, RandomStream>): RandomStream {
    const known = replaced.get(this);
    if (known !== undefined) return known;
    const parent = this.parent === null ? null : this.parent.replica(replaced);
    const made = new RandomStream(parent, this.purpose, this.word, this.index);
    if (parent === null) made.adopt(this);
    replaced.set(this, made);
    return made;
  }

  /** Which iteration of which construct of another stream this is the stream of; undefined for all others. */
  get descent(): { readonly parent: RandomStream; readonly occurrence: number; readonly index: number } | undefined {
    if (this.purpose !== PURPOSE_CHILD || this.parent === null || this.index >= 2 ** 31) return undefined;
    return { parent: this.parent, occurrence: this.word, index: this.index };
  }

  /** The two words that its numbers are computed from. */
  get key(): readonly [number, number] {
    if (!this.keyed) this.deriveKey();
    return [this.key0, this.key1];
  }

  /** Which choice the stream is at. */
  get position(): number {
    return this.choice;
  }

  /** Numbers drawn in the current choice. */
  get drawn(): number {
    return 2 * this.blocks - this.unread;
  }

  /** The stretch of the execution it was told to be in. */
  get stretch(): number {
    return this.epoch;
  }

  /** Forgets its key, because an ancestor has another one now. */
  forgetKey(): void {
    if (this.parent !== null) this.keyed = false;
  }

  /** Takes over the key of another stream. */
  adopt(other: RandomStream): void {
    if (!other.keyed) other.deriveKey();
    this.key0 = other.key0;
    this.key1 = other.key1;
    this.keyed = true;
  }

  /** Goes to the start of a stretch of the execution, whose choices are counted from zero. */
  enter(epoch: number): this {
    this.epoch = epoch;
    this.choice = 0;
    return this;
  }

  /** Becomes the stream with this key, at this choice. */
  place(key0: number, key1: number, choice: number, epoch: number): this {
    this.key0 = key0;
    this.key1 = key1;
    this.keyed = true;
    this.epoch = epoch;
    this.choice = choice;
    this.blocks = 0;
    this.unread = 0;
    return this;
  }

  /** Goes on after so many numbers of the current choice, which were drawn elsewhere. */
  skipTo(number: number): void {
    this.blocks = number >> 1;
    this.unread = 0;
    if ((number & 1) === 1) this.advance();
  }

  /** Goes to the start of a choice. */
  goTo(choice: number): this {
    this.choice = choice - 1;
    return this.begin();
  }

  /** Draws what this one would draw from here on; it does not count as a use of this one. */
  apart(): RandomStream {
    const parent = this.keyed ? this.parent : (this.parent as RandomStream).apart();
    const stream = new RandomStream(parent, this.purpose, this.word, this.index);
    stream.key0 = this.key0;
    stream.key1 = this.key1;
    stream.keyed = this.keyed;
    stream.choice = this.choice;
    stream.epoch = this.epoch;
    return stream;
  }

  /** The stream that belongs to a name within this one, whatever was drawn before: see `mem`. */
  named(name: string | StreamName): RandomStream {
    const { hash0, hash1 } = typeof name === 'string' ? new StreamName(name) : name;
    return new RandomStream(this, PURPOSE_NAMED, hash0, hash1);
  }

  /** A stream for work that may be left out, because its result is known: whether it is done, the choices after it draw the same. */
  aside(): RandomStream {
    return this.named(`aside ${this.choice}`);
  }

  private deriveKey(): void {
    const parent = this.parent!;
    if (!parent.keyed) parent.deriveKey();
    const { index } = this;
    const words = philox(index | 0, this.word, (index / 4294967296) | 0, this.purpose, parent.key0, parent.key1);
    this.key0 = words[0];
    this.key1 = words[1];
    this.keyed = true;
  }

  /** Goes to the words of the next number; gives the number's place within the choice. */
  private advance(): number {
    if (this.unread === 1) {
      this.high = this.word2;
      this.low = this.word3;
      this.unread = 0;
      return 2 * this.blocks - 1;
    }
    if (!this.keyed) this.deriveKey();
    const words = philox(this.blocks++, this.choice, this.epoch, PURPOSE_DRAW, this.key0, this.key1);
    this.high = words[0];
    this.low = words[1];
    this.word2 = words[2];
    this.word3 = words[3];
    this.unread = 1;
    return 2 * this.blocks - 2;
  }

  uniform(): number {
    this.advance();
    return uniformOf(this.high, this.low);
  }

  gaussian(): number {
    const number = this.advance();
    return normalOf(this.high, this.low, this.key0, this.key1, this.choice, this.epoch, number);
  }

  integer(n: number): number {
    return Math.floor(this.uniform() * n);
  }
}
