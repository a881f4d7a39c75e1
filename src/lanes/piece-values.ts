/**
 * Moves the results of groups of lanes to other lanes, each of which has the value of one iteration, whichever group
 * that ran in. Numbers and tensors are rows of one table, of which items are gathered in the graph; arrays and
 * objects are moved part by part.
 */
import { sameKeys } from '../algebra/merging.ts';
import { isRecord } from '../runtime/values.ts';
import { castTo, expandTo } from '../tensor/elementwise/record.ts';
import { fromLanes } from '../tensor/lane-gather.ts';
import { constant } from '../tensor/leaves.ts';
import { isNumeric, Node } from '../tensor/node.ts';
import { concat, gather, gt, reshape, sliceAxis } from '../tensor/ops.ts';
import { SCALAR, type Shape } from '../tensor/shape.ts';
import { alikeNodes } from './lane-numbers.ts';
import type { Lanes } from './lanes.ts';
import { isOneForAll } from './making.ts';
import { picksOf } from './picks.ts';
import { SoftTruth, truthNumber } from './soft-truth.ts';
import type { Piece } from './together.ts';
import { holdsNode, laneValue, pick, sourceAt } from './value.ts';
import { placesIn, variedOf } from './varied.ts';

/** The value for lanes, given for each the place of the iteration whose value it has. */
type At = (places: Int32Array) => unknown;

/** Numbers or tensors of all iterations, along the first axis of a table. */
export interface Rows {
  readonly table: Node;
  readonly shape: Shape;
  readonly isTruth: boolean;
  /** Whether some of the truth values lie between false and true. */
  readonly isSoft: boolean;
  /** Where the numbers are places of values that choices have picked: the list of these. */
  readonly items?: readonly unknown[];
}

/** The value that a row of a table stands for. */
export function rowValue({ isTruth, isSoft, items }: Rows, value: Node): unknown {
  if (items !== undefined) return pick(items, value);
  if (isSoft) return SoftTruth.of(value);
  return isTruth ? gt(value, 0) : value;
}

/** The error for a value that cannot be used outside the iterations. */
export type Refuse = (reason: string) => never;

export class PieceValues {
  /** For each iteration, the group of lanes it ran in, its lane there, and its row in tables. */
  readonly pieceOf: Int32Array;
  readonly laneOf: Int32Array;
  readonly rowOf: Int32Array;

  constructor(
    readonly pieces: readonly Piece[],
    /** How many iterations there are. */
    count: number,
    private readonly refuse: Refuse,
  ) {
    this.pieceOf = new Int32Array(count);
    this.laneOf = new Int32Array(count);
    this.rowOf = new Int32Array(count);
    let row = 0;
    pieces.forEach(({ places }, piece) => {
      places.forEach((place, lane) => {
        this.pieceOf[place] = piece;
        this.laneOf[place] = lane;
        this.rowOf[place] = row++;
      });
    });
  }

  /** One way to find the items of values that the groups gave, for these lanes, or for the one place there is without. */
  combined(values: readonly unknown[], to: Lanes | null): At {
    const rows = this.rows(values);
    if (rows !== undefined) return (places) => this.row(rows, places, to);
    if (to === null) return ([place]) => this.item(values[this.pieceOf[place]], place);
    const [first] = values;
    if (values.every((value) => Array.isArray(value) && variedOf(value) === undefined)) {
      const lists = values as readonly (readonly unknown[])[];
      if (lists.every(({ length }) => length === lists[0].length)) {
        const parts = lists[0].map((_, i) =>
          this.combined(
            lists.map((list) => list[i]),
            to,
          ),
        );
        return (places) => parts.map((part) => part(places));
      }
    }
    const isOwn = (value: unknown): value is object => isRecord(value) && variedOf(value) === undefined;
    if (values.every((value) => isOwn(value) && sameKeys(value, first as object))) {
      const parts = Object.keys(first as object).map((key) => {
        const fields = values.map((value) => (value as Record<string, unknown>)[key]);
        return [key, this.combined(fields, to)] as const;
      });
      return (places) =>
        this.oneForAllAt(values as readonly object[], places, to) ??
        Object.fromEntries(parts.map(([key, part]) => [key, part(places)]));
    }
    return (places) => {
      const items = Array.from(places, (place) => this.item(values[this.pieceOf[place]], place));
      if (items.some(holdsNode)) this.refuse('the program uses what the iterations return');
      return laneValue(items, to);
    };
  }

  /** The objects that iterations handed on, if they were there before these. */
  private oneForAllAt(values: readonly object[], places: Int32Array, to: Lanes): unknown {
    const items: object[] = [];
    for (const place of places) {
      const piece = this.pieceOf[place];
      const { lanes } = this.pieces[piece];
      const item = sourceAt(values[piece], this.laneOf[place], lanes);
      if (!isOneForAll(item, lanes.space)) return undefined;
      items.push(item);
    }
    return laneValue(items, to);
  }

  /** The values of all iterations as rows of one table, if they are numbers, truth values or tensors of one shape. */
  rows(values: readonly unknown[]): Rows | undefined {
    const picks = picksOf(values);
    const nodes = alikeNodes(picks?.places ?? values);
    if (nodes === undefined) return undefined;
    const [{ shape, dtype }] = nodes;
    const isTruth = dtype === 'bool';
    const isSoft = nodes.some((node) => node instanceof SoftTruth);
    const single = nodes.every((node) => node.dtype === 'f32');
    const parts = nodes.map((node, piece) => {
      const number = isTruth ? (truthNumber(node) as Node) : single ? node : castTo(node, 'f64');
      return fromLanes(expandTo(number, shape, this.pieces[piece].lanes.space));
    });
    return {
      table: parts.length === 1 ? parts[0] : (concat(parts) as Node),
      shape,
      isTruth,
      isSoft,
      items: picks?.items,
    };
  }

  /** The rows of iterations, one for each of the lanes, or the only one. */
  row(of: Rows, places: Int32Array, to: Lanes | null): unknown {
    const { table, shape } = of;
    const rows = places.map((place) => this.rowOf[place]);
    const value =
      to === null
        ? (reshape(sliceAxis(table, 0, rows[0], rows[0] + 1), shape) as Node)
        : (gather(table, constant(rows, SCALAR, to.space)) as Node);
    return rowValue(of, value);
  }

  /** The result of one iteration. */
  item(value: unknown, place: number): unknown {
    const { lanes } = this.pieces[this.pieceOf[place]];
    const lane = this.laneOf[place];
    if (value instanceof Node) {
      if (value.space !== lanes.space) return value;
      const isTruth = value.dtype === 'bool';
      const table = fromLanes(truthNumber(value) as Node);
      const row = reshape(sliceAxis(table, 0, lane, lane + 1), value.shape) as Node;
      if (value instanceof SoftTruth) return SoftTruth.of(row);
      return isTruth ? gt(row, 0) : row;
    }
    if (!isUsable(value)) return this.refuse('the program uses what the iterations return');
    const varied = variedOf(value);
    if (varied?.by !== undefined) {
      const items = varied.table.map((item) => this.item(item, place));
      return pick(items, this.item(varied.by, place) as Node);
    }
    if (varied !== undefined) return this.item(varied.table[placesIn(varied, lanes)[lane]], place);
    if (Array.isArray(value)) return value.map((item) => this.item(item, place));
    if (!isRecord(value)) return value;
    const source = sourceAt(value, lane, lanes);
    if (isOneForAll(source, lanes.space)) return source;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.item(item, place)]));
  }
}

/** Not of functions and objects of classes, which may hold values of lanes that cannot be taken out of them. */
export function isUsable(value: unknown): boolean {
  if (typeof value === 'function') return false;
  if (typeof value !== 'object' || value === null || isNumeric(value)) return true;
  const varied = variedOf(value);
  if (varied !== undefined) return varied.table.every(isUsable);
  if (Array.isArray(value)) return value.every(isUsable);
  return isRecord(value) && Object.values(value).every(isUsable);
}
