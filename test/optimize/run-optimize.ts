import { loadProgram } from '../../src/program/load.ts';
import type { Run } from '../../src/runtime/machine.ts';
import type { Tensor } from '../../src/tensor/tensor.ts';
import { quietRun } from '../program/quiet-run.ts';

export interface Told {
  /** What the program is worth. */
  readonly value: unknown;
  readonly warnings: readonly string[];
  readonly texts: readonly string[];
  readonly notes: readonly string[];
}

/** Runs a program and keeps everything it says. */
export async function runProgram(code: string, settings: Partial<Run> = {}): Promise<Told> {
  const program = await loadProgram({ code });
  const notes: string[] = [];
  const quiet = quietRun(1);
  const run: Run = {
    ...quiet,
    progress: (label) => ({ update: (_done, _total, note) => void notes.push(`${label}: ${note}`), finish() {} }),
    ...settings,
  };
  return { value: program.run(run), warnings: quiet.warnings, texts: quiet.texts, notes };
}

/** The message with which a program fails. */
export async function failure(code: string): Promise<string> {
  const program = await loadProgram({ code });
  try {
    program.run(quietRun(1));
  } catch (thrown) {
    return (thrown as Error).message;
  }
  throw new Error('the program should have failed');
}

/** Parameters as numbers. */
export const numbersOf = (value: unknown): Record<string, number[]> =>
  Object.fromEntries(Object.entries(value as Record<string, Tensor>).map(([name, { data }]) => [name, [...data]]));
