/**
 * Building blocks of the library's tensor functions on nodes: a function records an operation if it meets a node,
 * and is the plain one otherwise.
 */

import { narrowed } from '../lanes/narrowing.ts';
import { vectorOfResults } from '../lanes/results.ts';
import { vectorInLanes } from '../lanes/value.ts';
import { agreed, variedOf } from '../lanes/varied.ts';
import * as plain from '../library/index.ts';
import { Node, shapeOf, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';

type Plain = (...args: never[]) => unknown;

/** True if a node is among the values, or in an array among them. */
export function meetsNode(values: readonly unknown[]): boolean {
  return values.some(
    (value) =>
      value instanceof Node ||
      (Array.isArray(value) &&
        (variedOf(value) !== undefined || vectorOfResults(value) !== undefined || meetsNode(value))),
  );
}

/** The recorded operation if it meets a node, else the library's own function. */
export function either(record: (...args: never[]) => unknown, native: unknown) {
  return (...given: unknown[]): unknown => {
    const args = given.map(agreedIfText);
    if (!meetsNode(args)) return (native as Plain)(...(args as never[]));
    // Arrays of numbers that differ between lanes count as vectors.
    return record(...(args.map((argument) => narrowed(vectorOf(argument) ?? argument)) as never[]));
  };
}

/** The same for a function that gives an array where it is given one. */
export function eitherKind(record: (...args: never[]) => unknown, native: unknown) {
  const made = either(record, native);
  return (...args: unknown[]): unknown => {
    const result = made(...args);
    return Array.isArray(args[0]) && result instanceof Node ? toScalars(result) : result;
  };
}

/** Numbers in an array that differ between lanes, as a vector. */
export const vectorOf = (value: unknown): Node | undefined => vectorInLanes(value) ?? vectorOfResults(value);

/** A value that differs between lanes and is neither a number nor an array must be the same for all. */
function agreedIfText(value: unknown): unknown {
  const varied = variedOf(value);
  if (varied === undefined) return value;
  // Lists that choices pick may be of several lengths.
  const isVector = Array.isArray(value) && (varied.by === undefined || vectorInLanes(value) !== undefined);
  return isVector ? value : agreed(varied);
}

/** The elements in a row. */
export const flat = (x: Value): Node => ops.reshape(x as Node, [elements(x)]);
/** How many there are. */
export const elements = (x: Value): number => sizeOf(shapeOf(x));
/** [n] counts as one column. */
export const matrixOf = (x: Value): Node => (shapeOf(x).length === 1 ? column(x) : (x as Node));
/** (Of numbers that are known, stacking makes a tensor.) */
export const column = (x: Value): Node => ops.reshape(x as Node, [elements(x), 1]);
export const stackOf = (values: readonly Value[]): Node => ops.stack(values.map(narrowed) as Node[]);

const isColumn = (x: Value): boolean => x instanceof Node && x.shape.length === 2 && x.shape[1] === 1;

/** One entry; the index may be a node too. */
export function entry(x: Value, index: Value): unknown {
  if (typeof index !== 'number') return ops.gather(flat(x), index as Node);
  const length = elements(x);
  if (!Number.isInteger(index) || index < 0 || index >= length) {
    // The plain function has the message for this.
    return plain.T.get(new Tensor([length], new Float64Array(length)), index);
  }
  const row = isColumn(x) ? (x as Node) : flat(x);
  return ops.reshape(ops.sliceAxis(row, 0, index, index + 1), []);
}

export const toScalars = (x: Node): unknown[] => Array.from({ length: elements(x) }, (_, i) => entry(x, i));
