/** `waymark run`, in the program's thread. */
import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { show } from '../library/show/value.ts';
import { report } from '../program/report.ts';
import { CommandRun } from './command-run.ts';
import { failure } from './failure.ts';
import type { RunJob } from './jobs.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { ProgressLine } from './progress-bar.ts';
import { resultOf } from './result.ts';
import { Stopwatch } from './stopwatch.ts';
import { redirectConsole, STDERR, STDOUT, write } from './streams.ts';

export async function runProgram(job: RunJob): Promise<void> {
  const { file, seed, json, args, engine, quiet, columns, timing } = job;
  const line =
    columns === undefined || quiet
      ? undefined
      : new ProgressLine({ columns, draw: (text) => write(STDERR, text), now: () => performance.now() });
  // Whatever is printed first takes away the bar, so that the two never mix on a terminal.
  redirectConsole(STDOUT, () => line?.clear());
  const run = new CommandRun(seed, dirname(resolve(file)), args, engine, {
    print: (text) => process.stdout.write(`${text}\n`),
    warn: quiet ? undefined : (message) => process.stderr.write(`${message}\n`),
    progress: line === undefined ? undefined : (label) => line.start(label),
    recording: json !== undefined,
  });
  const stopwatch = new Stopwatch();
  const outcome = await outcomeOf(file, run, (phase) => stopwatch.lap(phase));
  line?.clear();
  let failed = 'error' in outcome;
  if ('error' in outcome) write(STDERR, `${report(outcome.error)}\n`);
  else if (outcome.value !== undefined) write(STDOUT, `${show(outcome.value)}\n`);
  if (timing) write(STDERR, stopwatch.report());
  if (json !== undefined) failed = !writeResult(json, outcome, run) || failed;
  if (failed) process.exitCode = 1;
}

/** Writes the result for `--json`; false if the value cannot be written so, or the file cannot be written at all. */
function writeResult(json: string, outcome: Outcome, run: CommandRun): boolean {
  let text: string;
  let complaint: string | undefined;
  try {
    text = resultOf(outcome, run.outputs);
  } catch (error) {
    complaint = (error as Error).message;
    text = failure(complaint);
  }
  try {
    writeFileSync(json, `${text}\n`);
  } catch (error) {
    complaint = `${json} could not be written: ${(error as Error).message}`;
  }
  if (complaint !== undefined) write(STDERR, `${complaint}\n`);
  return complaint === undefined;
}
