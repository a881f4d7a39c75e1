import type { Random, RandomStream } from '../runtime/random.ts';
import { OneByOne } from '../runtime/signals.ts';

/**
 * The random streams of all lanes, moved on together: each lane draws just what it would draw alone. It takes the place
 * of `machine.stream` while lanes run. Streams are made when a number is first needed.
 */
export class LaneStreams implements Random {
  private made: RandomStream[] | null = null;
  private begun = 0;

  constructor(
    readonly size: number,
    private readonly make: (lane: number) => RandomStream,
    /** For the iterations of one construct: the streams of another iteration. */
    private readonly other?: (index: number) => LaneStreams,
  ) {}

  /** The stream of one lane, at the current choice. */
  lane(i: number): RandomStream {
    if (this.made === null) {
      this.made = Array.from({ length: this.size }, (_, lane) => {
        const stream = this.make(lane);
        for (let k = 0; k < this.begun; k++) stream.begin();
        return stream;
      });
    }
    return this.made[i];
  }

  /** The streams of all lanes. */
  get all(): readonly RandomStream[] {
    if (this.size > 0) this.lane(0);
    return this.made ?? [];
  }

  begin(): this {
    this.begun++;
    if (this.made !== null) for (const stream of this.made) stream.begin();
    return this;
  }

  occurrence(): number {
    this.begin();
    return this.begun;
  }

  retract(): void {
    this.begun--;
    if (this.made !== null) for (const stream of this.made) stream.retract();
  }

  /** Goes to the given choice. */
  goTo(choice: number): this {
    this.begun = choice;
    if (this.made !== null) for (const stream of this.made) stream.goTo(choice);
    return this;
  }

  child(occurrence: number, index: number): LaneStreams {
    return new LaneStreams(
      this.size,
      (lane) => this.lane(lane).child(occurrence, index),
      (other) => this.child(occurrence, other),
    );
  }

  sibling(index: number): LaneStreams {
    if (this.other === undefined) throw new OneByOne('a construct asked for the stream of another iteration');
    return this.other(index);
  }

  named(name: string): LaneStreams {
    return new LaneStreams(this.size, (lane) => this.lane(lane).named(name));
  }

  get used(): boolean {
    return this.begun > 0;
  }

  uniform(): never {
    throw new OneByOne('a random number was drawn outside any choice');
  }

  gaussian(): never {
    return this.uniform();
  }

  integer(): never {
    return this.uniform();
  }
}

/** `machine.stream` while lanes run. */
export function asStream(streams: LaneStreams): RandomStream {
  return streams as unknown as RandomStream;
}
