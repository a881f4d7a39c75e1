/** Which device computes: chosen for the whole thread, so that a test-suite can run on each in turn. */
export type DeviceName = 'js' | 'wasm';

let current: DeviceName = 'wasm';
let blas = true;
let threads: number | undefined;

export function currentDevice(): DeviceName {
  return current;
}

/** `wasm` falls back to `js` where the platform has no WebAssembly with SIMD. */
export function useDevice(name: DeviceName): void {
  current = name;
}

/** Whether large products may use the system's BLAS, if there is one. */
export function blasAllowed(): boolean {
  return blas;
}

export function allowBlas(allowed: boolean): void {
  blas = allowed;
}

/** How many threads may work on one operation; undefined leaves it to the device. */
export function wantedThreads(): number | undefined {
  return threads;
}

/** Results do not depend on the number of threads. */
export function useThreads(count: number | undefined): void {
  threads = count;
}

/**
 * Puts the device and the threads that the user of a run asked for in force; without one, the best that there are. Devices
 * are started when something is computed on them.
 */
export function chooseDevice({ device, threads }: { device?: DeviceName | 'blas'; threads?: number }): void {
  useDevice(device === 'js' ? 'js' : 'wasm');
  allowBlas(device !== 'wasm');
  useThreads(threads);
}
