import { WaymarkError } from '../runtime/errors.ts';
import type { Engine } from '../runtime/machine.ts';
import { systemBlas } from '../tensor/blas.ts';
import { allowBlas, useDevice, useThreads } from '../tensor/devices.ts';
import { wasmDevice } from '../tensor/wasm/device.ts';

/**
 * Puts the device and the threads that the user of a run asked for in force; without a wish, the best there are. Devices
 * are started when something is computed on them.
 */
export function chooseDevice({ device, threads }: Engine): void {
  useDevice(device === 'js' ? 'js' : 'wasm');
  allowBlas(device !== 'wasm');
  useThreads(threads);
  if (device === 'blas' && (wasmDevice() === null || systemBlas() === null)) {
    throw new WaymarkError('--device blas: no BLAS library was found. `waymark doctor` says what to install.');
  }
}
