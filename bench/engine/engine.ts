/** What a program that needs the engine loads and starts; measured in a process of its own. */
import '../../src/tensor/evaluate.ts';
import '../../src/tensor/gradient/gradient.ts';
import '../../src/tensor/ops.ts';
import '../../src/tensor/plan/compile.ts';
import { wasmDevice } from '../../src/tensor/wasm/device.ts';

export function start(): void {
  wasmDevice();
}
