/** Values of a program as bytes, for other ranks. */
import { packValue, unpackValue } from '../host/packing.ts';
import { Tensor } from '../tensor/tensor.ts';
import { type Likes, likesOf, valuesOf } from './likes.ts';

/** The field of an object that stands for a tensor. */
const TENSOR = '\u0000tensor';
/** The same for a list of values that are alike. */
const LIKES = '\u0000likes';

/** Thrown where a value means nothing elsewhere. */
const unpackable = { unpackable: true };

/** The bytes of a value; undefined if it holds something that means nothing elsewhere: a function, an object of a class. */
export function packed(value: unknown): Uint8Array | undefined {
  try {
    return packValue(plain(value, new Map()));
  } catch (thrown) {
    if (thrown === unpackable) return undefined;
    throw thrown;
  }
}

export function unpacked(bytes: Uint8Array): unknown {
  return restored(unpackValue(bytes), new Map());
}

/** What stands for each object met so far; undefined while it is looked at, since one within itself cannot be taken apart. */
type Met = Map<object, unknown>;

/** The same value with tensors taken apart. Objects that hold none are taken as they are. */
function plain(value: unknown, met: Met): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw unpackable;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (met.has(value)) return met.get(value) ?? fail();
  met.set(value, undefined);
  const ofParts = (): unknown => (Array.isArray(value) ? plainArray(value, met) : plainRecord(value, met));
  const found = value instanceof Tensor ? { [TENSOR]: [value.dims, value.data] } : ofParts();
  met.set(value, found);
  return found;
}

function fail(): never {
  throw unpackable;
}

function plainArray(value: readonly unknown[], met: Met): unknown {
  const likes = likesOf(value);
  if (likes !== undefined) return { [LIKES]: likes };
  let copy: unknown[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const one = value[i];
    if (typeof one === 'number') continue;
    const inner = plain(one, met);
    if (inner === one) continue;
    copy ??= value.slice();
    copy[i] = inner;
  }
  return copy ?? value;
}

function plainRecord(value: object, met: Met): unknown {
  if (Object.getPrototypeOf(value) !== Object.prototype || Object.getOwnPropertySymbols(value).length > 0) fail();
  let copy: Record<string, unknown> | undefined;
  for (const [name, one] of Object.entries(value)) {
    const inner = plain(one, met);
    if (Object.is(inner, one)) continue;
    copy ??= { ...value };
    copy[name] = inner;
  }
  return copy ?? value;
}

/** Puts tensors together again. */
function restored(value: unknown, met: Met): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (met.has(value)) return met.get(value);
  const fields = value as Record<string, unknown>;
  const isArray = Array.isArray(value);
  if (!isArray && Object.hasOwn(fields, TENSOR)) {
    const [dims, data] = fields[TENSOR] as [number[], Float64Array];
    const tensor = new Tensor(dims, data);
    met.set(value, tensor);
    return tensor;
  }
  if (!isArray && Object.hasOwn(fields, LIKES)) {
    const values = valuesOf(fields[LIKES] as Likes);
    met.set(value, values);
    return values;
  }
  met.set(value, value);
  if (isArray && value.every((one) => typeof one === 'number')) return value;
  for (const name of Object.keys(fields)) fields[name] = restored(fields[name], met);
  return value;
}
