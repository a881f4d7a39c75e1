/** The parts of the platform's WebAssembly interface that the engine uses; TypeScript declares them only for browsers. */

import { optimising } from '../../v8/optimising.ts';

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

/** Undefined where the platform has no WebAssembly, or a page's content security policy forbids it (no 'wasm-unsafe-eval'). */
export const webAssembly = allowed((globalThis as unknown as { WebAssembly?: WebAssemblyHost }).WebAssembly);

function allowed(host: WebAssemblyHost | undefined): WebAssemblyHost | undefined {
  try {
    // A module with nothing in it.
    return host && new host.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)) && host;
  } catch {
    return undefined;
  }
}

/** A module that the build has made. */
export interface BuiltModule {
  readonly base64: string;
}

/** Some fifty milliseconds: a long formula takes milliseconds to optimise, for code that is a tenth faster. */
const FORMULAS_AFTER = 200_000_000;

/** A module of formulas, and of what calls them. Loops over many elements are better optimised sooner. */
export function formulaModule(bytes: Uint8Array<ArrayBuffer>): object {
  return optimising.after(FORMULAS_AFTER, () => new webAssembly!.Module(bytes));
}

/** The bytes of a module that the build has made. */
export function decode({ base64 }: BuiltModule): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as { Buffer?: { from(text: string, encoding: string): Uint8Array<ArrayBuffer> } };
  return Buffer?.from(base64, 'base64') ?? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** The same for one that the build has made. */
export function builtFormulas(built: BuiltModule): object {
  return formulaModule(decode(built));
}
