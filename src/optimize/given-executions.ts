/**
 * Executions whose choices are known before a step begins: recorded ones (the EUBO), or dreams. Guides learn to give them a
 * high probability. Their values and data are leaves that change from step to step, like the data of minibatches. A dream is
 * found by executions (`dreaming.ts`): each is shown the data that the one before it made up, until an execution makes up the
 * data that it was shown. That usually takes two.
 */
import type { FamilyDefinition } from '../distributions/family.ts';
import { reals, truthValues, wholeNumbers } from '../distributions/value-kind.ts';
import { changedShape, changingNode, laneNode } from '../lanes/lane-numbers.ts';
import { closedLanes, currentLanes, type Lanes } from '../lanes/lanes.ts';
import { recording } from '../lanes/recording.ts';
import { changeable, type Rerun } from '../lanes/rerun.ts';
import { laneValue } from '../lanes/value.ts';
import type { Address } from '../runtime/address.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import { where } from '../runtime/places.ts';
import { OneByOne } from '../runtime/signals.ts';
import { sameValue } from '../runtime/values.ts';
import { gatherTo } from '../tensor/lane-gather.ts';
import { leafOf } from '../tensor/leaves.ts';
import { sameShape, sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';

export interface GivenExecution {
  /** The values of its choices, by the addresses that these have in an execution alone. */
  readonly values: ReadonlyMap<Address, unknown>;
  /** Whether the guide of a choice learns from it. */
  counts(address: Address): boolean;
  /** The data of each `mapData` that looks at others than the program gives it. */
  readonly passes?: ReadonlyMap<Address, GivenPass>;
}

interface GivenPass {
  /** Which of the program's data they stand for. */
  readonly indices: ArrayLike<number>;
  readonly data: readonly unknown[];
  /** How many data each of them counts for. */
  readonly each: number;
}

/** The data of a `mapData` for the lanes in force, as an array with holes for each. */
interface GivenLists {
  readonly data: ArrayLike<unknown>;
  /** Whether they stand for all that the program gave. */
  readonly areAll: boolean;
  readonly choosing: { now(lane: number): Int32Array; later(lane: number): Int32Array };
}

/** The given executions as a running execution sees them: one of them, or, in lanes, each lane that it belongs to. */
export class GivenChoices {
  constructor(
    private readonly now: readonly GivenExecution[],
    /** The executions given to the current step, where a recorded step is run again. */
    private readonly later: () => readonly GivenExecution[],
    /** Which of them runs, where they run one by one. */
    private readonly number: number,
  ) {}

  /** The value of a choice, and whether it counts. */
  choice(address: Address, target: Distribution<unknown>): { readonly value: unknown; readonly counts: boolean } {
    const lanes = currentLanes();
    if (lanes?.space.isOpen) return this.openChoice(address, target, lanes);
    const find = (from: readonly GivenExecution[], missing: (at: Address) => never): unknown[] =>
      this.each(address, lanes, from, ({ values }, at) => (values.has(at) ? values.get(at) : missing(at)));
    const values = find(this.now, (at) => absent(at, target));
    const again = (): unknown[] => find(this.later(), changed);
    const value = lanes === null ? aloneValue(values[0], () => again()[0]) : laneValue(values, lanes, again);
    return { value, counts: this.counts(address, lanes) };
  }

  /** The same on a side of a condition: values of all lanes that may take it, of which those that have not made the choice have any. */
  private openChoice(
    address: Address,
    target: Distribution<unknown>,
    lanes: Lanes,
  ): { value: unknown; counts: boolean } {
    const closed = closedLanes(lanes);
    const find = (from: readonly GivenExecution[]): unknown[] =>
      this.each(address, closed, from, ({ values }, at) => values.get(at));
    const now = find(this.now);
    const rerun = recording.current!;
    const any = now.find((value) => value !== undefined) ?? likeOf(target);
    const whole = (values: readonly unknown[]): unknown[] => values.map((value) => value ?? any);
    const first = laneNode(whole(now), closed.space);
    if (first === undefined) throw new OneByOne('value', `a choice from ${target.name} that is given is no number`);
    const later = (): unknown[] => find(this.later());
    const missing = (values: readonly unknown[]): boolean[] => values.map((value) => value === undefined);
    const isMissing = changingNode(laneNode(missing(now), closed.space)!, () => missing(later()), rerun);
    rerun.notTaken(gatherTo(isMissing, lanes.space), true);
    const value = gatherTo(
      changingNode(first, () => whole(later()), rerun),
      lanes.space,
    );
    return { value, counts: this.counts(address, closed) };
  }

  /** Whether the guide of a choice learns from it, in all lanes or in none. */
  private counts(address: Address, lanes: Lanes | null): boolean {
    const counting = this.each(address, lanes, this.now, (execution, at) => execution.counts(at));
    if (counting.some((counts) => counts !== counting[0])) {
      throw new OneByOne('choices', 'some of them learn from a choice, and others do not');
    }
    return counting[0];
  }

  /** The data of a `mapData` outside lanes, if they are given; `later` finds those of the step at hand. */
  pass(address: Address): { readonly now: GivenPass; later(): GivenPass } | undefined {
    const find = (from: readonly GivenExecution[]): GivenPass | undefined => from[this.number].passes?.get(address);
    const now = find(this.now);
    return now && { now, later: () => find(this.later()) ?? changed() };
  }

  /** The same in lanes. */
  passInLanes(address: Address, length: number, lanes: Lanes): GivenLists | undefined {
    const find = (from: readonly GivenExecution[]): (GivenPass | undefined)[] =>
      this.each(address, lanes, from, ({ passes }, at) => passes?.get(at));
    const passes = find(this.now);
    if (passes.every((pass) => pass === undefined)) return undefined;
    if (!passes.every((pass) => pass !== undefined && isDistinct(pass.indices))) {
      throw new OneByOne('choices', 'a datum was made up twice, or for some of them only');
    }
    const lists = (of: readonly (GivenPass | undefined)[]): unknown[][] => of.map((pass) => withHoles(pass!, length));
    const at = (pass: GivenPass | undefined): Int32Array => Int32Array.from((pass ?? changed()).indices);
    return {
      areAll: passes.every((pass) => pass!.indices.length === length),
      data: laneValue(lists(passes), lanes, () => lists(find(this.later()))) as ArrayLike<unknown>,
      choosing: { now: (lane) => at(passes[lane]), later: (lane) => at(find(this.later())[lane]) },
    };
  }

  /** How many data each of those that are given to a `mapData` counts for. */
  countOfEach(address: Address): number {
    const counts = this.each(address, currentLanes(), this.now, ({ passes }, at) => passes?.get(at)?.each ?? 1);
    if (counts.some((count) => count !== counts[0])) {
      throw new OneByOne('choices', 'a datum that was made up counts for more in some of them than in others');
    }
    return counts[0];
  }

  /** The result of `of` for the execution that runs, or for that of each lane. */
  private each<T>(
    address: Address,
    lanes: Lanes | null,
    from: readonly GivenExecution[],
    of: (execution: GivenExecution, address: Address) => T,
  ): T[] {
    if (lanes === null) return [of(from[this.number], address)];
    return Array.from({ length: lanes.size }, (_, lane) =>
      of(from[lanes.execution(lane) ?? this.number], address.inLane(lanes.path(lane))),
    );
  }
}

function absent(address: Address, target: { readonly name: string }): never {
  throw new WaymarkError(
    `The choice from ${target.name} at ${where(address)} is not in the recorded execution: the program took another way ` +
      'than when it was recorded. Which choices it makes must depend on nothing but its other choices.',
  );
}

function changed(): never {
  throw changedShape;
}

/** A value of the kind that a distribution is over, where parameters may be nodes of the graph. */
function likeOf(target: Distribution<unknown>): unknown {
  const { family, params } = target as { family?: Partial<FamilyDefinition<object, unknown>>; params?: object };
  if (family?.values === truthValues) return false;
  if (family?.values === reals || family?.values === wholeNumbers) return 0;
  const dims = family?.dims?.(params!);
  return dims && new Tensor(dims, new Float64Array(sizeOf(dims)));
}

/** The value outside lanes. A recording keeps numbers and tensors as leaves, and relies on anything else. */
function aloneValue(value: unknown, again: () => unknown): unknown {
  const rerun = recording.current;
  if (rerun === null) return value;
  const fixed = leafOf(value);
  if (fixed !== undefined) return changingLeaf(fixed, value, again, rerun);
  rerun.require(() => sameValue(again(), value));
  return value;
}

function changingLeaf(
  fixed: ReturnType<typeof changeable>,
  value: unknown,
  again: () => unknown,
  rerun: Rerun,
): unknown {
  const leaf = changeable(fixed);
  rerun.changing(leaf, () => {
    const next = again();
    if (value instanceof Tensor) {
      if (!(next instanceof Tensor) || !sameShape(next.dims, value.dims)) return changed();
      return Float64Array.from(next.data);
    }
    return typeof next === typeof value ? Number(next) : changed();
  });
  return leaf;
}

const isDistinct = (indices: ArrayLike<number>): boolean => new Set(Array.from(indices)).size === indices.length;

/** The given data at the places of those that they stand for. */
function withHoles({ indices, data }: GivenPass, length: number): unknown[] {
  const list = new Array<unknown>(length);
  data.forEach((datum, k) => {
    list[indices[k]] = datum;
  });
  return list;
}
