/** Timing: the best of several rounds, because the machine may be busy with other things. */
export function best(rounds: number, repeats: number, run: () => void): number {
  for (let i = 0; i < Math.max(1, repeats >> 1); i++) run();
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    for (let i = 0; i < repeats; i++) run();
    fastest = Math.min(fastest, (performance.now() - start) / repeats);
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
