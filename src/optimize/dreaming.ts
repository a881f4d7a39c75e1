/** The first half of a dream: the model makes up data. */
import { followed, guideOf } from '../guides/guide-of.ts';
import type { Model } from '../inference/algorithm.ts';
import type { Address } from '../runtime/address.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { abandoned, type Entry } from '../runtime/execution.ts';
import type { DataGiven, DataPass, Distribution, Handler, SampleOptions } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import type { RandomStream } from '../runtime/random.ts';
import { DreamtDatum } from './dreamt-datum.ts';
import { ObservedPlaces } from './observed-places.ts';

/** What one `mapData` dreamt: the data it took for examples, and what became of them. */
interface DreamtPass {
  readonly indices: ArrayLike<number>;
  /** How many data there are. */
  readonly length: number;
  readonly data: DreamtDatum[];
}

/** Data made up by the model, with the choices behind them. */
export interface Dream {
  readonly values: ReadonlyMap<Address, unknown>;
  readonly passes: ReadonlyMap<Address, DreamtPass>;
  /** Passes that are not inside others, in order. */
  readonly outermost: readonly DreamtPass[];
}

/**
 * Lets the model make up data. At first it is shown real data, and what it has read of them before it observed them stays
 * real. So it runs again, shown what it made up, with the same random numbers, until it makes up what it is shown: what
 * is observed first is right after one run, what depends on it after two, and so on.
 */
export function dreamOnce(model: Model<unknown>, entry: Entry, stream: RandomStream): Dream {
  return untilAgreed((earlier, places) => dreamt(new Dreaming(places, earlier), model, entry, stream));
}

/** What a model returns for a datum that it made up, and the datum. */
interface DatumDream {
  readonly value: unknown;
  readonly datum: unknown;
}

/**
 * Lets a model that is given a datum make it up. `model` is called with a function that it gives the example to, and that gives the
 * datum to go on with. All choices are drawn from the model. `owner` is named in errors.
 */
export function dreamDatum(
  owner: string,
  model: (show: (example: unknown) => unknown) => unknown,
  entry: Entry,
  stream: RandomStream,
): DatumDream {
  const { value, datum } = untilAgreed<DatumDreaming>((earlier, places) => {
    const dreaming = new DatumDreaming(places, earlier, owner);
    return dreamt(dreaming, () => model((example) => dreaming.show(example)), entry, stream);
  });
  return { value, datum: datum?.value };
}

function untilAgreed<D extends Dreaming>(dreamAgain: (earlier: D | undefined, places: ObservedPlaces) => D): D {
  const places = new ObservedPlaces();
  let dream = dreamAgain(undefined, places);
  for (let runs = 0; ; runs++) {
    const next = dreamAgain(dream, places);
    if (next.agrees(dream)) return next;
    if (runs > 2 * dream.observations) {
      throw new WaymarkError(
        `${dream.name} cannot make up data for this model: what it observes depends on the value that it observes, or it reads ` +
          'several equal values before it observes them. Read what is observed where it is observed, as in ' +
          'observe(distribution, datum.y).',
      );
    }
    dream = next;
  }
}

function dreamt<D extends Dreaming>(dreaming: D, model: Model<unknown>, entry: Entry, stream: RandomStream): D {
  dreaming.value = entry.execute(dreaming, model, stream.again());
  if (dreaming.value === abandoned) throw new Error('a dream was abandoned');
  return dreaming;
}

/**
 * Choices outside `mapData` are drawn from their guides, those inside from the model, and what is observed is drawn
 * from the distribution it is observed under.
 */
class Dreaming implements Handler, Dream {
  readonly synthesises = true;
  readonly name: string = 'dream';
  readonly guided = true;
  readonly values = new Map<Address, unknown>();
  readonly passes = new Map<Address, DreamtPass>();
  readonly outermost: DreamtPass[] = [];
  observations = 0;
  /** What the model returned. */
  value: unknown;
  /** The data that are being made up, the innermost last, with the addresses of their iterations. */
  protected readonly current: { readonly datum: DreamtDatum; readonly base: Address }[] = [];

  /** `earlier` is what was made up before, and is shown in the place of real data. */
  constructor(
    protected readonly observedPlaces: ObservedPlaces,
    protected readonly earlier?: Dreaming,
  ) {}

  sample<V>(target: Distribution<V>, options: SampleOptions<V> | undefined, given: Address): V {
    const address = given.choice(machine.execution);
    const local = this.current.length > 0;
    const source = local ? target : (guideOf(target, options, address) ?? target);
    const value = source.draw(machine.stream.begin());
    followed(source)?.chosen(value);
    this.values.set(address, value);
    return value;
  }

  /** The datum that is being made up, or the dream as a whole. */
  get here(): object {
    return this.current.at(-1) ?? this;
  }

  /** What `mem` remembers belongs to the place where the function was given to it, whichever datum asks first. */
  remembering<T>(home: object | undefined, work: () => T): T {
    const inside = this.current.splice(this.current.indexOf(home as never) + 1);
    try {
      return work();
    } finally {
      this.current.push(...inside);
    }
  }

  factor(): never {
    throw new WaymarkError(
      `${this.name} makes up data, and so needs to know how they come about: the model must use observe, not factor or condition.`,
    );
  }

  observe<V>(distribution: Distribution<V>, value: V, address: Address): void {
    if (this.current.length === 0) throw this.outside();
    this.observations++;
    const dream = distribution.draw(machine.stream.begin());
    for (let i = this.current.length - 1; i >= 0; i--) {
      const { datum, base } = this.current[i];
      if (datum.observed(value, dream, address.relativeTo(base))) return;
    }
    throw this.unknownPlace(value);
  }

  protected outside(): WaymarkError {
    return new WaymarkError(
      'dream makes up the data that mapData goes through; the model must not observe anything outside mapData.',
    );
  }

  protected unknownPlace(value: unknown): WaymarkError {
    return new WaymarkError(
      `dream cannot tell where in the datum the observed value ${describe(value)} comes from. ` +
        'Inside mapData, observe the datum or a field of it as it stands, not something computed from it.',
    );
  }

  /** Whether it made up the same as another. */
  agrees({ passes }: Dreaming): boolean {
    if (passes.size !== this.passes.size) return false;
    for (const [address, { data }] of this.passes) {
      const theirs = passes.get(address)?.data;
      if (theirs?.length !== data.length || !data.every((datum, i) => datum.agrees(theirs[i]))) return false;
    }
    return true;
  }

  mapData(length: number, _batchSize: number | undefined, address: Address, given: DataGiven): DataPass {
    // Data that are a part of a datum are dreamt with it.
    if (this.current.some(({ datum }) => datum.has(given.data))) return { enter() {}, leave() {}, finish() {} };
    const outer = this.current.length === 0;
    const indices = outer ? examples(length, given.dreamBatchSize ?? 1) : all(length);
    const pass: DreamtPass = { indices, length, data: [] };
    this.passes.set(address, pass);
    if (outer) this.outermost.push(pass);
    const areAll = pass.indices.length === length;
    return {
      indices: areAll ? undefined : pass.indices,
      withheld: areAll ? undefined : notDreamt(this.name),
      enter() {},
      datum: (_index, datum) => {
        const earlier = this.earlier?.passes.get(address)?.data[pass.data.length];
        const dreamt = new DreamtDatum(datum, this.observedPlaces, earlier);
        pass.data.push(dreamt);
        this.current.push({ datum: dreamt, base: machine.address });
        return dreamt.shown;
      },
      leave: () => {
        this.current.pop();
      },
      finish() {},
    };
  }
}

/** The model is given one datum, which it makes up; data of `mapData` that are no part of it are left as they are. */
class DatumDreaming extends Dreaming {
  datum: DreamtDatum | undefined;

  constructor(
    places: ObservedPlaces,
    private readonly before: DatumDreaming | undefined,
    override readonly name: string,
  ) {
    super(places, before);
  }

  show(example: unknown): unknown {
    this.datum = new DreamtDatum(example, this.observedPlaces, this.before?.datum);
    this.current.push({ datum: this.datum, base: machine.address });
    return this.datum.shown;
  }

  override agrees(other: DatumDreaming): boolean {
    const [own, theirs] = [this.datum, other.datum];
    return own === undefined || theirs === undefined ? own === theirs : own.agrees(theirs);
  }

  override mapData(): DataPass {
    return { enter() {}, leave() {}, finish() {} };
  }

  protected override outside(): WaymarkError {
    return new WaymarkError(`${this.name}: the model observes something before it comes to its data.`);
  }

  protected override unknownPlace(value: unknown): WaymarkError {
    return new WaymarkError(
      `${this.name} makes up data, and the model observes ${describe(value)}, which is no part of them as it stands. Let the model ` +
        'be a function of all its data, and observe these or fields of them, not constants or what was computed from them.',
    );
  }
}

const all = (length: number): number[] => Array.from({ length }, (_, i) => i);

/**
 * The data that a dream takes for examples. Each is taken once: the choices of a datum, and its random numbers, are known by its index. Where
 * more are asked for than there are, as WebPPL allows, all are taken.
 */
function examples(length: number, asked: number): ArrayLike<number> {
  if (length === 0) throw new WaymarkError('dream needs at least one datum in mapData, as an example of its form.');
  const count = Math.min(asked, length);
  if (asked > length) {
    const data = length === 1 ? 'is one datum' : `are ${length} data`;
    machine.run.warn(
      `mapData: dreamBatchSize is ${asked}, and there ${data}: a dream makes up ${length}, since it takes each datum for an example once. For ` +
        `more in a step make more dreams, as in {dream: {samples: ${Math.ceil(asked / length)}}}, {RWS: {dreams: …}} or {wakeSleep: {dreams: …}}.`,
    );
  }
  const random = machine.stream.named('examples').begin();
  // By Floyd’s algorithm: each is as probable, and none comes twice.
  const taken = new Set<number>();
  for (let last = length - count; last < length; last++) {
    const index = random.integer(last + 1);
    taken.add(taken.has(index) ? last : index);
  }
  return [...taken].sort((a, b) => a - b);
}

/** What `mapData` gives where some of its data alone are made up. */
function notDreamt(name: string): readonly unknown[] {
  const look = (): never => {
    throw new WaymarkError(
      `The program uses what mapData returns, and ${name} makes up some of the data alone (dreamBatchSize), without results of the others. ` +
        'Objectives with dreams are for models in which what follows does not depend on single data: put what uses the results into ' +
        'mapData, or take ELBO, IWAE or RWS without dreams.',
    );
  };
  return new Proxy([], { get: look, has: look, ownKeys: look, getOwnPropertyDescriptor: look });
}
