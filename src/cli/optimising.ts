/** When V8 optimises WebAssembly: as soon as it likes, but for modules that say otherwise. */
import { setFlagsFromString } from 'node:v8';
import { optimising } from '../tensor/wasm/host.ts';

/** Bytes of a function's code that are executed before V8 optimises it; this is what V8 does on its own. */
const SOON = 1_800_000;

/** Some fifty milliseconds. */
const LATER = 200_000_000;

const afterBytes = (bytes: number): void => setFlagsFromString(`--wasm-tiering-budget=${bytes}`);

// V8 looks at the setting when a module is made.
optimising.later = (make) => {
  afterBytes(LATER);
  try {
    return make();
  } finally {
    afterBytes(SOON);
  }
};
