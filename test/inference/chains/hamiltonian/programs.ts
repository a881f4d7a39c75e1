import type { Posterior } from '../../../../src/inference/algorithm.ts';
import { loadProgram } from '../../../../src/program/load.ts';
import type { Run } from '../../../../src/runtime/machine.ts';

/** Runs the text of a program, whose last expression is its value. */
export async function runProgram<T = Posterior<unknown>>(
  code: string,
  seed = 1,
  engine: Run['engine'] = {},
): Promise<{ value: T; warnings: string[] }> {
  const program = await loadProgram({ code });
  const warnings: string[] = [];
  const value = program.run({
    seed,
    folder: '.',
    args: [],
    engine,
    output() {},
    warn: (message) => void warnings.push(message),
    progress: () => ({ update() {}, finish() {} }),
  }) as T;
  return { value, warnings };
}
