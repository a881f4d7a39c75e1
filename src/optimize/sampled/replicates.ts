/**
 * Runs what belongs to a datum several times: samples, which share everything that came before the data pass and have
 * random numbers of their own. They are lanes within those of the data, or run one after the other.
 */
import { currentLanes } from '../../lanes/lanes.ts';
import { recording } from '../../lanes/recording.ts';
import { hasWritten, LaneStore } from '../../lanes/store.ts';
import type { LaneStreams } from '../../lanes/streams.ts';
import { type Following, type Iteration, runTogether } from '../../lanes/together.ts';
import type { Address } from '../../runtime/address.ts';
import { atDatum } from '../../runtime/datum-error.ts';
import type { DataPass } from '../../runtime/handler.ts';
import { Iterations } from '../../runtime/iteration.ts';
import { during, machine } from '../../runtime/machine.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { Entangled, OneByOne } from '../../runtime/signals.ts';
import { endedBy } from '../ended-ways.ts';
import { notOpen } from '../open-steps.ts';
import type { PassEvent, Strand } from '../record.ts';
import type { StepContext } from '../step-context.ts';

/** What samples need of the execution that they are part of. */
interface Recorder {
  readonly here: Strand;
  /** Has the record of each group of lanes go to a strand of its own. */
  into(strands: Strand[]): Pick<Following, 'enter' | 'leave'>;
  /** Records in another strand for a while. */
  within<T>(strand: Strand, work: () => T): T;
  readonly context: Pick<StepContext, 'apart' | 'found'>;
}

export class Replicates {
  /** Whether a sample is being made. */
  inside = false;
  /** Strands of samples in which a function was given to `mem`. */
  private readonly homes = new WeakSet<object>();

  constructor(
    private readonly count: number,
    private readonly recorder: Recorder,
  ) {}

  /** A function is given to `mem` in a strand. */
  isHome(strand: Strand): void {
    if (this.inside) this.homes.add(strand);
  }

  /** Called where `mem` is asked: a sample must not make choices that other samples share. */
  asks(home: object | undefined): void {
    if (this.inside && (home === undefined || !this.homes.has(home))) {
      throw new Entangled('a datum is the first to ask for what mem remembers');
    }
  }

  /** A data pass in which each datum has its samples. */
  around(pass: DataPass, address: Address): DataPass {
    const place = address.at('samples');
    const together: DataPass['together'] = (data, body) => {
      const sampled = (datum: unknown, index: unknown): unknown => {
        this.sample(place, () => (body as (datum: unknown, index: unknown) => unknown)(datum, index));
        return undefined;
      };
      if (pass.together?.(data, sampled as never) === undefined) this.oneAfterTheOther(pass, data, sampled);
      return hidden() as never[];
    };
    return { ...pass, together };
  }

  private oneAfterTheOther(
    pass: DataPass,
    data: ArrayLike<unknown>,
    body: (datum: unknown, index: unknown) => unknown,
  ): void {
    const { indices } = pass;
    const iterations = new Iterations();
    let i = 0;
    try {
      for (let k = 0; k < (indices?.length ?? data.length); k++) {
        i = indices === undefined ? k : indices[k];
        pass.enter(i);
        iterations.enter(i);
        body(data[i], i);
        pass.leave();
      }
    } catch (thrown) {
      throw atDatum(thrown, i);
    } finally {
      iterations.leave();
    }
    pass.finish();
  }

  /** The samples of the datum at hand, or, in lanes, of that of each lane. */
  private sample(address: Address, body: () => unknown): void {
    const { here, context } = this.recorder;
    const event: PassEvent = { kind: 'pass', address, scale: 1, items: [], sampled: { count: this.count } };
    here.events.push(event);
    const occurrence = machine.stream.occurrence();
    const whole = (): void => {
      body();
      if (hasWritten(machine.store)) throw new Entangled('a datum writes to globalStore');
    };
    this.inside = true;
    try {
      const alone = context.apart || context.found.oneByOne.has(address);
      if (alone || !this.sideBySide(event, whole, occurrence)) this.oneByOne(event, whole, occurrence);
    } finally {
      this.inside = false;
    }
  }

  /** Whether that works; if it does not, nothing has happened. */
  private sideBySide(event: PassEvent, body: () => void, occurrence: number): boolean {
    const { recorder, count } = this;
    const { disagreements, oneByOne } = recorder.context.found;
    const lanes = currentLanes();
    const { stream, effects } = machine;
    const size = lanes === null ? 1 : lanes.size;
    const length = size * count;
    const sampleOf = (place: number): number => place % count;
    const laneOf = (place: number): number => Math.floor(place / count);
    const iterations: Iteration = {
      data: new Array<undefined>(length).fill(undefined),
      indices: Int32Array.from({ length }, (_, place) => sampleOf(place)),
      outerLanes: Int32Array.from({ length }, (_, place) => laneOf(place)),
      executions: (place): RandomStream =>
        lanes === null
          ? stream.child(occurrence, sampleOf(place))
          : (stream as unknown as LaneStreams).laneChild(laneOf(place), occurrence, sampleOf(place)),
    };
    const look = (): never => {
      throw new Entangled(USES_RESULTS);
    };
    for (;;) {
      try {
        const following = { ...recorder.into(event.items), look };
        const { groups } = runTogether(iterations, body, following, disagreements.at(event.address));
        disagreements.ran(event.address, groups, event.items);
        return true;
      } catch (thrown) {
        if (thrown instanceof OneByOne && thrown.noted) throw thrown;
        // What cannot be recorded with open lanes may well be run.
        if (recording.current?.isOpen) throw notOpen(thrown);
        event.items.length = 0;
        machine.effects = effects;
        const reason = endedBy(thrown);
        if (disagreements.failed(event.address, reason)) continue;
        // Within lanes of data, those have to be looked at one by one.
        if (lanes !== null) throw thrown;
        oneByOne.set(event.address, reason);
        return false;
      }
    }
  }

  private oneByOne(event: PassEvent, body: () => void, occurrence: number): void {
    const { address, stream, store } = machine;
    for (let k = 0; k < this.count; k++) {
      const strand: Strand = { events: [] };
      event.items.push(strand);
      const own = stream.child(occurrence, k);
      // (Its choices are met for the first time, and have the names that those of other samples have.)
      const execution = ++machine.executions;
      const change = { address, stream: own, origin: own, execution, store: new LaneStore(store).store };
      this.recorder.within(strand, () => during(change, body));
    }
  }
}

const USES_RESULTS = 'the program uses what mapData returns';

/** The value of a pass that must not be read: there is one for each sample. */
function hidden(): unknown[] {
  const look = (): never => {
    throw new Entangled(USES_RESULTS);
  };
  return new Proxy([], { get: look, has: look, ownKeys: look, getOwnPropertyDescriptor: look });
}
