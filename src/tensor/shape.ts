/** Shapes: the lengths of a value's axes, without the lane axis (see `lane-space.ts`). A scalar has none. */
export type Shape = readonly number[];

export const SCALAR: Shape = [];

/** Operands that do not fit together. The message names the operation and every shape. */
export class ShapeError extends Error {
  override name = 'ShapeError';
}

export function shapeText(shape: Shape): string {
  return `[${shape.join(', ')}]`;
}

/** How many numbers there are. */
export function sizeOf(shape: Shape): number {
  let size = 1;
  for (let i = 0; i < shape.length; i++) size *= shape[i];
  return size;
}

export function sameShape(a: Shape, b: Shape): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Axes are aligned at the end; an axis of length 1 stretches. */
export function broadcastShapes(operation: string, a: Shape, b: Shape): Shape {
  if (sameShape(a, b) || b.length === 0) return a;
  if (a.length === 0) return b;
  const rank = Math.max(a.length, b.length);
  const out = new Array<number>(rank);
  for (let i = 1; i <= rank; i++) {
    const m = i <= a.length ? a[a.length - i] : 1;
    const n = i <= b.length ? b[b.length - i] : 1;
    if (m !== n && m !== 1 && n !== 1) {
      throw new ShapeError(`${operation}: shapes ${shapeText(a)} and ${shapeText(b)} do not fit together.`);
    }
    out[rank - i] = m === 1 ? n : m;
  }
  return out;
}

/** Axes as numbers 0 … rank − 1 in ascending order; negative ones count from the end, undefined means all. */
export function normaliseAxes(operation: string, shape: Shape, axes: number | readonly number[] | undefined): number[] {
  if (axes === undefined) return shape.map((_, i) => i);
  const list = typeof axes === 'number' ? [axes] : axes;
  const out = list.map((axis) => normaliseAxis(operation, shape, axis)).sort((a, b) => a - b);
  for (let i = 1; i < out.length; i++) {
    if (out[i] === out[i - 1]) {
      throw new ShapeError(`${operation}: axis ${out[i]} of shape ${shapeText(shape)} is named twice.`);
    }
  }
  return out;
}

export function normaliseAxis(operation: string, shape: Shape, axis: number): number {
  const at = axis < 0 ? axis + shape.length : axis;
  if (!Number.isInteger(at) || at < 0 || at >= shape.length) {
    throw new ShapeError(`${operation}: shape ${shapeText(shape)} has no axis ${axis}.`);
  }
  return at;
}

/** Row-major strides, in elements. */
export function stridesOf(dims: Shape): number[] {
  const strides = new Array<number>(dims.length);
  let step = 1;
  for (let i = dims.length - 1; i >= 0; i--) {
    strides[i] = step;
    step *= dims[i];
  }
  return strides;
}
