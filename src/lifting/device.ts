import { WaymarkError } from '../runtime/errors.ts';
import type { Engine } from '../runtime/machine.ts';
import { systemBlas } from '../tensor/blas.ts';
import { wasmDevice } from '../tensor/wasm/device.ts';

/** Refuses a device that is not there. */
export function checkDevice({ device }: Engine): void {
  if (device === 'blas' && (wasmDevice() === null || systemBlas() === null)) {
    throw new WaymarkError('--device blas: no BLAS library was found. `waymark doctor` says what to install.');
  }
}
