/** Milliseconds per step, without what it takes to start: from optimisations of two lengths. */
export function timed(steps: number, optimise: (steps: number) => unknown): number {
  const few = Math.max(5, Math.round(steps / 10));
  const took = (count: number): number => {
    const start = performance.now();
    optimise(count);
    return performance.now() - start;
  };
  took(few); // V8 compiles meanwhile.
  const before = took(few);
  return (took(few + steps) - before) / steps;
}
