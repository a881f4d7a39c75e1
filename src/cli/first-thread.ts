/**
 * Programs that look small run in the first thread of the command. Its stack is short, it hears no signals meanwhile, and memory
 * that runs out there ends the process. So a program that turns out to need more room is run again, in a thread of its own. It does the same
 * there, and what it has written is not written twice.
 */
import { NeedsRoom } from '../runtime/signals.ts';
import type { RunJob } from './jobs.ts';
import { type Written, writtenSoFar } from './streams.ts';
import './v8/kept-packages.ts';
import './v8/optimising.ts';
import { runProgram } from './worker-run.ts';

/** The exit code; or what the program has written, if it is to run in a thread of its own. `runHere` of `v8/kept-code.ts` comes before this is loaded. */
export async function attempt(job: RunJob): Promise<{ readonly code: number } | { readonly written: Written }> {
  try {
    await runProgram({ ...job, isHere: true, stop: undefined });
    return { code: Number(process.exitCode ?? 0) };
  } catch (thrown) {
    if (!(thrown instanceof NeedsRoom)) throw thrown;
    return { written: writtenSoFar() };
  }
}
