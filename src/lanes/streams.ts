import type { Random, RandomStream, StreamName } from '../runtime/random.ts';
import { OneByOne } from '../runtime/signals.ts';
import { expandTo } from '../tensor/elementwise/record.ts';
import { gatherTo } from '../tensor/lane-gather.ts';
import type { LaneSpace } from '../tensor/lane-space.ts';
import { constant, toNode } from '../tensor/leaves.ts';
import type { Node } from '../tensor/node.ts';
import { add, mergeLanes } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';

/**
 * The random streams of all lanes, moved on together: each lane draws just what it would draw alone. It takes the place
 * of `machine.stream` while lanes run. Streams are made when a number is first needed.
 */
export class LaneStreams implements Random, Record<keyof RandomStream, unknown> {
  private made: RandomStream[] | null = null;
  private begun = 0;
  /** For each lane, how many more choices it has begun than `begun` says, where that is not the same for all. */
  private ahead: Int32Array | null = null;

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
    if (!this.isSettled) throw new OneByOne('courses', 'iterations are inside a conditional');
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
    this.made?.forEach((stream, lane) => {
      stream.goTo(choice + (this.ahead === null ? 0 : this.ahead[lane]));
    });
    return this;
  }

  /** The streams of the lanes at these places, which go on from where they are. Afterwards `rejoined` is to be called. */
  some(places: Int32Array): LaneStreams {
    const { all, ahead } = this;
    const some = new LaneStreams(places.length, this.make);
    some.made = new Array(places.length);
    for (let i = 0; i < places.length; i++) some.made[i] = all[places[i]];
    some.begun = this.begun;
    some.ahead = ahead === null ? null : places.map((place) => ahead[place]);
    return some;
  }

  /** With open lanes: the choice that each is at, before those of `begun` are added. Null where it is `begun` for all. */
  private base: Node | null = null;
  private space: LaneSpace | null = null;
  /** On a side: the streams of all lanes around it, those of an iteration where it is in one. */
  whole: LaneStreams = this;

  /** The same for a side of a conditional that is recorded with open lanes. */
  someOpen(places: Int32Array, space: LaneSpace): LaneStreams {
    if (this.ahead !== null) {
      // Some lanes have gone on by themselves before: the sides are told by how much.
      this.base = constant(Float64Array.from(this.ahead), SCALAR, space.parent);
      this.ahead = null;
    }
    const some = this.some(places);
    some.whole = this.whole;
    some.ahead = null;
    some.base = this.base === null ? null : gatherTo(this.base, space);
    some.space = space;
    return some;
  }

  /** Whether it is known which choices lanes are at without knowing which sides of conditionals they took. */
  get isSettled(): boolean {
    return this.base === null && this.space === null;
  }

  /** The choice that each lane is at, as a value of the space. */
  choiceIn(space: LaneSpace): Node {
    const own = this.ahead === null ? this.base : constant(Float64Array.from(this.ahead), SCALAR, space);
    return expandTo(toNode(add(own ?? 0, this.begun)), SCALAR, space);
  }

  /** The lanes have taken these sides, on which it became unknown at which choices they are. */
  rejoinedUnsettled(
    sides: readonly { readonly streams: LaneStreams; readonly space: LaneSpace }[],
    around: LaneSpace,
  ): void {
    this.base = mergeLanes(
      around,
      sides.map(({ streams, space }) => ({ value: streams.choiceIn(space), space })),
    );
    this.begun = 0;
    this.ahead = null;
  }

  /** The lanes have taken these sides, which were recorded with open lanes. */
  rejoinedOpen(sides: readonly LaneStreams[], around: LaneSpace): void {
    const [first] = sides;
    const inside = (side: LaneStreams): Node | null => (this.base === null ? null : gatherTo(this.base, side.space!));
    if (sides.every((side) => side.base === inside(side) && side.begun === first.begun)) this.begun = first.begun;
    else
      this.rejoinedUnsettled(
        sides.map((side) => ({ streams: side, space: side.space! })),
        around,
      );
    this.ahead = null;
    // (Where this is for all lanes the same, random numbers are drawn by these.)
    if (this.base === null) this.goTo(this.begun);
  }

  /** Which choice each lane is at; `back` returns there. */
  get positions(): Int32Array {
    const { all } = this;
    const positions = new Int32Array(all.length);
    for (let lane = 0; lane < all.length; lane++) positions[lane] = all[lane].position;
    return positions;
  }

  back(positions: Int32Array): void {
    this.all.forEach((stream, lane) => {
      stream.goTo(positions[lane]);
    });
    this.rejoined();
  }

  /** Some of the lanes have gone on by themselves. */
  rejoined(): void {
    const { positions } = this;
    const [begun] = positions;
    let same = true;
    for (let lane = 0; lane < positions.length; lane++) {
      positions[lane] -= begun;
      same &&= positions[lane] === 0;
    }
    this.begun = begun;
    this.ahead = same ? null : positions;
  }

  child(occurrence: number, index: number): LaneStreams {
    const { ahead } = this;
    const streams = new LaneStreams(
      this.size,
      (lane) => this.lane(lane).child(occurrence + (ahead === null ? 0 : ahead[lane]), index),
      (other) => this.child(occurrence, other),
    );
    if (this.space !== null) {
      // On a side that is recorded with open lanes: of an iteration that began before it.
      streams.space = this.space;
      streams.whole = this.whole.child(occurrence, index);
    }
    return streams;
  }

  /** The stream of an iteration of a construct that one of the lanes has come to. */
  laneChild(lane: number, occurrence: number, index: number): RandomStream {
    return this.lane(lane).child(occurrence + (this.ahead === null ? 0 : this.ahead[lane]), index);
  }

  sibling(index: number): LaneStreams {
    if (this.other === undefined)
      throw new OneByOne('outside', 'a construct asked for the stream of another iteration');
    return this.other(index);
  }

  aside(): LaneStreams {
    if (!this.isSettled) throw new OneByOne('courses', 'iterations are inside a conditional');
    return new LaneStreams(this.size, (lane) => this.lane(lane).aside());
  }

  named(name: string | StreamName): LaneStreams {
    return new LaneStreams(this.size, (lane) => this.lane(lane).named(name));
  }

  get used(): boolean {
    return this.begun > 0;
  }

  uniform(): never {
    throw new OneByOne('outside', 'a random number was drawn outside any choice');
  }

  gaussian(): never {
    return this.uniform();
  }

  integer(): never {
    return this.uniform();
  }

  // What there is of a single stream. Executions of an inference have one each: within lanes, each lane makes an inference of its own.

  get key(): never {
    return ofOne();
  }

  get position(): never {
    return ofOne();
  }

  get descent(): never {
    return ofOne();
  }

  get drawn(): never {
    return ofOne();
  }

  get stretch(): never {
    return ofOne();
  }

  get again(): never {
    return ofOne();
  }

  get apart(): never {
    return ofOne();
  }

  get replica(): never {
    return ofOne();
  }

  get restart(): never {
    return ofOne();
  }

  get enter(): never {
    return ofOne();
  }

  get place(): never {
    return ofOne();
  }

  get skipTo(): never {
    return ofOne();
  }

  get adopt(): never {
    return ofOne();
  }

  get forgetKey(): never {
    return ofOne();
  }
}

function ofOne(): never {
  throw new OneByOne('inference', 'each has an inference of its own');
}

/** `machine.stream` while lanes run. */
export function asStream(streams: LaneStreams): RandomStream {
  return streams as unknown as RandomStream;
}
