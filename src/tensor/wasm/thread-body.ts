/**
 * What a thread does: takes pieces of work until the process ends. Its text is handed to a worker as it is, so that it
 * runs from a bundle, from source and from a page alike; it must use nothing but its argument and JavaScript's globals.
 */
import type { BlasOrigin, BlasProduct } from '../blas.ts';
import type { ExportedFunction, Memory, WebAssemblyHost } from './host.ts';

/** What a thread is told when it starts. */
export interface ThreadStart {
  readonly memory: Memory;
  /** Address of the work that is offered, laid out as `Offer` says. */
  readonly offer: number;
  /** Address of memory of its own, for packing. */
  readonly workspace: number;
  /** The module of vector functions, from which kernels import. */
  readonly math: Uint8Array<ArrayBuffer>;
  /** The module of matrix products, which has the number 0. */
  readonly products: Uint8Array<ArrayBuffer>;
}

/**
 * Words of the work on offer. `STATE` is the number of the next piece in its low 8 bits, and above them the number of the
 * offer: a thread takes a piece by exchanging it for one more, which fails if it has changed since the thread read it.
 */
export const Offer = {
  STATE: 0,
  /** Pieces that are finished. */
  DONE: 1,
  /** Pieces there are. */
  COUNT: 2,
  /** Number of the module, the address and length of its bytes, and which of its exports is to be called. */
  MODULE: 3,
  BYTES_AT: 4,
  BYTES: 5,
  EXPORT: 6,
  /** How large the memory is that the pieces are in: it may have grown, and a thread not have noticed yet. */
  PAGES: 7,
  /** Not 0 if a piece failed. */
  FAILED: 8,
  /** Here the pieces start: for each, its arguments. A thread adds the address of its own workspace to them. */
  PIECES: 9,
  /** Words of a piece. */
  ARGUMENTS: 11,
  /** The number of the module that is the system's BLAS; its bytes are the text of a `BlasOrigin`. */
  BLAS: -1,
  /** The most pieces of an offer; a higher number of the next piece means that the offer is not open yet. */
  MOST: 32,
} as const;

/** Loads a package; threads of a browser have none. */
type Require = ((name: string) => { load(library: string): { func(declaration: string): BlasProduct } }) | null;

export function threadBody(start: ThreadStart, offer: typeof Offer, require: Require): void {
  /** Looks at an idle offer before going to sleep: some tens of microseconds. */
  const GLANCES = 2000;
  const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyHost }).WebAssembly;
  const { memory, workspace } = start;
  const words = new Int32Array(memory.buffer, start.offer, offer.PIECES + offer.MOST * offer.ARGUMENTS);
  const instantiate = (bytes: Uint8Array<ArrayBuffer>, imports: object): Record<string, ExportedFunction> =>
    new wasm.Instance(new wasm.Module(bytes), { env: { memory, ...imports } }).exports;
  const math = instantiate(start.math, { sin: Math.sin, cos: Math.cos });
  const modules = new Map([[0, Object.values(instantiate(start.products, {}))]]);
  const blasProduct = (product: BlasProduct, bytes: number): ExportedFunction => {
    const at = (address: number) =>
      bytes === 8 ? new Float64Array(memory.buffer, address) : new Float32Array(memory.buffer, address);
    return (flagA, flagB, m, n, k, a, rowA, b, rowB, c, rowC) => {
      product(101, flagA, flagB, m, n, k, 1, at(a), rowA, at(b), rowB, 0, at(c), rowC);
      return 0;
    };
  };
  const loadBlas = (text: string): ExportedFunction[] => {
    if (text === '' || require === null) return [];
    const { koffi, library, f64, f32 } = JSON.parse(text) as BlasOrigin;
    const blas = require(koffi).load(library);
    return [blasProduct(blas.func(f64), 8), blasProduct(blas.func(f32), 4)];
  };
  /** The functions of a module; empty if this thread cannot load it. */
  const functionsOf = (module: number, at: number, length: number): ExportedFunction[] => {
    let functions = modules.get(module);
    if (functions === undefined) {
      const bytes = new Uint8Array(memory.buffer, at, length).slice() as Uint8Array<ArrayBuffer>;
      functions =
        module === offer.BLAS ? loadBlas(new TextDecoder().decode(bytes)) : Object.values(instantiate(bytes, math));
      modules.set(module, functions);
    }
    return functions;
  };
  let glances = 0;
  for (;;) {
    const state = Atomics.load(words, offer.STATE);
    const piece = state & 0xff;
    const count = words[offer.COUNT];
    if (piece >= count || piece >= offer.MOST) {
      if (++glances < GLANCES) continue;
      Atomics.wait(words, offer.STATE, state);
      glances = 0;
      continue;
    }
    const module = words[offer.MODULE];
    const at = words[offer.BYTES_AT];
    const length = words[offer.BYTES];
    const name = words[offer.EXPORT];
    // Only if nothing has changed does all of this belong together.
    if (Atomics.load(words, offer.STATE) !== state) continue;
    const grown = memory.buffer.byteLength / 65536 >= words[offer.PAGES];
    const run: ExportedFunction | undefined = grown ? functionsOf(module, at, length)[name] : undefined;
    if (run === undefined) {
      Atomics.wait(words, offer.STATE, state);
      continue;
    }
    if (Atomics.compareExchange(words, offer.STATE, state, state + 1) !== state) continue;
    const a = offer.PIECES + piece * offer.ARGUMENTS;
    const [p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10] = words.subarray(a, a + offer.ARGUMENTS);
    try {
      run(p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, workspace);
    } catch {
      Atomics.store(words, offer.FAILED, 1);
    }
    if (Atomics.add(words, offer.DONE, 1) + 1 === count) Atomics.notify(words, offer.DONE);
    glances = 0;
  }
}
