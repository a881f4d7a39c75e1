import type { Run } from '../../src/runtime/machine.ts';

/** A run that keeps what is said to itself. */
export function quietRun(seed = 1): Run & { readonly texts: string[]; readonly warnings: string[] } {
  const texts: string[] = [];
  const warnings: string[] = [];
  return {
    seed,
    folder: '.',
    args: [],
    texts,
    warnings,
    output: (_value, text) => texts.push(text),
    warn: (message) => warnings.push(message),
    progress: () => ({ update() {}, finish() {} }),
  };
}
