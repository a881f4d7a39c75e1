/** One value for all lanes from the values that groups of them have. */
import { keepOrigin, originOf } from '../algebra/identity.ts';
import { machine } from '../runtime/machine.ts';
import { Diverged } from '../runtime/signals.ts';
import { isRecord } from '../runtime/values.ts';
import { isNumeric, type Value } from '../tensor/node.ts';
import { mergeLanes } from '../tensor/ops.ts';
import { alikeNodes } from './lane-numbers.ts';
import type { Lanes } from './lanes.ts';
import { isUsable, sameKeys } from './results.ts';
import type { Piece } from './together.ts';
import { holdsNode, laneValue, makeVaried, standsForOthers } from './value.ts';
import { placesIn, variedOf } from './varied.ts';

/** Thrown where no one value can stand for several. */
export const unmergeable = { unmergeable: true } as const;

export class Merge {
  constructor(
    /** The groups, which have each lane once, and where their lanes are among all. */
    private readonly pieces: readonly Pick<Piece, 'lanes' | 'places'>[],
    private readonly around: Lanes,
  ) {}

  /** One value for all lanes; `values` are those of the groups. */
  of(values: readonly unknown[]): unknown {
    const [first] = values;
    // What is the same was there before the lanes came into groups.
    if (values.every((value) => value === first)) return first;
    if (values.every(isNumeric)) return this.numbers(values);
    if (values.every((value) => Array.isArray(value) && variedOf(value) === undefined)) {
      return this.items(values as readonly (readonly unknown[])[]);
    }
    if (values.every((value) => isRecord(value) && variedOf(value) === undefined && sameKeys(value, first as object))) {
      const records = values as readonly Record<string, unknown>[];
      const fields = Object.keys(records[0]).map((key) => [key, this.of(records.map((one) => one[key]))]);
      return this.keep(Object.fromEntries(fields), records);
    }
    return this.others(values);
  }

  /** Runs `work` with the lanes of a group in force; what they do not agree on has no value for all. */
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

  /** Numbers, truth values or tensors of one shape, joined in the graph. */
  private numbers(values: readonly Value[]): Value {
    const nodes = alikeNodes(values);
    if (nodes === undefined) throw unmergeable;
    return mergeLanes(
      this.around.space,
      nodes.map((value, piece) => ({ value, space: this.pieces[piece].lanes.space })),
    );
  }

  /** Arrays item by item. Results of iterations are arrays too, which find their items when they are asked. */
  private items(values: readonly (readonly unknown[])[]): unknown[] {
    const lists = values.map((list, piece) => this.within(this.pieces[piece].lanes, () => [...list]));
    const [{ length }] = lists;
    if (lists.some((list) => list.length !== length)) return this.others(lists) as unknown[];
    return this.keep(
      lists[0].map((_, i) => this.of(lists.map((list) => list[i]))),
      values,
    );
  }

  /** Remembers which object each lane has, for those who compare objects. */
  private keep<T extends object>(made: T, values: readonly object[]): T {
    const sources = values.map(originOf);
    const all = this.inPlace((piece) => {
      const varied = variedOf(sources[piece]);
      const own = varied && placesIn(varied, this.pieces[piece].lanes);
      return (lane) => (own === undefined ? sources[piece] : varied!.table[own[lane]]);
    });
    const own = makeVaried(all, this.around);
    // Equal objects are still two.
    return standsForOthers(made) ? keepOrigin(made, own) : (own as T);
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

  /** Everything else as a table, with a value for each lane. */
  private others(values: readonly unknown[]): unknown {
    const all = this.inPlace((piece) => {
      const value = values[piece];
      const varied = variedOf(value);
      if (!isUsable(value) || holdsNode(varied === undefined ? value : varied.table)) throw unmergeable;
      const own = varied && placesIn(varied, this.pieces[piece].lanes);
      return (lane) => (own === undefined ? value : varied!.table[own[lane]]);
    });
    return laneValue(all, this.around);
  }
}
