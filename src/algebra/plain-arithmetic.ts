/** What operators mean when an operand is not a plain number: tensors element by element, all else as in JavaScript. */
import { ARITHMETIC } from '../compiler/operator-names.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { lifting } from '../runtime/lifting.ts';
import { fieldOf } from '../runtime/throwing.ts';
import { combine } from '../tensor/broadcast.ts';
import { isWithin, outsideText, row } from '../tensor/rows.ts';
import { isVector, Tensor } from '../tensor/tensor.ts';

type Operation = (a: number, b: number) => number;

function elementwise(symbol: string, operation: Operation, a: Tensor | number, b: Tensor | number): Tensor {
  if (typeof a === 'number') return mapped(b as Tensor, (x) => operation(a, x));
  if (typeof b === 'number') return mapped(a, (x) => operation(x, b));
  const combined = combine(a, b, operation);
  if (combined === null) {
    throw new WaymarkError(
      `Tensors combined with '${symbol}' must have the same dims, or 1 where they differ, got [${a.dims.join(', ')}] and ` +
        `[${b.dims.join(', ')}].`,
    );
  }
  return combined;
}

function mapped(a: Tensor, operation: (x: number) => number): Tensor {
  const data = new Float64Array(a.length);
  for (let i = 0; i < data.length; i++) data[i] = operation(a.data[i]);
  return new Tensor(a.dims, data);
}

const isLifted = (value: unknown): boolean => lifting.current?.isLifted(value) === true;

/** An operator: on tensors the numbers' operation for each element, otherwise JavaScript's own. */
function operator(symbol: string, onNumbers: Operation, native: (a: never, b: never) => unknown) {
  const name = ARITHMETIC[symbol];
  return (a: unknown, b: unknown): unknown => {
    if (isLifted(a) || isLifted(b)) return lifting.current!.binary(name, a, b);
    const tensor = a instanceof Tensor || b instanceof Tensor;
    if (!tensor) return native(a as never, b as never);
    if ((a instanceof Tensor || typeof a === 'number') && (b instanceof Tensor || typeof b === 'number')) {
      return elementwise(symbol, onNumbers, a, b);
    }
    // Text with a tensor is text, as for any object.
    if (symbol === '+' && (typeof a === 'string' || typeof b === 'string')) return native(a as never, b as never);
    const other = a instanceof Tensor ? b : a;
    throw new WaymarkError(`'${symbol}' combines a tensor with a number or a tensor, got ${describe(other)}.`);
  };
}

export const add = operator('+', (x, y) => x + y, (a: string, b: string) => a + b); // biome-ignore format: one row each
export const sub = operator('-', (x, y) => x - y, (a: number, b: number) => a - b); // biome-ignore format: one row each
export const mul = operator('*', (x, y) => x * y, (a: number, b: number) => a * b); // biome-ignore format: one row each
export const div = operator('/', (x, y) => x / y, (a: number, b: number) => a / b); // biome-ignore format: one row each
export const mod = operator('%', (x, y) => x % y, (a: number, b: number) => a % b); // biome-ignore format: one row each
export const pow = operator('**', (x, y) => x ** y, (a: number, b: number) => a ** b); // biome-ignore format: one row each

export function neg(a: unknown): unknown {
  if (isLifted(a)) return lifting.current!.binary('sub', 0, a);
  return a instanceof Tensor ? mapped(a, (x) => -x) : -(a as number);
}

/** `++`: unlike `+ 1`, it makes a number of text. */
export function inc(a: unknown): unknown {
  if (isLifted(a)) return lifting.current!.binary('add', a, 1);
  if (a instanceof Tensor) return mapped(a, (x) => x + 1);
  let value = a as number;
  return ++value;
}

export function dec(a: unknown): unknown {
  if (isLifted(a)) return lifting.current!.binary('sub', a, 1);
  if (a instanceof Tensor) return mapped(a, (x) => x - 1);
  let value = a as number;
  return --value;
}

/** What `x++` gives: the value before, as a number. */
export function numeric(a: unknown): unknown {
  if (a instanceof Tensor || isLifted(a)) return a;
  let value = a as number;
  // Postfix increment also keeps bigints, which Number() would not.
  return value++;
}

/** `object[index]` where a plain read found nothing. */
export function get(object: unknown, index: unknown): unknown {
  if (typeof index === 'number' && isLifted(object)) return lifting.current!.element(object, index);
  if (!(object instanceof Tensor) || typeof index !== 'number')
    return (object as Record<PropertyKey, unknown>)[index as PropertyKey];
  if (!isWithin(index, object.dims)) throw new WaymarkError(outsideText(String(index), object.dims));
  return isVector(object) ? object.data[index] : row(object, index);
}

/** `object[index]`, of tensors too. */
export function element(object: unknown, index: unknown): unknown {
  if (object === undefined || object === null) return fieldOf(object, index);
  return (object as Record<PropertyKey, unknown>)[index as PropertyKey] ?? get(object, index);
}
