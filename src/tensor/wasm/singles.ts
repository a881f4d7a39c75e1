/** Operations with WebAssembly kernels of their own. Those not listed run in the reference kernels of the host. */
import { type ProductAttributes, productLayout } from '../kernels/product.ts';
import type { Attributes, DType, Op } from '../node.ts';
import { CONTRACT, MATMUL } from '../ops/products.ts';
import { sizeOf } from '../shape.ts';
import type { WasmDevice } from './device.ts';
import { productAt } from './products.ts';

/** An operand in device memory. */
export interface Place {
  readonly address: number;
  readonly dtype: DType;
  readonly dims: readonly number[];
  readonly lanes: boolean;
}

export type Accelerated = () => void;

/** Prepares a call for fixed places; null if this case is better left to the reference kernel. */
export type Accelerator = (
  device: WasmDevice,
  out: Place,
  inputs: readonly Place[],
  attributes: Attributes | null,
) => Accelerated | null;

const matmul: Accelerator = (device, out, [a, b], attributes) => {
  const flags = attributes as ProductAttributes;
  const { m, n, k, batch, stepA, stepB } = productLayout(a.dims, b.dims, flags);
  const dtype = out.dtype as 'f64' | 'f32';
  const bytes = dtype === 'f64' ? 8 : 4;
  const calls: Accelerated[] = [];
  for (let i = 0; i < batch; i++) {
    const atA = a.address + i * stepA * bytes;
    const atB = b.address + i * stepB * bytes;
    const atC = out.address + i * m * n * bytes;
    calls.push(productAt(device, dtype, m, n, k, atA, flags.transposeA, atB, flags.transposeB, atC));
  }
  if (calls.length === 1) return calls[0];
  return () => {
    for (const call of calls) call();
  };
};

const contract: Accelerator = (device, out, [a, b]) => {
  const k = a.dims[a.dims.length - 1];
  const n = b.dims[b.dims.length - 1];
  const rows = sizeOf(a.dims) / Math.max(1, k);
  return productAt(device, out.dtype as 'f64' | 'f32', k, n, rows, a.address, true, b.address, false, out.address);
};

export const accelerators: ReadonlyMap<Op, Accelerator> = new Map<Op, Accelerator>([
  [MATMUL, matmul],
  [CONTRACT, contract],
]);
