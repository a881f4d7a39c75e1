/** `waymark run`, in the program's thread. */
import { dirname, resolve } from 'node:path';
import { show } from '../library/show/value.ts';
import { report } from '../program/report.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { Interrupted } from '../runtime/signals.ts';
import { CommandRun } from './command-run.ts';
import { failure } from './failure.ts';
import { writeOutput } from './files.ts';
import type { RunJob } from './jobs.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { ParamsKeeper } from './params-keeper.ts';
import { ProgressLine } from './progress-bar.ts';
import { resultOf } from './result.ts';
import type { StopFlag } from './signals.ts';
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
  const keeper = openParams(job);
  if (keeper === null) {
    process.exitCode = 1;
    return;
  }
  const audience = {
    print: (text: string) => void process.stdout.write(`${text}\n`),
    warn: quiet ? undefined : (message: string) => void process.stderr.write(`${message}\n`),
    progress: line === undefined ? undefined : (label: string) => line.start(label),
    interrupt: job.stop === undefined ? undefined : () => endIfTold(job.stop as StopFlag),
    recording: json !== undefined,
  };
  const run = new CommandRun(seed, dirname(resolve(file)), args, engine, audience, keeper?.table, job.resume);
  if (keeper?.fresh) run.warn(`There is no file ${job.params} yet: parameters start afresh, and are saved there.`);
  const stopwatch = new Stopwatch();
  const outcome = await outcomeOf(file, run, (phase) => stopwatch.lap(phase));
  line?.clear();
  const interrupted = 'error' in outcome ? outcome.interrupted : undefined;
  let failed = 'error' in outcome;
  if ('error' in outcome)
    write(STDERR, `${interrupted === undefined ? report(outcome.error) : outcome.error.message}\n`);
  else if (outcome.value !== undefined) write(STDOUT, `${show(outcome.value)}\n`);
  if (timing) write(STDERR, stopwatch.report());
  if (keeper !== undefined) failed = !saveParams(keeper, endOf(outcome)) || failed;
  if (json !== undefined) failed = !writeResult(json, outcome, run) || failed;
  if (failed) process.exitCode = interrupted ?? 1;
}

/** Throws if the main thread has said that the run is to end. */
function endIfTold(stop: StopFlag): void {
  const code = Atomics.load(stop, 0);
  if (code !== 0) throw new Interrupted(code);
}

type Ending = 'done' | 'failed' | 'interrupted';

function endOf(outcome: Outcome): Ending {
  if ('value' in outcome) return 'done';
  return outcome.interrupted === undefined ? 'failed' : 'interrupted';
}

/** The keeper of the parameter file, if one is given; null, after a word about it, if the file cannot be used. */
function openParams({ params, paramsPlace, json }: RunJob): ParamsKeeper | undefined | null {
  if (params === undefined) return undefined;
  try {
    return new ParamsKeeper(params, paramsPlace);
  } catch (error) {
    if (!(error instanceof WaymarkError)) throw error;
    write(STDERR, `${error.message}\n`);
    if (json !== undefined) writeOutput(json, `${failure(error.message)}\n`);
    return null;
  }
}

/** False if parameters that changed could not be written. */
function saveParams(keeper: ParamsKeeper, end: Ending): boolean {
  try {
    const written = keeper.save(end === 'failed');
    if (end !== 'done' && written !== undefined) write(STDERR, `The parameters as they were then are in ${written}.\n`);
    else if (end === 'interrupted') write(STDERR, 'No parameters were learned until then.\n');
    return true;
  } catch (error) {
    if (!(error instanceof WaymarkError)) throw error;
    write(STDERR, `${error.message}\n`);
    return false;
  }
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
  complaint = writeOutput(json, `${text}\n`) ?? complaint;
  if (complaint !== undefined) write(STDERR, `${complaint}\n`);
  return complaint === undefined;
}
