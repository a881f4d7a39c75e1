/**
 * How much memory arrays of numbers hold. JavaScript says nothing of that, and a program runs to its end before anything else may
 * happen, finalisers included. So that buffers can be asked whether they live, each has _tokens_: objects that nothing else
 * holds (a WeakMap leads to them), and weak references to them, all made before the program began, since a weak reference keeps what it
 * was made for, or gave, until the program gives way. A token can therefore be asked once, and a buffer has several.
 */

/** How often a buffer can be asked. */
const QUESTIONS = 5;
/** Buffers that can be followed in one run. */
const MOST_FOLLOWED = 2000;
/** The first this many bytes; then twice as many after so many buffers, that long runs do not use up what can be followed. */
const FIRST_STEP = 2 ** 20;
const BEFORE_LONGER = 250;

/** Bytes that no host gives. It looks for garbage before it says so, which is the only way to have it look. */
const IMPOSSIBLE = 2 ** 33;
/** As it is before anybody puts another in its place. */
const HostBuffer = ArrayBuffer;

interface Entry {
  bytes: number;
  readonly tokens: WeakRef<object>[];
  /** Collections since it was made, and the one at which it is asked next. */
  age: number;
  due: number;
}

/** Thrown where a program asks for more. It is a RangeError, as the host's own is, and its words are the whole message. */
export class OutOfMemory extends RangeError {
  override name = 'Error';
}

export class MemoryLedger {
  private readonly owned = new WeakMap<object, readonly object[]>();
  private spare: { readonly held: object[]; readonly tokens: WeakRef<object>[] }[] = [];
  private entries: Entry[] = [];
  /** Bytes of those that are followed, as far as is known. */
  private held = 0;
  /** Bytes since the last buffer that is followed. */
  private unnoted = 0;
  private step = FIRST_STEP;
  /** At which the next one is: about `step`, and never in step with a program's own rhythm. */
  private next = FIRST_STEP;
  private followed = 0;

  /** `limit` in bytes. */
  constructor(public limit: number) {
    for (let i = 0; i < MOST_FOLLOWED; i++) {
      const held = Array.from({ length: QUESTIONS }, () => ({}));
      this.spare.push({ held, tokens: held.map((token) => new WeakRef(token)) });
    }
  }

  /**
   * Asked before memory is taken: refuses what is too much, and says whether it is to be noted. Of small pieces only some are, each for
   * all since the last.
   */
  admit(bytes: number): boolean {
    this.unnoted += bytes;
    if (this.unnoted < this.next) return false;
    if (bytes <= this.limit && this.held + this.unnoted > this.limit) this.collect();
    if (bytes <= this.limit && this.held + this.unnoted <= this.limit) return true;
    this.unnoted -= bytes;
    throw new OutOfMemory(this.refusal(bytes));
  }

  /** Notes what has been taken, as part of `owner`. */
  note(owner: object): void {
    const bytes = this.unnoted;
    this.unnoted = 0;
    if (++this.followed % BEFORE_LONGER === 0) this.step = Math.min(2 * this.step, this.limit / 16);
    this.next = this.step * (0.5 + ((this.followed * 0.618034) % 1));
    const spare = this.spare.pop();
    // Beyond what can be followed the browser's own limit is what there is.
    if (spare === undefined) return;
    this.owned.set(owner, [...(this.owned.get(owner) ?? []), ...spare.held]);
    this.entries.push({ bytes, tokens: spare.tokens, age: 0, due: 1 });
    this.held += bytes;
  }

  /** Has the host look for garbage, and forgets what it found. */
  private collect(): void {
    try {
      new HostBuffer(IMPOSSIBLE);
    } catch {
      // As expected.
    }
    this.entries = this.entries.filter((entry) => this.lives(entry));
    this.held = this.entries.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  private lives(entry: Entry): boolean {
    if (++entry.age < entry.due) return true;
    entry.due *= 2;
    // One that cannot be asked any more is taken to live.
    const token = entry.tokens.pop();
    return token === undefined || token.deref() !== undefined;
  }

  private refusal(bytes: number): string {
    const first =
      bytes > this.limit
        ? `The program asks for ${megabytes(bytes)} at once`
        : `The program holds ${megabytes(this.held)} in arrays of numbers and tensors, and asks for more`;
    return (
      `Out of memory. ${first}; the limit here is ${megabytes(this.limit)}. Use fewer samples, smaller data or smaller ` +
      'batches, or run it by the command (waymark run), which has the memory of the machine.'
    );
  }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20).toLocaleString('en-US')} MB`;
