/**
 * When V8 optimises functions. Most programs are short and have many functions, each of which takes milliseconds to optimise: in
 * runs of a tenth of a second that was most of the work. So V8 is told to wait for twice as long as it would, but where
 * few functions of the engine run in long loops. Known of the V8 of Node 20; later ones have a compiler in between.
 */
const isKnown = Number.parseInt(process.versions.v8, 10) < 12;

const budget = (bytes: number): string => `--interrupt-budget=${bytes}`;

/** How many bytes of code are compiled into one function. Three times as much, which is usual, makes for code that is a few per cent faster. */
const inlined = (bytes: number): string => `--max-inlined-bytecode-size-cumulative=${bytes}`;

export const INLINED = inlined(300);
/** For executions side by side, which have their loops in functions by themselves: a tenth less for runs of a tenth of a second. */
export const INLINED_LITTLE = inlined(60);

/** The flag in force when programs start. */
export const LATE: readonly string[] = isKnown ? [budget(264_000)] : [];

/**
 * A loop that has begun in slow code is optimised where the program runs. Beside it, the loop would go on in slow code until the result is there: on two busy
 * cores that took a sixth of the time of an enumeration. For the first thread, too, in which functions are optimised beside the program in any case.
 */
export const LOOPS_HERE: readonly string[] = isKnown ? ['--no-concurrent-osr'] : [];

/** The flags for loops of the engine, and for everything else. */
export const SOON = isKnown ? budget(66 * 1024) : '';
export const AGAIN_LATE = LATE.join(' ');

/**
 * The flag for executions side by side, once it is known that they go on so: they call many functions of the engine, each of them a few times for many executions, and
 * optimising one takes longer than running it for a few milliseconds (with the usual 132 KB twice as long in total for runs of a tenth of a second).
 */
export const RARELY = isKnown ? budget(1_000_000) : '';

/** The flags under which V8 follows what a module of WebAssembly says of its functions (`hints.ts`), and those otherwise. */
export const HINTS = isKnown
  ? {
      followed: '--experimental-wasm-compilation-hints --no-wasm-lazy-compilation',
      usual: '--no-experimental-wasm-compilation-hints --wasm-lazy-compilation',
    }
  : undefined;
