/**
 * Matrix products by the system's BLAS, where one is installed: a few times faster than WebAssembly on large products.
 * It is called through `koffi`, an optional dependency. `WAYMARK_BLAS=off` forbids it, `WAYMARK_BLAS=/path/to/lib`
 * names the library.
 */
import type { Data } from './node.ts';

/** C = A · B for row-major m × k and k × n matrices, each stored transposed where said. */
export type BlasProduct = (
  m: number,
  n: number,
  k: number,
  a: Data,
  transposeA: boolean,
  b: Data,
  transposeB: boolean,
  c: Data,
) => void;

export interface Blas {
  readonly library: string;
  readonly f32: BlasProduct;
  readonly f64: BlasProduct;
}

const CANDIDATES: Readonly<Record<string, readonly string[]>> = {
  linux: ['libopenblas.so.0', 'libopenblas.so', 'libblis.so.4', 'libmkl_rt.so.2'],
  darwin: ['/System/Library/Frameworks/Accelerate.framework/Accelerate'],
  win32: ['libopenblas.dll', 'openblas.dll'],
};

const ROW_MAJOR = 101;
const AS_IS = 111;
const TRANSPOSED = 112;

/** What is used of koffi. */
interface Foreign {
  load(library: string): { func(prototype: string): (...values: unknown[]) => void };
}

interface NodeProcess {
  readonly platform: string;
  readonly env: Record<string, string | undefined>;
  getBuiltinModule?(name: string): { createRequire(from: string): (name: string) => unknown };
}

function open(): Blas | null {
  // Only on Node: other hosts have neither `process` nor native libraries.
  const host = (globalThis as { process?: NodeProcess }).process;
  const wish = host?.env.WAYMARK_BLAS;
  if (host?.getBuiltinModule === undefined || wish === 'off') return null;
  let koffi: Foreign;
  try {
    koffi = host.getBuiltinModule('node:module').createRequire(import.meta.url)('koffi') as Foreign;
  } catch {
    return null; // An optional dependency that is not installed.
  }
  for (const library of wish ? [wish] : (CANDIDATES[host.platform] ?? [])) {
    const blas = load(koffi, library);
    if (blas !== null) return blas;
  }
  if (wish) throw new Error(`WAYMARK_BLAS names ${wish}, which could not be loaded as a BLAS library.`);
  return null;
}

function load(koffi: Foreign, name: string): Blas | null {
  try {
    const library = koffi.load(name);
    const product = (symbol: string, real: string): BlasProduct => {
      const call = library.func(
        `void ${symbol}(int, int, int, int, int, int, ${real}, const void *, int, const void *, int, ${real}, void *, int)`,
      );
      return (m, n, k, a, transposeA, b, transposeB, c) =>
        call(
          ROW_MAJOR,
          transposeA ? TRANSPOSED : AS_IS,
          transposeB ? TRANSPOSED : AS_IS,
          m,
          n,
          k,
          1,
          a,
          transposeA ? m : k,
          b,
          transposeB ? k : n,
          0,
          c,
          n,
        );
    };
    const blas = { library: name, f32: product('cblas_sgemm', 'float'), f64: product('cblas_dgemm', 'double') };
    useOneThread(library);
    return blas;
  } catch {
    return null; // Not there, or not a BLAS: the next candidate may be.
  }
}

/** More threads collapse on a busy machine, and results would depend on their number. */
function useOneThread(library: ReturnType<Foreign['load']>): void {
  try {
    library.func('void openblas_set_num_threads(int)')(1);
  } catch {
    // Other libraries have no such function.
  }
}

let found: Blas | null | undefined;

/** The system's BLAS, looked for once; null if there is none. */
export function systemBlas(): Blas | null {
  if (found === undefined) found = open();
  return found;
}
