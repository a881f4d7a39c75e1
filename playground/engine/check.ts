/** What the compiler has to say of a program that is still being written. */
import { CompileError } from '../../src/compiler/diagnostics.ts';
import { loadProgram } from '../../src/program/load.ts';
import { locate } from '../../src/program/locate.ts';
import type { Fault, Job } from '../sandbox/protocol.ts';
import { faultOf } from './fault.ts';
import { wholeText } from './whole-text.ts';

/** The first fault that the compiler finds; undefined if it finds none. The program is not run. */
export async function check(job: Job): Promise<Fault | undefined> {
  const { code, file, linesBefore } = await wholeText(job);
  try {
    await loadProgram({ code, file, language: job.language });
    return undefined;
  } catch (thrown) {
    // Whatever else goes wrong is told when the program is run.
    return thrown instanceof CompileError ? faultOf(locate(thrown, new Map(), file), linesBefore) : undefined;
  }
}
