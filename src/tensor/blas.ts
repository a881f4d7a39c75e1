/**
 * Matrix products by the system's BLAS, where one is installed: a few times faster than WebAssembly on large products.
 * It is called through `koffi`, an optional dependency. `WAYMARK_BLAS=off` forbids it, `WAYMARK_BLAS=/path/to/lib`
 * names the library.
 */
import { installedPackage } from '../host/modules.ts';
import { environment, platform, processorFlags } from '../host/system.ts';
import { betterCore } from './blas-core.ts';
import type { Data } from './node.ts';

/** What `cblas_sgemm` and `cblas_dgemm` take: C = alpha A · B + beta C, with the distances between rows of each. */
export type BlasProduct = (
  order: number,
  transposeA: number,
  transposeB: number,
  m: number,
  n: number,
  k: number,
  alpha: number,
  a: Data,
  rowA: number,
  b: Data,
  rowB: number,
  beta: number,
  c: Data,
  rowC: number,
) => void;

export interface Blas {
  readonly library: string;
  readonly f32: BlasProduct;
  readonly f64: BlasProduct;
  /** Where threads find it: each has to load it itself. */
  readonly origin: BlasOrigin;
}

/** How a library is loaded. */
export interface BlasOrigin {
  /** The file of the package `koffi`. */
  readonly koffi: string;
  readonly library: string;
  /** The declarations of its products. */
  readonly f32: string;
  readonly f64: string;
}

const CANDIDATES: Readonly<Record<string, readonly string[]>> = {
  linux: ['libopenblas.so.0', 'libopenblas.so', 'libblis.so.4', 'libmkl_rt.so.2'],
  darwin: ['/System/Library/Frameworks/Accelerate.framework/Accelerate'],
  win32: ['libopenblas.dll', 'openblas.dll'],
};

/** The numbers that CBLAS has for how matrices are stored. */
export const ROW_MAJOR = 101;
export const AS_IS = 111;
export const TRANSPOSED = 112;

/** What is used of koffi. */
interface Foreign {
  load(library: string): Library;
}

interface Library {
  func(prototype: string): (...values: unknown[]) => unknown;
  unload(): void;
}

function open(): Blas | null {
  const wish = environment('WAYMARK_BLAS');
  if (wish === 'off') return null;
  const koffi = installedPackage('koffi');
  if (koffi === undefined) return null;
  for (const library of wish ? [wish] : (CANDIDATES[platform()] ?? [])) {
    const blas = load(koffi.module as Foreign, koffi.file, library);
    if (blas !== null) return blas;
  }
  if (wish) throw new Error(`WAYMARK_BLAS names ${wish}, which could not be loaded as a BLAS library.`);
  return null;
}

const declaration = (symbol: string, real: string): string =>
  `void ${symbol}(int, int, int, int, int, int, ${real}, const void *, int, const void *, int, ${real}, void *, int)`;

function load(koffi: Foreign, file: string, name: string): Blas | null {
  const origin: BlasOrigin = {
    koffi: file,
    library: name,
    f32: declaration('cblas_sgemm', 'float'),
    f64: declaration('cblas_dgemm', 'double'),
  };
  try {
    const library = withItsCore(koffi, name);
    const product = (prototype: string): BlasProduct => library.func(prototype) as BlasProduct;
    const blas = { library: name, f32: product(origin.f32), f64: product(origin.f64), origin };
    useOneThread(library);
    return blas;
  } catch {
    return null; // The library is missing, or is no BLAS: the next candidate may be one.
  }
}

/** The library, with the fastest core that the processor can run, unless the user has named a core. */
function withItsCore(koffi: Foreign, name: string): Library {
  const library = koffi.load(name);
  if (environment(CORE) !== undefined) return library;
  try {
    const core = betterCore(String(library.func('const char *openblas_get_corename()')()), processorFlags());
    if (core === undefined) return library;
    // The library reads the environment of the process, which threads of Node cannot change.
    koffi.load('libc.so.6').func('int setenv(const char *, const char *, int)')(CORE, core, 1);
  } catch {
    return library; // Not OpenBLAS.
  }
  library.unload();
  return koffi.load(name);
}

const CORE = 'OPENBLAS_CORETYPE';

/** More threads are slow on a busy machine, and results would depend on their number. */
function useOneThread(library: Library): void {
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
