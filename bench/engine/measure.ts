/** Milliseconds spent on warming up and on measuring. */
const WARM_UP = 300;
const MEASURE = 1000;
/** Rounds are short, so that some of them are not interrupted on a busy machine. */
const ROUND = 0.5;

/** Milliseconds per call: the best of many short rounds. */
export function best(run: () => void): number {
  const begin = performance.now();
  let calls = 0;
  while (performance.now() - begin < WARM_UP) {
    run();
    calls++;
  }
  const repeats = Math.max(1, Math.round((calls * ROUND) / WARM_UP));
  let fastest = Number.POSITIVE_INFINITY;
  const start = performance.now();
  while (performance.now() - start < MEASURE) {
    const from = performance.now();
    for (let i = 0; i < repeats; i++) run();
    fastest = Math.min(fastest, (performance.now() - from) / repeats);
  }
  return fastest;
}

function timeText(milliseconds: number): string {
  if (milliseconds < 0.001) return `${(milliseconds * 1e6).toFixed(0)} ns`;
  return milliseconds < 1 ? `${(milliseconds * 1e3).toFixed(2)} µs` : `${milliseconds.toFixed(2)} ms`;
}

/** Prints a time, and gives it back. */
export function report(what: string, milliseconds: number): number {
  console.log(`${what.padEnd(64)} ${timeText(milliseconds)}`);
  return milliseconds;
}

const bars: { readonly what: string; readonly found: string; readonly limit: string; readonly holds: boolean }[] = [];

/** Notes a time that is to stay below a limit, both in milliseconds. */
export function timeBar(what: string, found: number, limit: number): void {
  bars.push({ what, found: timeText(found), limit: timeText(limit), holds: found <= limit });
}

/** Notes a ratio of times that is to stay below a limit. */
export function ratioBar(what: string, ratio: number, limit: number): void {
  bars.push({ what, found: `${ratio.toFixed(2)} ×`, limit: `${limit} ×`, holds: ratio <= limit });
}

/** Prints what was noted. */
export function reportBars(): void {
  if (bars.length === 0) return;
  console.log(`\n${'bar'.padEnd(64)} ${'measured'.padStart(10)} ${'at most'.padStart(10)}`);
  for (const { what, found, limit, holds } of bars) {
    console.log(`${what.padEnd(64)} ${found.padStart(10)} ${limit.padStart(10)}  ${holds ? 'holds' : 'missed'}`);
  }
}
