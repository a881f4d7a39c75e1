/** Operations with WebAssembly kernels of their own. Those not listed run in the reference kernels of the host. */
import type { Attributes, DType, Op } from '../node.ts';
import type { WasmDevice } from './device.ts';

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

export const accelerators: Map<Op, Accelerator> = new Map();
