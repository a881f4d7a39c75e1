/** What `waymark doctor` finds out about the engine. */
import { cpus } from 'node:os';
import { openMpi } from '../ranks/mpi-library.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { systemBlas } from '../tensor/blas.ts';
import { allowBlas, type DeviceName, useDevice, useThreads } from '../tensor/devices.ts';
import { input } from '../tensor/leaves.ts';
import type { Node } from '../tensor/node.ts';
import { matmul } from '../tensor/ops.ts';
import { compilePlan } from '../tensor/plan/compile.ts';
import { wasmDevice } from '../tensor/wasm/device.ts';

/** The shapes of a layer of 784 × 500 weights with a batch of 100. */
const [M, K, N] = [100, 784, 500];

export function examine(): string[] {
  const library = systemBlas();
  const lines = [`processors: ${cpus().length}`];
  lines.push(row('js', 'always there', speed('js', false)));
  lines.push(
    wasmDevice() === null
      ? 'wasm: not available, because this host has no WebAssembly with SIMD'
      : row('wasm', 'the default, on one thread', speed('wasm', false)),
  );
  lines.push(threadRow());
  if (library !== null) lines.push(row('blas', library.library, speed('wasm', true)));
  else {
    lines.push(
      'blas: not found. Large matrix products run several times faster with one: install libopenblas0 (Debian, Ubuntu), ' +
        'openblas (Fedora, Homebrew), and npm install koffi; or name a library in WAYMARK_BLAS.',
    );
  }
  lines.push(mpiRow());
  return lines;
}

/** The MPI library that ranks would use. */
function mpiRow(): string {
  try {
    const mpi = openMpi(undefined);
    return `mpi: ${mpi.version()} (${mpi.library}); mpirun -n 2 waymark run FILE runs a program on two ranks`;
  } catch (error) {
    if (!(error instanceof WaymarkError)) throw error;
    return `mpi: not available, for programs on several machines. ${error.message}`;
  }
}

/** Threads, and how fast all of them are together. */
function threadRow(): string {
  const threads = wasmDevice()?.threads ?? null;
  if (threads === null) return 'threads: one, because this host cannot share memory between threads';
  if (threads.count === 1) return 'threads: one, because there is one processor';
  return row('threads', `${threads.count} by default (--threads)`, speed('wasm', false, threads.count));
}

function row(name: string, what: string, { f32, f64 }: { f32: number; f64: number }): string {
  return `${name}: ${what}; ${f32.toFixed(1)} GFLOP/s in float32, ${f64.toFixed(1)} in float64`;
}

/** Billions of operations per second of a matrix product, best of several rounds of at least a few milliseconds. */
function speed(device: DeviceName, withBlas: boolean, threads = 1): { f32: number; f64: number } {
  useDevice(device);
  useThreads(threads);
  allowBlas(withBlas);
  const measured = { f32: rate('f32'), f64: rate('f64') };
  useDevice('wasm');
  useThreads(undefined);
  allowBlas(true);
  return measured;
}

function rate(dtype: 'f32' | 'f64'): number {
  const [a, b] = [input([M, K], dtype), input([K, N], dtype)];
  const plan = compilePlan([matmul(a, b) as Node], [a, b]);
  const array = dtype === 'f32' ? Float32Array : Float64Array;
  const given = [new array(M * K).fill(0.5), new array(K * N).fill(0.25)];
  let best = 0;
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    let runs = 0;
    while (performance.now() - start < 30) {
      plan.run(given);
      runs++;
    }
    best = Math.max(best, (2 * M * K * N * runs) / (performance.now() - start) / 1e6);
  }
  return best;
}
