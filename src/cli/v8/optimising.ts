/** When V8 optimises WebAssembly: as soon as it likes, but for modules that say otherwise. */
import { setFlagsFromString } from 'node:v8';
import { optimising } from '../../v8/optimising.ts';
import { hinted } from './hints.ts';
import { AGAIN_LATE, HINTS, INLINED, INLINED_LITTLE, RARELY, SOON } from './tiers.ts';
import { isUsed } from './tricks.ts';
import { budget, USUAL } from './wasm-budget.ts';

/** Kept, since programs in a sandbox must not have it. */
const setFlag = setFlagsFromString;

/** Sets a flag for as long as `work` takes. */
function during<R>(flag: string, usual: string, work: () => R): R {
  setFlag(flag);
  try {
    return work();
  } finally {
    setFlag(usual);
  }
}

/** From this version on V8 inlines by what it has seen of calls, and ends the process if its first compiler saw none. */
const INLINES = 13;
const inlines = Number.parseInt(process.versions.v8, 10) >= INLINES;

/** Has WebAssembly that `work` compiles optimised at once. Without its first compiler V8 would also count no calls, then and later. */
const atOnce = <R>(work: () => R): R =>
  during(
    `--no-liftoff${inlines ? ' --no-wasm-inlining' : ''}`,
    `--liftoff --wasm-dynamic-tiering${inlines ? ' --wasm-inlining' : ''}`,
    work,
  );

if (isUsed('wasm-tiers')) {
  optimising.after = (bytes, make) => during(budget(bytes), budget(USUAL), make);
  // Functions are compiled when they are first called.
  optimising.now = atOnce;
  if (HINTS !== undefined) {
    const { followed, usual } = HINTS;
    optimising.ahead = (bytes, functions, make) => during(followed, usual, () => make(hinted(bytes, functions)));
  }
}

// Otherwise V8 finds every field anew until a function has been called some eight times.
if (isUsed('flags')) {
  optimising.learning = (run) =>
    during(
      `--no-lazy-feedback-allocation ${INLINED_LITTLE}`,
      `--lazy-feedback-allocation ${INLINED} ${AGAIN_LATE}`.trim(),
      run,
    );
  if (RARELY !== '') optimising.lasting = () => setFlag(RARELY);
  if (SOON !== '') optimising.looping = (loops) => setFlag(loops ? SOON : AGAIN_LATE);
}
