/** Compiling and running a program to its end, whatever that is. */

import { loadProgram, type ProgramText } from '../program/load.ts';
import { type Located, locate } from '../program/locate.ts';
import type { Run } from '../runtime/machine.ts';
import { Interrupted, isStackOverflow, NeedsRoom, OtherRankFailed } from '../runtime/signals.ts';
import { note } from './v8/kept-code.ts';

/** How a program ended: with its value, or with an error whose place is known as well as can be. */
export type Outcome =
  | { readonly value: unknown }
  | {
      readonly error: Located;
      /** If it ended because the user said so. */
      readonly interrupted?: Interrupted;
      /** If the error is that of another rank, which reports it. */
      readonly elsewhere?: true;
    };

/** Called when a phase ends, so that it can be timed. */
type PhaseEnd = (phase: 'compile' | 'run') => void;

/** Never rejects, since a program's failure is an outcome too; unless it has to be run where there is more room. */
export async function outcomeOf(source: string | ProgramText, run: Run, ended?: PhaseEnd): Promise<Outcome> {
  const program = await loaded(source);
  ended?.('compile');
  if ('error' in program) {
    // The text may be nested deeper than the stack allows.
    if (run.isShallow) throw new NeedsRoom();
    return program;
  }
  for (const { unit } of program.parts.units) note(unit.source);
  try {
    return { value: program.run(run) };
  } catch (thrown) {
    if (thrown instanceof NeedsRoom || (run.isShallow && isStackOverflow(thrown))) throw new NeedsRoom();
    if (thrown instanceof Interrupted) return { ...endedBy('The run was interrupted.', source), interrupted: thrown };
    if (thrown instanceof OtherRankFailed) return { ...endedBy('Another rank has failed.', source), elsewhere: true };
    return { error: program.locate(thrown) };
  } finally {
    ended?.('run');
  }
}

const endedBy = (message: string, source: string | ProgramText): { error: Located } => ({
  error: { message, file: fileOf(source), frames: [] },
});

const fileOf = (source: string | ProgramText): string =>
  typeof source === 'string' ? source : (source.file ?? 'program.wppl');

/** The program, or what keeps it from being compiled. */
export async function loaded(
  source: string | ProgramText,
): Promise<Awaited<ReturnType<typeof loadProgram>> | { readonly error: Located }> {
  try {
    return await loadProgram(source);
  } catch (thrown) {
    return { error: locate(thrown, new Map(), fileOf(source)) };
  }
}
