/** When V8 optimises a function of WebAssembly on its own. */

/** Bytes of its code that are executed before: so many for V8 of Node 20, several times as many for later ones. */
export const USUAL = 1_800_000;

/** The flag that says so, and no other: a program in a sandbox may give texts for bytes. V8 looks at it when a module is made. */
export const budget = (bytes: number): string => `--wasm-tiering-budget=${bytes | 0}`;
