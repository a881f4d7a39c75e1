/**
 * Values that differ between lanes. Numbers, truth values and tensors are nodes with a lane axis. Everything else
 * (objects, arrays, text, functions) is a table of distinct values and an index per lane, behind a proxy, so that
 * programs read fields as ever: reading a field gives the value for all lanes at once, and what cannot be told for all
 * at once makes the lanes part.
 */
import { Copies, originOf } from '../algebra/identity.ts';
import { copied, somePart } from '../algebra/parts.ts';
import { isForeign, primitiveOf, standIn } from '../algebra/stand-in.ts';
import { lifting } from '../runtime/lifting.ts';
import { isSignal, OneByOne } from '../runtime/signals.ts';
import { fieldOf, isProgramError } from '../runtime/throwing.ts';
import { isObject } from '../runtime/values.ts';
import { constant } from '../tensor/leaves.ts';
import { Node } from '../tensor/node.ts';
import { eq, gather, gt, select, stack } from '../tensor/ops.ts';
import { SCALAR, sizeOf } from '../tensor/shape.ts';
import { Tensor, vector } from '../tensor/tensor.ts';
import { type Again, againFrom, alikeNodes, changingNode, laneNode } from './lane-numbers.ts';
import { currentLanes, diverge, type Lanes } from './lanes.ts';
import { areRepeated, onceEach } from './once-each.ts';
import { isRoaming } from './own-objects.ts';
import { putInPicked } from './putting.ts';
import { recording } from './recording.ts';
import type { Rerun } from './rerun.ts';
import {
  agreed,
  agreedOf,
  commonOf,
  itemOf,
  type Known,
  type Picked,
  standFor,
  type Varied,
  variedOf,
} from './varied.ts';

/** One value for all lanes, from a value for each. */
export function laneValue(values: readonly unknown[], lanes: Lanes, again?: Again): unknown {
  const rerun = recording.current;
  if (rerun !== null && again !== undefined) return changingValue(values, lanes, again, rerun);
  const [first] = values;
  if (values.every((value) => Object.is(value, first))) return first;
  return numbersOf(values, lanes).node ?? makeVaried(values, lanes);
}

/** Numbers or tensors as a node, and how later steps find them: one for each iteration, if all lanes of it have the same. */
function numbersOf(values: readonly unknown[], { iterations, space }: Lanes, again?: Again) {
  const times = iterations === null ? 1 : space.size / iterations.size;
  if (iterations === null || !areRepeated(values, times)) return { node: laneNode(values, space), again };
  return {
    node: laneNode(onceEach(values, times), iterations),
    // (Data change, and those of an iteration together.)
    again: again && (() => onceEach(again(), times)),
  };
}

/** A value that other data will change: a leaf of the recording, or a table that knows how it comes about. */
function changingValue(values: readonly unknown[], lanes: Lanes, again: Again, rerun: Rerun): unknown {
  const { node: first, again: later } = numbersOf(values, lanes, again);
  if (first === undefined) {
    const [value] = values;
    const isSame = (other: unknown): boolean => other === value;
    if ((value !== undefined && value !== null) || !values.every(isSame)) return makeVaried(values, lanes, again);
    // A missing value has no stand-in: it must be missing in later steps, too.
    rerun.require(() => again().every(isSame));
    return value;
  }
  return changingNode(first, later!, rerun);
}

/** The plain value of one lane, which looks at it. */
export function laneAt(value: unknown, lane: number, lanes: Lanes, copies = new Copies()): unknown {
  if (value instanceof Node) {
    recording.current?.lookedAt(value);
    if (value.space === null) return value.value();
    const map = lanes.mapTo(value.space);
    const at = map === null ? lane : map[lane];
    const data = value.elements();
    if (value.shape.length === 0) return value.dtype === 'bool' ? data[at] !== 0 : data[at];
    const size = sizeOf(value.shape);
    return new Tensor(value.shape, Float64Array.from(data.subarray(at * size, (at + 1) * size)));
  }
  const varied = variedOf(value);
  if (varied !== undefined) return laneAt(itemOf(varied, lane, lanes), lane, lanes, copies);
  if (typeof value !== 'object' || value === null || !standsForOthers(value)) return value;
  const source = sourceAt(value, lane, lanes);
  // An object without nodes in it is the one that it was before sides were merged.
  if (source !== value && !standsForOthers(source)) return source;
  return copies.of(value, source, () => copied(value, (part) => laneAt(part, lane, lanes, copies)));
}

/** The object that a lane had before those of several sides were merged. */
export function sourceAt(value: object, lane: number, lanes: Lanes): object {
  const origin = originOf(value);
  const varied = variedOf(origin);
  return (varied === undefined ? origin : itemOf(varied, lane, lanes)) as object;
}

/** Whether the value, or something in it, is a node or differs between lanes. */
export function standsForOthers(value: unknown): boolean {
  if (value instanceof Node || variedOf(value) !== undefined) return true;
  return typeof value === 'object' && value !== null && somePart(value, standsForOthers);
}

/** True if a node is in the value: in its fields, items, or, for a distribution, parameters. */
export function holdsNode(value: unknown): boolean {
  if (value instanceof Node) return true;
  if (typeof value !== 'object' || value === null || value instanceof Tensor) return false;
  if (Array.isArray(value)) return value.some(holdsNode);
  if (Object.getPrototypeOf(value) === Object.prototype) return Object.values(value).some(holdsNode);
  return 'params' in value && holdsNode(value.params);
}

/** True if the value, or something in it, differs between lanes. */
export function differs(value: unknown): boolean {
  if (value instanceof Node) return value.space !== null;
  const varied = variedOf(value);
  if (varied !== undefined) return varied.by?.space !== null || varied.table.some(differs);
  return typeof value === 'object' && value !== null && somePart(value, differs);
}

export function makeVaried(values: readonly unknown[], lanes: Lanes, again?: Again): unknown {
  partWhereMissing(values, lanes);
  const places = new Map<unknown, number>();
  const index = new Int32Array(values.length);
  values.forEach((value, i) => {
    let place = places.get(value);
    if (place === undefined) {
      place = places.size;
      places.set(value, place);
    }
    index[i] = place;
  });
  return proxyFor({ table: [...places.keys()], index, lanes, again, fields: new Map() });
}

/** JavaScript's own `??` and `?.` look at whether there is a value, so that lanes must agree about that. */
function partWhereMissing(values: readonly unknown[], lanes: Lanes): void {
  const missing = values.map((value) => (value === undefined || value === null ? value : 'there'));
  if (missing.every((is) => is === missing[0])) return;
  const map = currentLanes()!.mapTo(lanes.space);
  const here = map === null ? missing : Array.from(map, (lane) => missing[lane]);
  if (here.some((is) => is !== here[0])) diverge(here);
}

/** The one of some values that a whole number of the graph names: it is looked at only where its value is needed. */
export function pick(values: readonly unknown[], by: Node): unknown {
  const [first] = values;
  if (values.every((value) => value === first)) return first;
  const nodes = alikeNodes(values);
  if (nodes !== undefined) return pickNumber(nodes, by);
  const table = [...new Set(values)];
  const places = Float64Array.from(values, (value) => table.indexOf(value));
  const place = table.length === values.length ? by : (gather(constant(places, [places.length]), by) as Node);
  const picked: Varied = { table, by: place, fields: new Map() };
  // Whether there is a value is looked at.
  return table.some(isMissing) ? agreed(picked) : proxyFor(picked);
}

function pickNumber(nodes: readonly Node[], by: Node): Node {
  if (nodes[0].dtype !== 'bool') return gather(stack(nodes as Node[]) as Node, by) as Node;
  return gt(gather(stack(nodes.map((node) => select(node, 1, 0)) as Node[]) as Node, by), 0) as Node;
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** The same index over other values: what `of` makes of each. */
export function derived(varied: Varied, of: (value: unknown) => unknown): unknown {
  if (varied.by !== undefined) return derivedFromPicked(varied, of);
  const { table, index, lanes, again } = varied;
  const made = table.map(of);
  if (made.some((value) => value instanceof Node)) return gatheredFrom(made, varied);
  return laneValue(
    Array.from(index, (place) => made[place]),
    lanes,
    again && againFrom(again, () => again().map(of), of),
  );
}

/** `of` may fail for values of the table that no lane has. Then it is asked about the values that lanes have. */
function derivedFromPicked(varied: Picked, of: (value: unknown) => unknown): unknown {
  let made: unknown[];
  try {
    made = varied.table.map(of);
  } catch (thrown) {
    if (isSignal(thrown) || !isProgramError(thrown)) throw thrown;
    return of(agreed(varied));
  }
  return pick(made, varied.by);
}

/** Whether it stands for nothing but text, truth values and numbers, which cannot be changed. */
export const isText = ({ table }: Varied): boolean =>
  table.every((value) => typeof value !== 'object' && typeof value !== 'function');

const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value);

/** Whether the lanes in force are not all that the value is for. */
function hasFewerLanes({ lanes }: Known): boolean {
  return currentLanes()!.space !== lanes.space;
}

/** The same for the lanes in force alone: where values are of different kinds, theirs may be of one. */
function forLanesHere({ table, index, lanes, again }: Known): Known {
  const here = currentLanes()!;
  const map = here.mapTo(lanes.space) as Int32Array;
  const places = Int32Array.from(map, (lane) => index[lane]);
  const own = [...new Set(places)];
  return {
    table: own.map((place) => table[place]),
    index: places.map((place) => own.indexOf(place)),
    lanes: here,
    again:
      again &&
      againFrom(
        again,
        () => {
          const values = again();
          return Array.from(map, (lane) => values[lane]);
        },
        (value) => value,
      ),
  };
}

/** For each lane its item of a table in which there are nodes. */
function gatheredFrom(made: readonly unknown[], { index, lanes, again }: Known): unknown {
  if (!made.every((value) => typeof value === 'number' || value instanceof Node || value instanceof Tensor)) {
    throw new OneByOne('value', 'values that differ between iterations are of different kinds');
  }
  if (again !== undefined)
    recording.current?.obstruct('parameters', 'the program looks at data that change from step to step');
  return gather(stack(made as Node[]) as Node, constant(index, SCALAR, lanes.space));
}

function proxyFor(varied: Varied): unknown {
  const { table } = varied;
  // Text, numbers and truth values have no fields to go through.
  if (!table.every(isObject)) return standFor(varied, new Proxy({}, { get: (_target, key) => textField(varied, key) }));
  const proxy = standIn({
    values: table,
    derive: (of) => derived(varied, of),
    agree: (of) => agreedOf(varied, of),
    field: (key) => field(varied, key),
    call: (self, args) => called(varied, (fn) => Reflect.apply(fn as () => unknown, self, args)),
    // An execution alone changes the one that its choices pick.
    put: (key, value) => putInPicked(varied, key, value),
    changed: () => {
      if (currentLanes() === null) return agreed(varied) as object;
      throw new OneByOne('state', 'a field of an object is assigned that is not the same for all');
    },
  });
  return standFor(varied, proxy);
}

/** Lanes that call more functions than this part instead. */
const MOST_CALLED = 8;

/** Calls `run` with each of the values, for those lanes that have it. */
function called(varied: Varied, run: (value: unknown) => unknown): unknown {
  const { table } = varied;
  if (!currentLanes()?.branches || table.length > MOST_CALLED) return run(agreed(varied));
  const isAt = (place: number): unknown =>
    varied.by === undefined ? derived(varied, (value) => value === table[place]) : eq(varied.by, place);
  const from = (place: number): unknown =>
    place === table.length - 1
      ? run(table[place])
      : lifting.current!.branch(
          isAt(place),
          () => run(table[place]),
          () => from(place + 1),
        );
  return from(0);
}

/** Methods of arrays whose results can be gone through once. */
const ITERATORS: ReadonlySet<PropertyKey> = new Set(['entries', 'keys', 'values']);

function field(varied: Varied, key: PropertyKey): unknown {
  const of = (value: unknown): unknown => fieldOf(value, key);
  if (key === 'length' && varied.table.every(Array.isArray)) {
    const length = commonOf(varied, of);
    if (length !== undefined) return length;
  }
  const fields = varied.table.map(of);
  if (typeof fields[0] !== 'function') {
    const before = varied.fields?.get(key);
    // Objects may have been changed meanwhile.
    if (before?.of.every((value, i) => Object.is(value, fields[i]))) return before.value;
    if (varied.by === undefined && fields.some((value) => kindOf(value) !== kindOf(fields[0])) && hasFewerLanes(varied))
      return derived(forLanesHere(varied), of);
    const value = derived(varied, of);
    // (Where some have none, it is looked at, and is that of the lanes in force alone.)
    if (varied.by === undefined || !fields.some(isMissing)) varied.fields?.set(key, { of: fields, value });
    return value;
  }
  if (Array.isArray(varied.table[0]) && ITERATORS.has(key)) return of(agreed(varied));
  if (fields.every((value) => value === fields[0])) {
    // A method they share: called on each, if what it is given is the same for all.
    return (...args: unknown[]): unknown => {
      if (args.some((argument) => typeof argument === 'function') || (varied.by !== undefined && !isText(varied)))
        return Reflect.apply(fields[0] as () => unknown, agreed(varied), args);
      return derived(varied, (value) => (fields[0] as (...given: unknown[]) => unknown).apply(value, args));
    };
  }
  if (varied.table.some((value, i) => typeof fields[i] === 'function' && !Object.hasOwn(value as object, key)))
    // Methods of several kinds of objects: each is called on its own.
    return (...args: unknown[]): unknown =>
      called(varied, (value) => Reflect.apply(of(value) as () => unknown, value, args));
  return derived(varied, of);
}

/** A field of text and the like; to ask for the whole of it is to look at it. */
function textField(varied: Varied, key: PropertyKey): unknown {
  if (key === Symbol.toPrimitive) return (hint: string) => primitiveOf(agreed(varied), hint);
  if (key === 'valueOf' || key === 'toJSON') return () => agreed(varied);
  if (key === 'toString') return () => String(agreed(varied));
  if (key === Symbol.iterator) return () => (agreed(varied) as Iterable<unknown>)[Symbol.iterator]();
  return isForeign(key, varied.table) ? undefined : field(varied, key);
}

const numericNodes = new WeakMap<Varied, Node | null>();

/** Arrays of numbers that differ between lanes, as vectors with a lane axis; undefined for other values. */
export function vectorInLanes(value: unknown): Node | undefined {
  const varied = variedOf(value);
  if (varied === undefined) return undefined;
  let node = varied.table.some(isRoaming) ? undefined : numericNodes.get(varied);
  if (node === undefined) {
    const [first] = varied.table as readonly unknown[][];
    const isRow = (row: unknown): boolean =>
      Array.isArray(row) &&
      row.length === first.length &&
      row.every((item) => typeof item === 'number' || typeof item === 'boolean');
    const made = varied.table.every(isRow) ? derived(varied, (row) => vector((row as number[]).map(Number))) : null;
    node = made instanceof Node ? made : null;
    numericNodes.set(varied, node);
  }
  return node ?? undefined;
}
