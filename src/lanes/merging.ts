/** One value for all lanes from the values that groups of them have. */
import { keepOriginToFind, noteCopied, originOf } from '../algebra/identity.ts';
import { type Groups, merged } from '../algebra/merging.ts';
import { somePart } from '../algebra/parts.ts';
import type { Distribution } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { Diverged, OneByOne } from '../runtime/signals.ts';
import { constant } from '../tensor/leaves.ts';
import { isNumeric, Node, type Value } from '../tensor/node.ts';
import { add, mergeLanes } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import { alikeNodes, changedShape, changingNode } from './lane-numbers.ts';
import type { Lanes } from './lanes.ts';
import { mergedFamily, OneOfSeveral } from './merged-distribution.ts';
import { isMadeAround, isRoaming } from './own-objects.ts';
import { isUsable } from './piece-values.ts';
import { recording } from './recording.ts';
import { isResults } from './results.ts';
import { SoftTruth, truthNumber } from './soft-truth.ts';
import type { Piece } from './together.ts';
import { isUnread } from './unread.ts';
import { laneValue, makeVaried, pick, standsForOthers } from './value.ts';
import { type Known, placesIn, variedOf } from './varied.ts';

/** Thrown where no single value can stand for several. */
export const unmergeable = { unmergeable: true } as const;

export class Merge implements Groups {
  readonly isMine = (value: unknown): boolean => variedOf(value) !== undefined || isUnread(value);
  readonly holds = standsForOthers;
  readonly isNumeric = isNumeric;

  constructor(
    /** The groups, which have each lane once, and where their lanes are among all. */
    private readonly pieces: readonly Pick<Piece, 'lanes' | 'places'>[],
    private readonly around: Lanes,
  ) {}

  of(values: readonly unknown[]): unknown {
    return merged(this, values);
  }

  /**
   * Runs `work` with the lanes of a group in force; if they disagree on a value that is looked at, there is no value for
   * all.
   */
  within<T>(lanes: Lanes, work: () => T): T {
    const outer = machine.lanes;
    machine.lanes = lanes;
    try {
      return work();
    } catch (thrown) {
      throw thrown instanceof Diverged ? unmergeable : thrown;
    } finally {
      machine.lanes = outer;
    }
  }

  /** In the graph. Tensors must be of one shape. */
  join(values: readonly Value[]): Value {
    const nodes = alikeNodes(values);
    if (nodes === undefined) throw unmergeable;
    // What lies between false and true does so for all: what a choice is worth would else depend on which sides others take.
    const isSoft = nodes.some((node) => node instanceof SoftTruth);
    const all = mergeLanes(
      this.around.space,
      nodes.map((value, piece) => ({
        value: isSoft ? truthNumber(value) : value,
        space: this.pieces[piece].lanes.space,
      })),
    );
    return isSoft ? SoftTruth.of(all) : all;
  }

  /** What sides made themselves is not changed under its own names any more: merged, it is another object. */
  mayChange(values: readonly unknown[]): boolean {
    const roaming = values.filter(isRoaming);
    const before = roaming.filter((object) => isMadeAround(object, this.around));
    if (before.length === 0) {
      roaming.forEach(noteCopied);
      return false;
    }
    if (before.length < roaming.length) throw unmergeable;
    return true;
  }

  /** Results of iterations are arrays too, whose items are made when they are read. */
  itemsOf(list: readonly unknown[], piece: number): unknown[] {
    return this.within(this.pieces[piece].lanes, () => [...list]);
  }

  originals(values: readonly object[]): unknown {
    const own = values.map(originOf);
    if (this.isOpen || own.some(isPickedAnew)) return this.picked(own);
    return makeVaried(
      this.inPlace((piece) => this.ownOf(own[piece], piece)),
      this.around,
    );
  }

  /** Whether later steps may have other lanes in the groups. */
  private get isOpen(): boolean {
    return this.pieces.some(({ lanes }) => lanes.space.isOpen);
  }

  /** Made when it is asked for, since that looks at which lanes are in a group. */
  knownBy(made: object, values: readonly object[]): object {
    return keepOriginToFind(made, () => this.originals(values));
  }

  /** A value for each lane, from those that groups have for theirs. */
  private inPlace(of: (piece: number) => (lane: number) => unknown): unknown[] {
    const all = new Array<unknown>(this.around.size);
    this.pieces.forEach(({ places }, piece) => {
      const at = of(piece);
      places.forEach((place, lane) => {
        all[place] = at(lane);
      });
    });
    return all;
  }

  /** The value of each lane of a group, from a value of the group. */
  private ownOf(value: unknown, piece: number): (lane: number) => unknown {
    const varied = variedOf(value);
    const own = varied && placesIn(varied, this.pieces[piece].lanes);
    return (lane) => (own === undefined ? value : varied!.table[own[lane]]);
  }

  private distributions(values: readonly Distribution<unknown>[]): unknown {
    const several = (): Distribution<unknown> =>
      new OneOfSeveral(values, (of) =>
        this.of(values.map((value, piece) => this.within(this.pieces[piece].lanes, () => of(value)))),
      );
    return this.knownBy(mergedFamily(values, (params) => this.of(params)) ?? several(), values);
  }

  /** Distributions as one, anything else as a table, with a value for each lane. */
  others(given: readonly unknown[]): unknown {
    // Results of iterations are found with the lanes in force that they belong to.
    const values = given.map((value, piece) => (isResults(value) ? this.itemsOf(value, piece) : value));
    if (values.every((value) => !isUnread(value) && isDistribution(value) && variedOf(value) === undefined))
      return this.distributions(values as readonly Distribution<unknown>[]);
    for (const value of values)
      if (!isUnread(value) && (!isUsable(value) || this.isOfGroup(variedOf(value)?.table ?? value))) throw unmergeable;
    if (this.isOpen || values.some(isPickedAnew)) return this.picked(values);
    const all = this.inPlace((piece) => this.ownOf(values[piece], piece));
    return laneValue(all, this.around);
  }

  /** Whether there is a node in a value, or something that differs between the lanes of a group, which no others have. */
  private isOfGroup(value: unknown): boolean {
    if (value instanceof Node) return true;
    // (What sides left in it has been merged.)
    if (isRoaming(value) && isMadeAround(value, this.around)) return false;
    const varied = variedOf(value);
    if (varied !== undefined) {
      const space = varied.by === undefined ? varied.lanes.space : varied.by.space;
      return (space !== null && !this.around.space.descendsFrom(space)) || varied.table.some(this.isOfGroup, this);
    }
    return typeof value === 'object' && value !== null && somePart(value, (part) => this.isOfGroup(part));
  }

  /** The same where the lanes of a group, or their values, are others in later steps: the place in the table is computed. */
  private picked(values: readonly unknown[]): unknown {
    const table: unknown[] = [];
    const places = values.map((value): Value => {
      const varied = variedOf(value);
      const first = table.length;
      if (varied?.by === undefined && varied?.again !== undefined) return add(first, placesAgain(varied, table));
      table.push(...(varied?.table ?? [value]));
      if (varied === undefined) return first;
      return add(first, varied.by ?? constant(Float64Array.from(varied.index), SCALAR, varied.lanes.space));
    });
    return pick(table, this.join(places) as Node);
  }
}

/** Whether it is a value that choices pick, and may pick otherwise in later steps. */
function isPickedAnew(value: unknown): boolean {
  const by = variedOf(value)?.by;
  return by !== undefined && recording.current?.changes(by) === true;
}

/** Tables are gone through wherever a field of a value is read. */
const MOST_VALUES = 256;

/** The places of data that other steps have others of, in a table that all of them are added to. */
function placesAgain({ table, index, lanes, again }: Known, all: unknown[]): Value {
  const places = new Map<unknown, number>();
  for (const value of again!.all?.() ?? table) if (!places.has(value)) places.set(value, places.size);
  const rerun = recording.current;
  if (rerun === null || places.size > MOST_VALUES)
    throw new OneByOne('parameters', 'the program keeps data that change from step to step');
  all.push(...places.keys());
  const placeOf = (value: unknown): number => {
    const place = places.get(value);
    if (place === undefined) throw changedShape;
    return place;
  };
  const now = constant(
    Float64Array.from(index, (place) => placeOf(table[place])),
    SCALAR,
    lanes.space,
  );
  return changingNode(now, () => again!().map(placeOf), rerun);
}
