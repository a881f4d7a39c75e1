/** Which device computes: chosen for the whole thread, so that a test-suite can run on each in turn. */
export type DeviceName = 'js' | 'wasm';

let current: DeviceName = 'wasm';

export function currentDevice(): DeviceName {
  return current;
}

/** `wasm` falls back to `js` where the host has no WebAssembly with SIMD. */
export function useDevice(name: DeviceName): void {
  current = name;
}
