/**
 * What stands behind a value that differs between lanes and is no number: a table of distinct values, and for each lane the
 * place of its own. Where choices decide which it is, the place is a node, and is not looked at before it is needed.
 */
import { force } from '../runtime/force.ts';
import type { Node } from '../tensor/node.ts';
import type { Again } from './lane-numbers.ts';
import { currentLanes, diverge, type Lanes, laneNumbers } from './lanes.ts';
import { recording } from './recording.ts';

/** Fields asked for before, so that each is one value of the graph however often it is used. */
type Fields = Map<PropertyKey, { readonly of: readonly unknown[]; readonly value: unknown }>;

/** Values whose places are known: those of data, for example. */
export interface Known {
  readonly table: readonly unknown[];
  readonly by?: undefined;
  /** For each lane, the place of its value in the table. */
  readonly index: Int32Array;
  readonly lanes: Lanes;
  /** Where a later step will look at other data. */
  readonly again?: Again;
  readonly fields?: Fields;
}

/** Choices decide which of the values it is: in lanes, or in an execution by itself. */
export interface Picked {
  readonly table: readonly unknown[];
  /** The place in the table. */
  readonly by: Node;
  readonly again?: undefined;
  readonly fields?: Fields;
}

export type Varied = Known | Picked;

const known = new WeakMap<object, Varied>();

/** Makes an object stand for values. */
export function standFor(varied: Varied, proxy: object): unknown {
  known.set(proxy, varied);
  return proxy;
}

/** What stands behind a value that differs between lanes, or that choices pick; undefined for all others. */
export function variedOf(value: unknown): Varied | undefined {
  return (typeof value === 'object' && value !== null) || typeof value === 'function' ? known.get(value) : undefined;
}

function noteLook(varied: Known): void {
  if (varied.again !== undefined)
    recording.current?.obstruct('parameters', 'the program looks at data that change from step to step');
}

/** The entry of the table for a lane, which looks at the place. */
export function itemOf(varied: Varied, lane: number, lanes: Lanes): unknown {
  const { table, by } = varied;
  if (by === undefined) {
    noteLook(varied);
    const map = lanes.mapTo(varied.lanes.space);
    return table[varied.index[map === null ? lane : map[lane]]];
  }
  recording.current?.lookedAt(by);
  const map = by.space === null ? null : lanes.mapTo(by.space);
  return table[by.elements()[by.space === null ? 0 : map === null ? lane : map[lane]]];
}

/** For each of the lanes, or for the only execution if there are none, the place of its value in the table. */
export function placesIn(varied: Varied, lanes: Lanes | null): Int32Array {
  const { by } = varied;
  if (by !== undefined)
    return lanes === null ? Int32Array.of(force(by) as number) : Int32Array.from(laneNumbers(by, lanes));
  noteLook(varied);
  const map = lanes!.mapTo(varied.lanes.space);
  return map === null ? varied.index : Int32Array.from(map, (lane) => varied.index[lane]);
}

function labelsHere(varied: Varied): Int32Array {
  return placesIn(varied, currentLanes());
}

/** The value if the current lanes agree on it; otherwise they part. */
export function agreed(varied: Varied): unknown {
  const labels = labelsHere(varied);
  for (let i = 1; i < labels.length; i++) if (labels[i] !== labels[0]) diverge(labels);
  return varied.table[labels[0]];
}

/** A value that must be the same for all current lanes; they part where it is not. Nodes are left as they are. */
export function agreedValue(value: unknown): unknown {
  const varied = variedOf(value);
  return varied === undefined ? value : agreed(varied);
}

/** The result of `of`, if it is the same for all values; a recording relies on it. Undefined if it is not. */
export function commonOf({ table, again }: Varied, of: (value: unknown) => unknown): unknown {
  const answer = of(table[0]);
  const same = (value: unknown): boolean => of(value) === answer;
  if (!table.every(same)) return undefined;
  if (again !== undefined) recording.current?.require(() => again().every(same));
  return answer;
}

/** The result of `of` for the values of all current lanes; they part where it is not the same. */
export function agreedOf(varied: Varied, of: (value: unknown) => unknown): unknown {
  const common = commonOf(varied, of);
  if (common !== undefined) return common;
  const found = Array.from(labelsHere(varied), (place) => of(varied.table[place]));
  for (const answer of found) if (answer !== found[0]) diverge(found);
  return found[0];
}
