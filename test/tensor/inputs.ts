/** Random inputs for the table of cases, from a fixed seed. */
import type { LaneSpace } from '../../src/tensor/lane-space.ts';
import { constant } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import { mul, sum, sumLanes } from '../../src/tensor/ops.ts';
import { SCALAR, sizeOf } from '../../src/tensor/shape.ts';
import type { Case } from './cases.ts';

/** A small generator of its own (mulberry32), so that the numbers never change with the library's. */
export function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function seedOf(text: string): number {
  let hash = 7;
  for (const character of text) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return hash;
}

export function inputData(row: Case, spaces: (input: number) => LaneSpace | null, seed: number): Float64Array[] {
  const random = generator(seed);
  return row.shapes.map((shape, i) => {
    const size = (spaces(i)?.size ?? 1) * sizeOf(shape);
    const [low, high] = row.domain?.[i] ?? row.domain?.[row.domain.length - 1] ?? [-2, 2];
    const whole = row.whole?.includes(i) ?? false;
    const data = Float64Array.from({ length: size }, () =>
      whole ? low + Math.floor(random() * (high - low + 1)) : low + random() * (high - low),
    );
    row.prepare?.(data, i, shape);
    return data;
  });
}

export function inputNodes(
  row: Case,
  spaces: (input: number) => LaneSpace | null,
  data: readonly Float64Array[],
): Node[] {
  return row.shapes.map((shape, i) => constant(data[i], shape, spaces(i)));
}

/** Numbers that differ between lanes. */
export const lanes = (values: ArrayLike<number>, space: LaneSpace): Node =>
  constant(Float64Array.from(values), SCALAR, space);

/** A number that depends on every element of the case's value, with different weights. */
export function objective(row: Case, inputs: readonly Node[]): Node {
  const value = row.build(inputs);
  const random = generator(99);
  const weights = constant(
    Float64Array.from({ length: value.length }, () => 0.5 + random()),
    value.shape,
    value.space,
  );
  const weighted = mul(value, weights);
  return weighted.space === null ? sum(weighted) : sumLanes(sum(weighted));
}
