/** What a single operation with a routine of its own looks like to a plan. */
import type { Attributes, DType } from '../node.ts';
import type { WasmDevice } from './device.ts';

/** An operand in device memory. */
export interface Place {
  readonly address: number;
  readonly dtype: DType;
  readonly dims: readonly number[];
  readonly lanes: boolean;
  /** Whether it is data, rather than something computed, and so may have many zeros. */
  readonly isData: boolean;
}

export type Accelerated = () => void;

/** Prepares a call for fixed places; null if this case is better left to the reference kernel. */
export type Accelerator = (
  device: WasmDevice,
  out: Place,
  inputs: readonly Place[],
  attributes: Attributes | null,
  /** Address of `TABLE_WORDS` words that belong to this step. */
  table: number,
) => Accelerated | null;

/** Words every single step has for a table of its own. */
export const TABLE_WORDS = 12;
