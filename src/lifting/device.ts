import { WaymarkError } from '../runtime/errors.ts';
import type { Engine } from '../runtime/machine.ts';
import { systemBlas } from '../tensor/blas.ts';
import { useDevice } from '../tensor/devices.ts';
import { wasmDevice } from '../tensor/wasm/device.ts';

/** Puts the device that the user of a run asked for in force; without a wish, the best there is. */
export function chooseDevice(wish: Engine['device']): void {
  useDevice(wish === 'js' ? 'js' : 'wasm');
  const wasm = wish === 'js' ? null : wasmDevice();
  if (wasm !== null) wasm.blas = wish !== 'wasm';
  if (wish === 'blas' && (wasm === null || systemBlas() === null)) {
    throw new WaymarkError('--device blas: no BLAS library was found. `waymark doctor` says what to install.');
  }
}
