/** Dreams: executions of a model that make up their data, many at a time. */
import { inKernelMemory, Words } from '../lanes/columns/kernel-memory.ts';
import { consecutive } from '../lanes/columns/kernels.ts';
import { attempt, executeTogether, inGroups, obstacle } from '../lanes/columns/run.ts';
import { ColumnStreams, executionKeys } from '../lanes/columns/streams.ts';
import { explain } from '../lanes/obstacles.ts';
import { DreamtDatum } from '../optimize/dreamt-datum.ts';
import { ObservedPlaces } from '../optimize/observed-places.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { abandoned, Entry } from '../runtime/execution.ts';
import { Reason } from '../runtime/reasons.ts';
import type { Share } from '../runtime/team.ts';
import { hasFields } from '../runtime/values.ts';
import { at, type Place, type TokenPlaces, tokensOf } from './data-shape.ts';
import { ColumnDreaming, Dreaming } from './dreaming.ts';
import { DreamtColumn, DreamtColumns, placeText, SEPARATOR } from './dreamt-columns.ts';
import type { ObservedSources } from './observed-sources.ts';
import { type Choice, Recorder } from './recorder.ts';
import { ownDreams } from './shared-dreams.ts';
import type { Sites } from './sites.ts';

/** Executions whose data have the same form. */
export interface DreamtForm {
  readonly lanes: ArrayLike<number>;
  readonly tokens: readonly TokenPlaces[];
  /** The values at a place of the data, one for each execution. */
  leaves(place: Place): ArrayLike<unknown>;
  /** The data of the i-th of them. */
  data(i: number): unknown;
}

/** Some dreams. */
export interface Dreams {
  readonly size: number;
  readonly choices: Choice[];
  /** The sum of the factors of each dream, its log-weight; −∞ for a dream that was given up. */
  readonly logWeights: Float64Array;
  readonly forms: DreamtForm[];
  /** What the model returned. */
  readonly values: unknown[];
  /** How much each dream counts in the objective, in place of its weight; may be negative. */
  readonly shares?: Float64Array;
  /**
   * For executions that a network proposed: the log of guide over prior. NaN for those that were drawn from the
   * prior. Undefined where a loop rejects.
   */
  readonly ratios?: Float64Array;
  /** The objective that is reported, where it is not the log-probability of the choices. */
  readonly objective?: number;
  /** For a rank's share of the dreams of a step: the largest log-weight among the dreams of all ranks. */
  readonly largest?: number;
}

export type AnyModel = (data: unknown) => unknown;

/** Dreams that share an example. */
interface Stretch extends Share {
  readonly example: unknown;
  readonly entry: Entry;
}

export class Dreamer {
  /** Leaves of the example that have been observed, and whether that is known yet. */
  private readonly observed = new Set<string>();
  private isKnown = false;
  private readonly places = new ObservedPlaces();
  /** Why dreams are dreamt one by one. */
  reason: Reason | null = null;

  constructor(
    private readonly model: AnyModel,
    private readonly exampleOf: () => unknown,
    /** Dreams that share an example. */
    private readonly perExample: number,
    private readonly sites: Sites,
    private readonly points: ReadonlySet<string>,
    /** At which places of the program each leaf of the data is observed. */
    private readonly sources: ObservedSources,
  ) {}

  /** Makes so many dreams. */
  dream(count: number): Dreams {
    return this.dreamShare(this.stretches(count), { first: 0, count });
  }

  /** This rank's share of a number of dreams. */
  dreamOwn(count: number): Dreams {
    const stretches = this.stretches(count);
    // All of them are used to find out what is observed.
    return ownDreams(this.sites, count, this.isKnown, (share) => this.dreamShare(stretches, share));
  }

  /**
   * The examples of a number of dreams, and where the dreams of each example begin. They do not depend on which of
   * the dreams are made.
   */
  private stretches(count: number): Stretch[] {
    const stretches: Stretch[] = [];
    for (let first = 0; first < count; first += this.perExample) {
      const example = this.exampleOf();
      stretches.push({ example, entry: new Entry(), first, count: Math.min(this.perExample, count - first) });
    }
    return stretches;
  }

  private dreamShare(stretches: readonly Stretch[], share: Share): Dreams {
    const dreams: Dreams = {
      size: share.count,
      choices: [],
      logWeights: new Float64Array(share.count).fill(-Infinity),
      forms: [],
      values: new Array(share.count),
    };
    for (const stretch of stretches) {
      const from = Math.max(stretch.first, share.first);
      const count = Math.min(stretch.first + stretch.count, share.first + share.count) - from;
      if (count > 0) this.dreamSome(stretch, { first: from - stretch.first, count }, from - share.first, dreams);
    }
    this.isKnown = true;
    return dreams;
  }

  /** Some dreams of a range, which are stored from `to` on. */
  private dreamSome({ example, entry }: Stretch, share: Share, to: number, dreams: Dreams): void {
    const { first, count } = share;
    if (this.reason === null) {
      const before = dreams.choices.length;
      const forms = dreams.forms.length;
      const result =
        obstacle(entry, Math.max(count, 16)) ??
        attempt(entry, () => this.together(entry, example, share, to, dreams), false, ALONE);
      if (!(result instanceof Reason)) return;
      this.reason = result;
      explain(entry, 'Amortize (dreams)', result, `dreams one by one, because ${result}`);
      dreams.choices.length = before;
      dreams.forms.length = forms;
    }
    for (let i = 0; i < count; i++) this.alone(entry, example, to + i, first + i, dreams);
  }

  /**
   * Executes the model for many dreams at once. Where it looked at data before it made them up, it is executed
   * again.
   */
  private together(entry: Entry, example: unknown, { first, count }: Share, to: number, dreams: Dreams): void {
    const tokens = tokensOf(example, this.points);
    inGroups(consecutive(first, count).array, (indices) =>
      inKernelMemory(() => {
        let before = new Map<string, Float64Array>();
        for (let runs = 0; ; runs++) {
          const recorder = new Recorder(this.sites, entry.address);
          const watch = this.isKnown ? null : this.sources.from(entry.address);
          const dreaming = new ColumnDreaming(recorder, indices.length, watch);
          const ends = executeTogether(
            entry,
            dreaming,
            () => {
              dreaming.data = new DreamtColumns(example, indices.length, this.plain(example), before);
              return this.model(dreaming.data.shown);
            },
            indices.length,
            () => new ColumnStreams(() => executionKeys(entry, Words.of(indices))),
          );
          const data = dreaming.data!;
          const next = isEarly(data) ? madeUp(data) : before;
          if (next !== before && !agree(before, next)) {
            if (runs > 2 * next.size + 2) throw circular();
            before = next;
            continue;
          }
          const lanes = indices.map((index) => index - first + to);
          this.take(dreams, recorder, lanes, ends, dreaming, data, tokens, example);
          return;
        }
      }),
    );
  }

  private take(
    dreams: Dreams,
    recorder: Recorder,
    places: Int32Array,
    ends: { slots: Int32Array; values: ArrayLike<unknown> },
    dreaming: ColumnDreaming,
    data: DreamtColumns,
    tokens: readonly TokenPlaces[],
    example: unknown,
  ): void {
    for (const choice of recorder.choices) {
      const { lanes } = choice;
      for (let i = 0; i < lanes.length; i++) lanes[i] = places[lanes[i]];
      dreams.choices.push(choice);
    }
    const { slots } = ends;
    for (let i = 0; i < slots.length; i++) {
      dreams.logWeights[places[slots[i]]] = dreaming.logWeights[slots[i]];
      dreams.values[places[slots[i]]] = ends.values[i];
    }
    for (const [place, leaf] of data.leaves) if (leaf.isObserved) this.observed.add(place);
    const count = places.length;
    const leaves = (place: Place): ArrayLike<unknown> =>
      data.leaves.get(placeText(place))?.all(count) ?? new Array(count).fill(at(example, place));
    dreams.forms.push({
      lanes: places,
      tokens,
      leaves,
      data: (i) => copied(example, [], (place) => data.leaves.get(placeText(place))?.inLane(i) ?? at(example, place)),
    });
  }

  /** Leaves that are known never to be observed. None where examples have several forms: there that is not known. */
  private plain(example: unknown): ReadonlySet<string> {
    if (!this.isKnown) return NONE;
    const plain = new Set<string>();
    const pattern = new Set([...this.observed].map(withoutIndices));
    for (const { leaves } of tokensOf(example, this.points)) {
      for (const { place } of leaves) if (!pattern.has(withoutIndices(placeText(place)))) plain.add(placeText(place));
    }
    return plain;
  }

  /**
   * Executes the model once. Then it is shown the data that it made up and executed again, until it makes up the
   * same data.
   */
  private alone(entry: Entry, example: unknown, lane: number, number: number, dreams: Dreams): void {
    const stream = entry.streamOf(number);
    const run = (datum: DreamtDatum): { recorder: Recorder; dreaming: Dreaming; value: unknown } => {
      const recorder = new Recorder(this.sites, entry.address);
      const watch = this.isKnown ? null : this.sources.from(entry.address);
      const dreaming = new Dreaming(recorder, datum, watch);
      return { recorder, dreaming, value: entry.execute(dreaming, () => this.model(datum.shown), stream.again()) };
    };
    let earlier = new DreamtDatum(example, this.places);
    if (run(earlier).value === abandoned) return;
    for (let runs = 0; runs < MOST_RUNS; runs++) {
      const datum = new DreamtDatum(example, this.places, earlier);
      const { recorder, dreaming, value } = run(datum);
      if (value === abandoned) return;
      if (!datum.agrees(earlier)) {
        earlier = datum;
        continue;
      }
      for (const choice of recorder.choices) {
        choice.lanes.fill(lane);
        dreams.choices.push(choice);
      }
      dreams.logWeights[lane] = dreaming.logWeight;
      dreams.values[lane] = value;
      const made = datum.value;
      dreams.forms.push({
        lanes: [lane],
        tokens: tokensOf(made, this.points),
        leaves: (place) => [at(made, place)],
        data: () => made,
      });
      return;
    }
    throw circular();
  }
}

/** Data of the same form with other leaves. */
function copied(value: unknown, place: Place, leaf: (place: Place) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item, i) => copied(item, [...place, i], leaf));
  if (!hasFields(value)) return leaf(place);
  const fields = Object.entries(value).map(([key, field]) => [key, copied(field, [...place, key], leaf)]);
  return Object.fromEntries(fields);
}

/**
 * How much more an execution alone costs here than elsewhere. It is executed twice, and each of its choices is recorded
 * by itself. A training makes thousands of batches, so that V8 has optimised what many executions do at once: it costs a
 * tenth of what it does in a short run.
 */
const ALONE = 200;

/** Executions after which data that depend on themselves have not settled, and never will. */
const MOST_RUNS = 200;

const NONE: ReadonlySet<string> = new Set();

const withoutIndices = (place: string): string =>
  place
    .split(SEPARATOR)
    .map((key) => (/^\d+$/.test(key) ? '*' : key))
    .join(SEPARATOR);

const isEarly = ({ leaves }: DreamtColumns): boolean =>
  [...leaves.values()].some((leaf) => leaf instanceof DreamtColumn && leaf.early && leaf.isObserved);

function madeUp({ leaves }: DreamtColumns): Map<string, Float64Array> {
  const made = new Map<string, Float64Array>();
  for (const [place, leaf] of leaves) {
    if (leaf instanceof DreamtColumn && leaf.isObserved) {
      made.set(
        place,
        Float64Array.from(leaf.drawn, (_, lane) => Number(leaf.inLane(lane))),
      );
    }
  }
  return made;
}

const agree = (a: ReadonlyMap<string, Float64Array>, b: ReadonlyMap<string, Float64Array>): boolean =>
  a.size === b.size && [...a].every(([place, numbers]) => b.get(place)?.every((x, i) => Object.is(x, numbers[i])));

function circular(): WaymarkError {
  return new WaymarkError(
    'Amortize cannot make up data for this model: what it observes depends on the value that it observes. Read what is ' +
      'observed where it is observed, as in observe(distribution, data[i]).',
  );
}
