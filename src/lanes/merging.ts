/** One value for all lanes from the values that groups of them have. */
import { originOf } from '../algebra/identity.ts';
import { type Groups, merged } from '../algebra/merging.ts';
import { machine } from '../runtime/machine.ts';
import { Diverged } from '../runtime/signals.ts';
import { isNumeric, type Value } from '../tensor/node.ts';
import { mergeLanes } from '../tensor/ops.ts';
import { alikeNodes } from './lane-numbers.ts';
import type { Lanes } from './lanes.ts';
import { isUsable } from './results.ts';
import type { Piece } from './together.ts';
import { holdsNode, laneValue, makeVaried, standsForOthers } from './value.ts';
import { placesIn, variedOf } from './varied.ts';

/** Thrown where no one value can stand for several. */
export const unmergeable = { unmergeable: true } as const;

export class Merge implements Groups {
  readonly isMine = (value: unknown): boolean => variedOf(value) !== undefined;
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

  /** In the graph. Tensors must be of one shape. */
  join(values: readonly Value[]): Value {
    const nodes = alikeNodes(values);
    if (nodes === undefined) throw unmergeable;
    return mergeLanes(
      this.around.space,
      nodes.map((value, piece) => ({ value, space: this.pieces[piece].lanes.space })),
    );
  }

  /** Results of iterations are arrays too, which find their items when they are asked. */
  itemsOf(list: readonly unknown[], piece: number): unknown[] {
    return this.within(this.pieces[piece].lanes, () => [...list]);
  }

  originals(values: readonly object[]): unknown {
    return makeVaried(
      this.inPlace((piece) => this.ownOf(originOf(values[piece]), piece)),
      this.around,
    );
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

  /** What each lane of a group has of a value of the group. */
  private ownOf(value: unknown, piece: number): (lane: number) => unknown {
    const varied = variedOf(value);
    const own = varied && placesIn(varied, this.pieces[piece].lanes);
    return (lane) => (own === undefined ? value : varied!.table[own[lane]]);
  }

  /** As a table, with a value for each lane. */
  others(values: readonly unknown[]): unknown {
    const all = this.inPlace((piece) => {
      const value = values[piece];
      if (!isUsable(value) || holdsNode(variedOf(value)?.table ?? value)) throw unmergeable;
      return this.ownOf(value, piece);
    });
    return laneValue(all, this.around);
  }
}
