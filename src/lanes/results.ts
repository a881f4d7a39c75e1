/**
 * What iterations that ran side by side returned, as an array that the program may use like any other. Numbers and
 * tensors are rows of one table, of which items are taken in the graph; arrays and objects are taken apart. An item
 * belongs to the lanes around the construct, if there are any: each of them has iterations of its own.
 */

import { asLanes } from '../tensor/lane-gather.ts';
import { constant } from '../tensor/leaves.ts';
import { CONSTANT, type Node } from '../tensor/node.ts';
import { gather, reshape, select } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import { currentLanes, diverge, type Lanes, laneNumbers } from './lanes.ts';
import { isUsable, PieceValues, type Refuse, type Rows, rowValue } from './piece-values.ts';
import type { Iteration, Piece } from './together.ts';

/** What each iteration gave, by the index it has in its lane. */
type At = (index: number) => unknown;

const outcomes = new WeakMap<object, Outcome>();

const outcomeOf = (value: unknown): Outcome | undefined =>
  typeof value === 'object' && value !== null ? outcomes.get(value) : undefined;

export const isResults = (value: unknown): value is unknown[] => outcomeOf(value) !== undefined;

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

/** How often the body was run for a group, and sides of conditionals in it; those that were taken back count, too. */
interface Work {
  readonly executions: number;
  readonly sides: number;
}

export class Outcome {
  private readonly outer: Lanes | null;
  private readonly values: PieceValues;
  /** For each lane around the construct, its first iteration, and how many it has. */
  private readonly starts: Int32Array;
  private readonly counts: Int32Array;

  constructor(
    private readonly pieces: readonly Piece[],
    { outerLanes }: Iteration,
    private readonly refuse: Refuse,
    /**
     * How much was run, and how much would have been if each iteration had run by itself, with the values that
     * are tried in it.
     */
    readonly work: Work & { readonly apart: Work },
  ) {
    this.outer = currentLanes();
    this.values = new PieceValues(pieces, outerLanes.length, refuse);
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
      at ??= this.combined();
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
    const { pieceOf } = this.values;
    const lastOf = (lane: number): number => {
      for (let place = this.starts[lane] + this.counts[lane] - 1; place >= this.starts[lane]; place--) {
        if (values[pieceOf[place]] !== undefined) return place;
      }
      return this.refuse('some of them leave in globalStore what others do not');
    };
    const places = Int32Array.from({ length: outerLanes }, (_, lane) => lastOf(lane));
    const wrote = this.pieces.map((_, piece) => values[piece]);
    if (this.outer === null) {
      const [place] = places;
      return this.values.item(wrote[pieceOf[place]]!.value, place);
    }
    const rows = wrote.every((one) => one !== undefined) ? this.values.rows(wrote.map((one) => one!.value)) : undefined;
    if (rows === undefined) return this.refuse('the program uses what an iteration left in globalStore');
    return this.values.row(rows, places, this.outer);
  }

  /** Calls `of` for the value of each iteration, in their order. */
  each<T>(of: (value: unknown, lane: number, lanes: Lanes) => T): T[] {
    const { pieceOf, laneOf } = this.values;
    return Array.from(pieceOf, (piece, place) => of(this.pieces[piece].value, laneOf[place], this.pieces[piece].lanes));
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
    if (outer === null) return inOrder ? table : (gather(table, constant(this.values.rowOf, [length])) as Node);
    if (inOrder) return asLanes(reshape(table, [outer.size, length]) as Node, outer.space);
    return gather(table, constant(this.values.rowOf, [length], outer.space)) as Node;
  }

  padded(filler: number): Node | undefined {
    const { counts, outer, starts, rowsOfResults: rows } = this;
    const { rowOf } = this.values;
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
    const { outer, counts, starts, rowsOfResults: rows } = this;
    const { rowOf } = this.values;
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
    this.known ??= { rows: this.values.rows(this.pieces.map(({ value }) => value)) };
    return this.known.rows;
  }

  /** For each lane around the construct, where its iteration of that index is; any other, if it has none. */
  private placesAt(index: number): Int32Array {
    return this.starts.map((start, lane) => (index < this.counts[lane] ? start + index : 0));
  }

  /** One way to find all results. */
  private combined(): At {
    const at = this.values.combined(
      this.pieces.map(({ value }) => value),
      this.outer,
    );
    return (index) => at(this.placesAt(index));
  }
}
