/** A single operation that has a routine of its own, as a plan sees it. */
import type { Attributes, DType } from '../node.ts';
import type { WasmDevice } from './device.ts';
import type { ExportedFunction } from './host.ts';

/** An operand in device memory. */
export interface Place {
  readonly address: number;
  readonly dtype: DType;
  readonly dims: readonly number[];
  readonly lanes: boolean;
  /** Whether it is data, rather than something computed, and so may have many zeros. */
  readonly mayBeSparse: boolean;
}

export interface Accelerated {
  (): void;
  /** Writes the same into a function for many steps; absent if that has to come back to JavaScript for it. */
  write?: (steps: WrittenSteps) => void;
}

/** A function of WebAssembly for many steps, being written. */
interface WrittenSteps {
  /** Calls a routine with numbers. */
  call(run: ExportedFunction, given: readonly number[]): void;
  /** Calls a routine with a result; where that is not −1, a function of JavaScript. */
  checked(run: ExportedFunction, given: number, otherwise: () => void): void;
}

/** A routine and its arguments. */
type RoutineCall = readonly [run: ExportedFunction, ...given: readonly number[]];

/** Routines one after the other. */
export function inOrder(calls: readonly RoutineCall[], run: () => void): Accelerated {
  const write = (steps: WrittenSteps): void => {
    for (const [routine, ...given] of calls) steps.call(routine, given);
  };
  return Object.assign(run, { write });
}

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
