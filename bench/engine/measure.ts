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

export function report(what: string, milliseconds: number): void {
  const text =
    milliseconds < 0.001
      ? `${(milliseconds * 1e6).toFixed(0)} ns`
      : milliseconds < 1
        ? `${(milliseconds * 1e3).toFixed(2)} µs`
        : `${milliseconds.toFixed(2)} ms`;
  console.log(`${what.padEnd(64)} ${text}`);
}
