/**
 * Automatic guides that depend on the datum: inside `mapData`, the free parameters of a mean-field guide are
 * computed from the datum by a network. All data share the network, so that it serves new data too. Its last layer
 * starts at zero, which is where mean-field guides start.
 */
import { derived } from '../lanes/value.ts';
import { variedOf } from '../lanes/varied.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { machine } from '../runtime/machine.ts';
import { Node, shapeOf, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { sizeOf } from '../tensor/shape.ts';
import { Tensor, vector } from '../tensor/tensor.ts';
import { type DatumInView, layerName } from './datum-in-view.ts';
import { param } from './param.ts';

/** Units of each layer. */
const UNITS = 32;
/** How many items of a list are inputs by themselves, besides the mean of all. */
const FIRST_ITEMS = 8;
/** How many numbers stand for a text. */
const LETTERS = 8;

/** What the network makes of the datum: a column of numbers. */
export function hiddenOf(view: DatumInView): Value {
  view.hidden ??= computed(view);
  return view.hidden;
}

export const hiddenUnits = UNITS;

function computed({ place, datum }: DatumInView): Value {
  const input = joined(datum);
  const count = sizeOf(shapeOf(input));
  const known = machine.params.get(layerName(place, 'first'));
  if (known !== undefined && known.dims[1] !== count) throw otherForms();
  const first = ops.tanh(affine(layerName(place, 'first'), input, UNITS, count)) as Value;
  return ops.add(first, ops.tanh(affine(layerName(place, 'second'), first, UNITS, UNITS)) as Value) as Value;
}

function affine(name: string, x: Value, rows: number, columns: number): Value {
  const weights = param({ name, dims: [rows, columns], mu: 0, sigma: 1 / Math.sqrt(columns) });
  const shift = param({ name: `${name}$shift`, dims: [rows, 1], mu: 0, sigma: 0 });
  return ops.add(ops.matmul(weights as Value, x), shift as Value) as Value;
}

const otherForms = (): WaymarkError =>
  new WaymarkError(
    "autoGuide: 'network' looks at all data alike, and these are of different forms. Let all have the same fields, with undefined for what is " +
      'missing, and lists at least one item.',
  );

/** Adds columns with the numbers of a value; values of one form give equally many. */
function addNumbers(value: unknown, parts: Value[]): void {
  const varied = variedOf(value);
  if (varied !== undefined) {
    const found = derived(varied, (one) => joined(one));
    if (!(found instanceof Node || found instanceof Tensor)) throw otherForms();
    parts.push(found);
  } else if (value instanceof Node) parts.push(numbersOfNode(value));
  else if (value instanceof Tensor) parts.push(new Tensor([value.length, 1], Float64Array.from(value.data)));
  else if (typeof value === 'number') parts.push(vector([Math.asinh(value), 0]));
  else if (typeof value === 'boolean') parts.push(vector([value ? 1 : -1, 0]));
  else if (typeof value === 'string') parts.push(vector(lettersOf(value)));
  else if (value === undefined || value === null) parts.push(vector([0, 1]));
  else if (Array.isArray(value)) addList(value, parts);
  else if (typeof value === 'object') {
    for (const key of Object.keys(value).sort()) addNumbers((value as Record<string, unknown>)[key], parts);
  }
}

/** All numbers of a value, in one column. */
function joined(value: unknown): Value {
  const parts: Value[] = [];
  addNumbers(value, parts);
  if (parts.length === 0) throw otherForms();
  return parts.length === 1 ? parts[0] : (ops.concat(parts as Tensor[]) as Value);
}

function numbersOfNode(node: Node): Value {
  if (node.shape.length > 0) return ops.reshape(node, [sizeOf(shapeOf(node)), 1]) as Value;
  const number = node.dtype === 'bool' ? ops.select(node, 1, -1) : ops.asinh(node);
  return ops.concat([ops.reshape(number as Node, [1, 1]) as Value, vector([0])] as Tensor[]) as Value;
}

/** The mean of all items, the first few, and how many there are. */
function addList(items: readonly unknown[], parts: Value[]): void {
  const columns = Array.from(items, joined);
  if (columns.length === 0) return;
  const sum = columns.reduce((total, one) => ops.add(total, one) as Value);
  parts.push(ops.div(sum, columns.length) as Value);
  const width = sizeOf(shapeOf(columns[0]));
  for (let i = 0; i < FIRST_ITEMS; i++) parts.push(columns[i] ?? vector(new Array(width).fill(0)));
  parts.push(vector([Math.log(columns.length)]));
}

/** A text as a list of −1 and 1, always the same for the same text. */
function lettersOf(text: string): number[] {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return Array.from({ length: LETTERS }, (_, k) => ((hash >>> (3 * k)) & 1 ? 1 : -1));
}
