/** `waymark batch`, in the program's thread. */
import { parentPort } from 'node:worker_threads';
import { CommandRun } from './command-run.ts';
import { failure } from './failure.ts';
import { type BatchJob, type BatchProgram, READY } from './jobs.ts';
import { outcomeOf } from './outcome.ts';
import { resultOf } from './result.ts';
import { redirectConsole, STDERR } from './streams.ts';

/** Answers every program it is sent with the text of its result. */
export function serveBatch(job: BatchJob): void {
  // stdout belongs to the results.
  redirectConsole(STDERR);
  parentPort?.on('message', async (program: BatchProgram) => {
    parentPort?.postMessage(await resultFor(program, job));
  });
  parentPort?.postMessage(READY);
}

async function resultFor({ code, seed, name }: BatchProgram, { engine, quiet }: BatchJob): Promise<string> {
  const run = new CommandRun(seed, process.cwd(), [], engine, {
    warn: quiet ? undefined : (message) => process.stderr.write(`${name}: ${message}\n`),
    recording: true,
  });
  const outcome = await outcomeOf({ code, file: name, language: 'wppl' }, run);
  try {
    return resultOf(outcome, run.outputs);
  } catch (error) {
    return failure((error as Error).message);
  }
}
