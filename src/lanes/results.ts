/**
 * What iterations that ran side by side returned, as an array that the program may use like any other. Numbers and
 * tensors are rows of one table, of which items are taken in the graph; arrays and objects are taken apart. An item
 * belongs to the lanes around the construct, if there are any: each of them has iterations of its own.
 */

import { sameKeys } from '../algebra/merging.ts';
import { isRecord } from '../runtime/values.ts';
import { castTo, expandTo } from '../tensor/elementwise/record.ts';
import { asLanes, fromLanes } from '../tensor/lane-gather.ts';
import { constant } from '../tensor/leaves.ts';
import { CONSTANT, isNumeric, Node } from '../tensor/node.ts';
import { concat, gather, gt, reshape, select, sliceAxis } from '../tensor/ops.ts';
import { SCALAR, type Shape } from '../tensor/shape.ts';
import { alikeNodes } from './lane-numbers.ts';
import { currentLanes, diverge, type Lanes, laneNumbers } from './lanes.ts';
import { isOneForAll } from './making.ts';
import { picksOf } from './picks.ts';
import type { Iteration, Piece } from './together.ts';
import { holdsNode, laneValue, pick, sourceAt } from './value.ts';
import { placesIn, variedOf } from './varied.ts';

/** What each iteration gave, in the order of iterations: of one lane around them, or of all at once. */
type At = (index: number) => unknown;

/** Numbers or tensors of all iterations, along the first axis of a table. */
interface Rows {
  readonly table: Node;
  readonly shape: Shape;
  readonly isTruth: boolean;
  /** Where the numbers are places of values that choices have picked: the list of these. */
  readonly items?: readonly unknown[];
}

/** What a row of a table stands for. */
function rowValue({ isTruth, items }: Rows, value: Node): unknown {
  if (items !== undefined) return pick(items, value);
  return isTruth ? gt(value, 0) : value;
}

const outcomes = new WeakMap<object, Outcome>();

const outcomeOf = (value: unknown): Outcome | undefined =>
  typeof value === 'object' && value !== null ? outcomes.get(value) : undefined;

/** Results that are numbers, as a vector; undefined if the value is no such array. */
export function vectorOfResults(value: unknown): Node | undefined {
  return outcomeOf(value)?.vector();
}

/**
 * Results that are numbers, of which some lanes have more than others, as a vector that is as long as the most: what is
 * missing is `filler`. Undefined for everything else.
 */
export function raggedResults(value: unknown, filler: number): Node | undefined {
  return outcomeOf(value)?.padded(filler);
}

/** The items of results at known indices, one for each lane; undefined if they have to be looked for in another way. */
export function itemsOfResults(value: unknown, index: Node): unknown {
  return outcomeOf(value)?.itemsAt(index);
}

/** The error for a result that cannot be used outside the iterations. */
type Refuse = (reason: string) => never;

export class Outcome {
  private readonly outer: Lanes | null;
  /** For each iteration, the group of lanes it ran in, its lane there, and its row in tables. */
  private readonly pieceOf: Int32Array;
  private readonly laneOf: Int32Array;
  private readonly rowOf: Int32Array;
  /** For each lane around the construct, its first iteration, and how many it has. */
  private readonly starts: Int32Array;
  private readonly counts: Int32Array;

  constructor(
    private readonly pieces: readonly Piece[],
    { outerLanes }: Iteration,
    private readonly refuse: Refuse,
    /** How often the body was run for a group, and sides of conditionals in it; those that were taken back count, too. */
    readonly work: { readonly executions: number; readonly sides: number },
  ) {
    this.outer = currentLanes();
    const n = outerLanes.length;
    this.pieceOf = new Int32Array(n);
    this.laneOf = new Int32Array(n);
    this.rowOf = new Int32Array(n);
    let row = 0;
    pieces.forEach(({ places }, piece) => {
      places.forEach((place, lane) => {
        this.pieceOf[place] = piece;
        this.laneOf[place] = lane;
        this.rowOf[place] = row++;
      });
    });
    const lanes = this.outer === null ? 1 : this.outer.size;
    this.counts = new Int32Array(lanes);
    for (const lane of outerLanes) this.counts[lane]++;
    this.starts = new Int32Array(lanes);
    for (let lane = 1; lane < lanes; lane++) this.starts[lane] = this.starts[lane - 1] + this.counts[lane - 1];
  }

  /** What all iterations returned. Nothing is done before the program looks. */
  results(): unknown[] {
    let at: At | null = null;
    let items: unknown[] | null = null;
    const find = (index: number): unknown => {
      at ??= this.combined(this.pieces.map(({ value }) => value));
      return at(index);
    };
    const filled = (target: unknown[]): unknown[] => {
      const length = this.length();
      if (items === null || target.length !== length) {
        items = target;
        target.length = 0;
        for (let i = 0; i < length; i++) target.push(find(i));
      }
      return target;
    };
    const array = new Proxy([] as unknown[], {
      get: (target, key) => Reflect.get(filled(target), key),
      has: (target, key) => Reflect.has(filled(target), key),
      ownKeys: (target) => Reflect.ownKeys(filled(target)),
      getOwnPropertyDescriptor: (target, key) => Reflect.getOwnPropertyDescriptor(filled(target), key),
      set: (target, key, value) => {
        outcomes.delete(array);
        return Reflect.set(filled(target), key, value);
      },
      deleteProperty: (target, key) => {
        outcomes.delete(array);
        return Reflect.deleteProperty(filled(target), key);
      },
    });
    outcomes.set(array, this);
    return array;
  }

  /** The last value that some of the groups gave, in the order of iterations. */
  last(values: readonly ({ readonly value: unknown } | undefined)[]): unknown {
    const outerLanes = this.counts.length;
    const lastOf = (lane: number): number => {
      for (let place = this.starts[lane] + this.counts[lane] - 1; place >= this.starts[lane]; place--) {
        if (values[this.pieceOf[place]] !== undefined) return place;
      }
      return this.refuse('some of them leave in globalStore what others do not');
    };
    const places = Int32Array.from({ length: outerLanes }, (_, lane) => lastOf(lane));
    const wrote = this.pieces.map((_, piece) => values[piece]);
    if (this.outer === null) {
      const [place] = places;
      return this.item(wrote[this.pieceOf[place]]!.value, place);
    }
    const rows = wrote.every((one) => one !== undefined) ? this.rows(wrote.map((one) => one!.value)) : undefined;
    if (rows === undefined) return this.refuse('the program uses what an iteration left in globalStore');
    return this.row(
      rows,
      places.map((place) => this.rowOf[place]),
    );
  }

  /** What is found for the value of each iteration, in their order. */
  each<T>(of: (value: unknown, lane: number, lanes: Lanes) => T): T[] {
    return Array.from(this.pieceOf, (piece, place) =>
      of(this.pieces[piece].value, this.laneOf[place], this.pieces[piece].lanes),
    );
  }

  /** How many groups the iterations parted into. */
  get groups(): number {
    return this.pieces.length;
  }

  /** Whether results can be used at all: functions and distributions made by lanes belong to them. */
  get isUsable(): boolean {
    return this.pieces.every(({ value }) => isUsable(value));
  }

  /** How many each of the current lanes has; they part if that is not the same. */
  private length(): number {
    const { counts, outer } = this;
    if (counts.every((count) => count === counts[0])) return counts[0];
    const here = currentLanes()!;
    const map = here.mapTo(outer!.space);
    const own = map === null ? counts : map.map((lane) => counts[lane]);
    for (const count of own) if (count !== own[0]) diverge(own);
    return own[0];
  }

  vector(): Node | undefined {
    this.found ??= { vector: this.makeVector() };
    return this.found.vector;
  }

  private found: { readonly vector: Node | undefined } | null = null;

  private makeVector(): Node | undefined {
    const { counts, outer, rowsOfResults: rows } = this;
    const [length] = counts;
    if (length === 0 || !counts.every((count) => count === length)) return undefined;
    if (rows === undefined || rows.shape.length > 0 || rows.isTruth || rows.items !== undefined) return undefined;
    const { table } = rows;
    const inOrder = this.pieces.length === 1;
    if (outer === null) return inOrder ? table : (gather(table, constant(this.rowOf, [length])) as Node);
    if (inOrder) return asLanes(reshape(table, [outer.size, length]) as Node, outer.space);
    return gather(table, constant(this.rowOf, [length], outer.space)) as Node;
  }

  padded(filler: number): Node | undefined {
    const { counts, outer, starts, rowOf, rowsOfResults: rows } = this;
    const length = counts.reduce((most, count) => Math.max(most, count), 0);
    if (outer === null || length === 0 || counts.every((count) => count === length)) return undefined;
    if (rows === undefined || rows.shape.length > 0 || rows.items !== undefined) return undefined;
    const places = new Int32Array(outer.size * length);
    const isThere = new Float32Array(outer.size * length);
    counts.forEach((count, lane) => {
      for (let i = 0; i < count; i++) {
        places[lane * length + i] = rowOf[starts[lane] + i];
        isThere[lane * length + i] = 1;
      }
    });
    const items = gather(rows.table, constant(places, [length], outer.space)) as Node;
    return select(constant(isThere, [length], outer.space, 'bool'), items, filler) as Node;
  }

  itemsAt(index: Node): unknown {
    const { outer, counts, starts, rowOf, rowsOfResults: rows } = this;
    const here = currentLanes();
    if (index.op !== CONSTANT || here === null || rows === undefined) return undefined;
    const around = outer === null || here === outer ? null : here.mapTo(outer.space);
    const numbers = laneNumbers(index, here);
    const places = new Int32Array(here.size);
    for (let lane = 0; lane < places.length; lane++) {
      const own = outer === null ? 0 : around === null ? lane : around[lane];
      if (!(Number.isInteger(numbers[lane]) && numbers[lane] >= 0 && numbers[lane] < counts[own])) return undefined;
      places[lane] = rowOf[starts[own] + numbers[lane]];
    }
    return rowValue(rows, gather(rows.table, constant(places, SCALAR, here.space)) as Node);
  }

  /** The rows, once they were asked for. */
  private known: { readonly rows: Rows | undefined } | null = null;

  private get rowsOfResults(): Rows | undefined {
    this.known ??= { rows: this.rows(this.pieces.map(({ value }) => value)) };
    return this.known.rows;
  }

  /** One way to find all items of values that the groups gave. */
  private combined(values: readonly unknown[]): At {
    const { outer } = this;
    const rows = this.rows(values);
    if (rows !== undefined) return (index) => this.row(rows, this.placesAt(index, this.rowOf));
    if (outer === null) return (index) => this.item(values[this.pieceOf[index]], index);
    const [first] = values;
    if (values.every((value) => Array.isArray(value) && variedOf(value) === undefined)) {
      const lists = values as readonly (readonly unknown[])[];
      if (lists.every(({ length }) => length === lists[0].length)) {
        const parts = lists[0].map((_, i) => this.combined(lists.map((list) => list[i])));
        return (index) => parts.map((part) => part(index));
      }
    }
    const isOwn = (value: unknown): value is object => isRecord(value) && variedOf(value) === undefined;
    if (values.every((value) => isOwn(value) && sameKeys(value, first as object))) {
      const parts = Object.keys(first as object).map(
        (key) => [key, this.combined(values.map((value) => (value as Record<string, unknown>)[key]))] as const,
      );
      return (index) =>
        this.oneForAllAt(values as readonly object[], index) ??
        Object.fromEntries(parts.map(([key, part]) => [key, part(index)]));
    }
    return (index) => {
      const items = Array.from(this.placesAt(index), (place) => this.item(values[this.pieceOf[place]], place));
      if (items.some(holdsNode)) this.refuse('the program uses what the iterations return');
      return laneValue(items, outer);
    };
  }

  /** The objects that iterations of an index handed on, if they were there before these. */
  private oneForAllAt(values: readonly object[], index: number): unknown {
    const items: object[] = [];
    for (const place of this.placesAt(index)) {
      const piece = this.pieceOf[place];
      const { lanes } = this.pieces[piece];
      const item = sourceAt(values[piece], this.laneOf[place], lanes);
      if (!isOneForAll(item, lanes.space)) return undefined;
      items.push(item);
    }
    return laneValue(items, this.outer!);
  }

  /** For each lane around the construct, where its iteration of that index is; any other, if it has none. */
  private placesAt(index: number, of?: Int32Array): Int32Array {
    return this.starts.map((start, lane) => {
      const place = index < this.counts[lane] ? start + index : 0;
      return of === undefined ? place : of[place];
    });
  }

  /** The values of all iterations as rows of one table, if they are numbers, truth values or tensors of one shape. */
  private rows(values: readonly unknown[]): Rows | undefined {
    const picks = picksOf(values);
    const nodes = alikeNodes(picks?.places ?? values);
    if (nodes === undefined) return undefined;
    const [{ shape, dtype }] = nodes;
    const isTruth = dtype === 'bool';
    const single = nodes.every((node) => node.dtype === 'f32');
    const parts = nodes.map((node, piece) => {
      const number = isTruth ? (select(node, 1, 0) as Node) : single ? node : castTo(node, 'f64');
      return fromLanes(expandTo(number, shape, this.pieces[piece].lanes.space));
    });
    return { table: parts.length === 1 ? parts[0] : (concat(parts) as Node), shape, isTruth, items: picks?.items };
  }

  /** The rows of a table, one for each lane around the construct, or the only one. */
  private row(of: Rows, rows: Int32Array): unknown {
    const { outer } = this;
    const { table, shape } = of;
    const value =
      outer === null
        ? (reshape(sliceAxis(table, 0, rows[0], rows[0] + 1), shape) as Node)
        : (gather(table, constant(rows, SCALAR, outer.space)) as Node);
    return rowValue(of, value);
  }

  /** What one iteration gave. */
  private item(value: unknown, place: number): unknown {
    const { lanes } = this.pieces[this.pieceOf[place]];
    const lane = this.laneOf[place];
    if (value instanceof Node) {
      if (value.space !== lanes.space) return value;
      const isTruth = value.dtype === 'bool';
      const table = fromLanes(isTruth ? (select(value, 1, 0) as Node) : value);
      const row = reshape(sliceAxis(table, 0, lane, lane + 1), value.shape) as Node;
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

/** Whether objects have the same fields, in the same order. */
/** Not of functions and objects of classes, which may hold values of lanes that cannot be taken out of them. */
export function isUsable(value: unknown): boolean {
  if (typeof value === 'function') return false;
  if (typeof value !== 'object' || value === null || isNumeric(value)) return true;
  const varied = variedOf(value);
  if (varied !== undefined) return varied.table.every(isUsable);
  if (Array.isArray(value)) return value.every(isUsable);
  return isRecord(value) && Object.values(value).every(isUsable);
}
