/**
 * What a thread does: takes pieces of work until the process ends. Its text is handed to a worker as it is, so that it
 * runs from a bundle, from source and from a page alike; it must use nothing but its argument and the host's globals.
 */
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
 * Words of the work on offer. `STATE` is the number of the next piece in its low 8 bits, and above them the number of
 * the offer: who wants to take a piece exchanges it for one more, which fails if anything has changed since he looked.
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
  /** Here the pieces start: for each, its arguments. A thread adds the address of its own workspace to them. */
  PIECES: 8,
  /** Words of a piece. */
  ARGUMENTS: 11,
  /** The most pieces of an offer; a higher number of the next piece means that the offer is not open yet. */
  MOST: 32,
} as const;

export function threadBody(start: ThreadStart, offer: typeof Offer): void {
  /** Looks at an idle offer before going to sleep: some tens of microseconds. */
  const GLANCES = 2000;
  const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyHost }).WebAssembly;
  const { memory, workspace } = start;
  const words = new Int32Array(memory.buffer, start.offer, offer.PIECES + offer.MOST * offer.ARGUMENTS);
  const instantiate = (bytes: Uint8Array<ArrayBuffer>, imports: object): Record<string, ExportedFunction> =>
    new wasm.Instance(new wasm.Module(bytes), { env: { memory, ...imports } }).exports;
  const math = instantiate(start.math, { sin: Math.sin, cos: Math.cos });
  const modules = new Map([[0, Object.values(instantiate(start.products, {}))]]);
  const functionsOf = (module: number, at: number, length: number): ExportedFunction[] => {
    let functions = modules.get(module);
    if (functions === undefined) {
      functions = Object.values(instantiate(new Uint8Array(memory.buffer, at, length).slice() as never, math));
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
    const run = functionsOf(module, at, length)[name];
    if (Atomics.compareExchange(words, offer.STATE, state, state + 1) !== state) continue;
    const a = offer.PIECES + piece * offer.ARGUMENTS;
    run(
      words[a],
      words[a + 1],
      words[a + 2],
      words[a + 3],
      words[a + 4],
      words[a + 5],
      words[a + 6],
      words[a + 7],
      words[a + 8],
      words[a + 9],
      words[a + 10],
      workspace,
    );
    if (Atomics.add(words, offer.DONE, 1) + 1 === count) Atomics.notify(words, offer.DONE);
    glances = 0;
  }
}
