/** The parts of the host's WebAssembly interface that the engine uses; TypeScript declares them only for browsers. */

export interface Memory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
  grow(pages: number): number;
}

export type ExportedFunction = (...values: number[]) => number;

export interface WebAssemblyHost {
  Memory: new (limits: { initial: number; maximum: number; shared?: boolean }) => Memory;
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (
    module: object,
    imports: Record<string, Record<string, unknown>>,
  ) => { exports: Record<string, ExportedFunction> };
  validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}

/** Undefined where the host has no WebAssembly. */
export const webAssembly = (globalThis as { WebAssembly?: WebAssemblyHost }).WebAssembly;

/**
 * Lets the host put off optimising the module that `make` makes, where somebody can tell it to (`cli/optimising.ts`). On its
 * own it would spend milliseconds on a long formula after a hundred calls, for code that is a tenth faster.
 */
export const optimising = { later: (make: () => object): object => make() };

/** A module of formulas, and of what calls them. Loops over many elements are better optimised soon. */
export function formulaModule(bytes: Uint8Array<ArrayBuffer>): object {
  return optimising.later(() => new webAssembly!.Module(bytes));
}

/** The bytes of a module that the build has made. */
export function decode(base64: string): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as { Buffer?: { from(text: string, encoding: string): Uint8Array<ArrayBuffer> } };
  return Buffer?.from(base64, 'base64') ?? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
