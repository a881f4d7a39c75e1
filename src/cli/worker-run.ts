/** `waymark run`, in the program's thread. */
import { dirname, parse, resolve } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { nodeThreads } from '../host/node-threads.ts';
import { reading } from '../host/regular-file.ts';
import { now } from '../host/system.ts';
import { writeParams } from '../io/params-file.ts';
import { show } from '../library/show/value.ts';
import { report } from '../program/report.ts';
import { SILENT } from '../ranks/helper.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { ParameterTable } from '../runtime/parameters.ts';
import { Interrupted, NeedsRoom } from '../runtime/signals.ts';
import type { Team } from '../runtime/team.ts';
import { Paint } from './colour.ts';
import { type Audience, CommandRun } from './command-run.ts';
import { failure } from './failure.ts';
import { writeJson } from './files.ts';
import { helpersOf } from './helper-threads.ts';
import type { FilesMessage, RunJob } from './jobs.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { ParamsKeeper } from './params-keeper.ts';
import { ProgressLine } from './progress-bar.ts';
import { turnToSpeak } from './rank-launch.ts';
import type { OwnRank } from './ranks.ts';
import { resultOf } from './result.ts';
import { LEARNING, STOP, type StopFlag } from './signals.ts';
import { Stopwatch } from './stopwatch.ts';
import { goOnAfter, redirectConsole, STDERR, STDOUT, speakAgain, write, writeAside, writtenSoFar } from './streams.ts';

/** Tells which files the run has read, for `--watch`. */
async function watchedRun(job: RunJob): Promise<void> {
  const files = new Set<string>();
  reading.told = (place) => void files.add(resolve(place));
  await run(job);
  const message: FilesMessage = { files: [...files] };
  nodeThreads().parentPort?.postMessage(message);
}

export const runProgram = (job: RunJob): Promise<void> => (job.watched ? watchedRun(job) : run(job));

/** Runs the job alone, or as one of several ranks. */
async function run(job: RunJob): Promise<void> {
  if (job.ranks === undefined) return runAs(job, undefined);
  const { joinRanks } = await import('./ranks.ts');
  let own: OwnRank;
  try {
    own = joinRanks(job.ranks, job, sayError);
  } catch (error) {
    if (!(error instanceof WaymarkError)) throw error;
    await turnToSpeak(job.ranks);
    speakAgain();
    refuse(error, job);
    return;
  }
  await runAs({ ...job, ...own.begin() }, own);
}

async function runAs(job: RunJob, own: OwnRank | undefined): Promise<void> {
  const { file, code, seed, json, args, engine, quiet, columns, timing } = job;
  const line =
    columns === undefined || quiet
      ? undefined
      : new ProgressLine({
          columns,
          draw: (text) => writeAside(STDERR, Buffer.from(text)),
          now,
        });
  // With `--json -`, stdout holds the result alone.
  const stdout = json === '-' ? STDERR : STDOUT;
  if (job.written !== undefined) goOnAfter(job.written);
  // Whatever is printed first takes away the bar, so that the two never mix on a terminal.
  redirectConsole(stdout, () => line?.clear());
  const keeper = openParams(job);
  if (keeper === null) {
    own?.settle({ error: { message: `${job.params} cannot be used.`, file, frames: [] } });
    return;
  }
  const [onStdout, onStderr] = [new Paint(STDOUT), new Paint(STDERR)];
  const say = (descriptor: number, text: string): void => {
    line?.clear();
    write(descriptor, `${text}\n`);
  };
  const pictures = wantsPictures(job) ? await import('./pictures.ts') : undefined;
  const record = pictures?.startRecord();
  const audience = {
    print: json === '-' ? undefined : (text: string) => say(STDOUT, onStdout.value(text)),
    warn: quiet ? undefined : (message: string) => say(STDERR, onStderr.advice(message)),
    progress: line === undefined ? undefined : (label: string) => line.start(label),
    ...(job.stop === undefined ? {} : listening(job.stop, own?.team)),
    ...(job.isHere ? { interrupt: leaveWhenFull } : {}),
    keepsOutputs: json !== undefined,
    record,
  };
  const read = own === undefined ? keeper?.table : own.parameters(keeper?.table);
  const table = read ?? new ParameterTable();
  const current = new CommandRun(
    seed,
    dirname(resolve(file)),
    args,
    { ...engine, advises: true },
    audience,
    table,
    job.resume,
    own?.team ?? (job.helper && SILENT),
    job.isHere,
    helpersOf(job),
  );
  if (keeper?.fresh) current.warn(`There is no file ${job.params} yet: parameters start afresh, and are saved there.`);
  const stopwatch = new Stopwatch();
  const source = code === undefined ? file : { code, file };
  const ownOutcome = await outcomeOf(source, current, (phase) => stopwatch.lap(phase)).finally(() => line?.clear());
  const outcome = own?.settle(ownOutcome) ?? ownOutcome;
  const text = 'value' in outcome ? shown(outcome.value) : undefined;
  let failed = 'error' in outcome;
  if ('error' in outcome) sayError(outcome);
  else if (text !== undefined && json !== '-') write(STDOUT, `${onStdout.value(text)}\n`);
  else if (text === undefined && isFruitless(job)) current.warn(nothingPrinted(file));
  stopwatch.lap('print');
  if (timing) write(STDERR, stopwatch.report());
  failed = !keepLearned(job, outcome, keeper, table) || failed;
  if (json !== undefined) failed = !writeResult(json, outcome, current) || failed;
  if (record !== undefined) failed = !(await pictures?.writePictures(job, record, outcome, text)) || failed;
  // Of several ranks one gives the exit code: a launcher ends the others as soon as it sees it.
  if (failed && (own?.team.rank ?? 0) === 0)
    process.exitCode = ('error' in outcome ? outcome.interrupted?.code : undefined) ?? 1;
}

const shown = (value: unknown): string | undefined => (value === undefined ? undefined : show(value));

/** Whether nothing comes of a run that has no value: it has printed nothing, and there is no place where anything is kept. */
function isFruitless({ json, params, html, svg }: RunJob): boolean {
  return (
    [json, params, html, svg].every((place) => place === undefined) && writtenSoFar().every((bytes) => bytes === 0)
  );
}

const nothingPrinted = (file: string): string =>
  file.endsWith('.wppl')
    ? 'The program has printed nothing: what is to be printed must be its last expression, or be given to display.'
    : 'The module has printed nothing: write export default before what is to be printed, or give it to display.';

const wantsPictures = ({ html, svg, blocks }: RunJob): boolean => (html ?? svg ?? blocks) !== undefined;

function sayError({ error, interrupted }: Extract<Outcome, { error: unknown }>): void {
  if (interrupted === undefined) write(STDERR, `${new Paint(STDERR).error(report(error))}\n`);
  else write(STDERR, [error.message, ...interrupted.kept, ''].join('\n'));
}

/** The share of the heap that a program may take in the first thread. In a thread of its own it may take more, and is ended cleanly when that is not enough. */
const MOST_OF_HEAP = 0.5;

/** Asked now and then in the first thread: throws if the program takes much memory. */
function leaveWhenFull(): void {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  if (used > MOST_OF_HEAP * limit) throw new NeedsRoom();
}

/** How a run hears that it is to end, and tells whether it has something to save then. */
function listening(stop: StopFlag, team: Team | undefined): Pick<Audience, 'interrupt' | 'learning'> {
  let signal: Interrupted | undefined;
  return {
    interrupt() {
      // Ranks end together, when all of them know. (A rank that is alone does not exchange anything.)
      const code = team === undefined || team.size === 1 ? Atomics.load(stop, STOP) : team.stop;
      if (code === 0) return;
      signal ??= new Interrupted(code);
      throw signal;
    },
    learning: (change) => void Atomics.add(stop, LEARNING, change),
  };
}

/**
 * Saves parameters where the user wants them. Those of an optimisation that was interrupted are saved even if no option says
 * where, unless a checkpoint holds them. False if that failed.
 */
function keepLearned(job: RunJob, outcome: Outcome, keeper: ParamsKeeper | undefined, table: ParameterTable): boolean {
  if (keeper !== undefined) return saveParams(() => keeper.save(endOf(outcome) === 'failed'), endOf(outcome));
  const interrupted = 'error' in outcome ? outcome.interrupted : undefined;
  if (interrupted === undefined || interrupted.kept.length > 0 || table.size === 0) return true;
  const name = `${parse(job.file).name}.unfinished.params`;
  const save = (): string => {
    writeParams({ caller: 'Waymark', name, place: resolve(name) }, table.toObject());
    return `${name}: go on from them with --params ${name}`;
  };
  return saveParams(save, 'interrupted');
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
    refuse(error, { json });
    return null;
  }
}

/** Says why the program is not even started. */
function refuse({ message }: WaymarkError, { json }: Pick<RunJob, 'json'>): void {
  write(STDERR, `${message}\n`);
  if (json !== undefined) writeJson(json, failure(message));
  process.exitCode = 1;
}

/** False if parameters that changed could not be written. */
function saveParams(save: () => string | undefined, end: Ending): boolean {
  try {
    const written = save();
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
  complaint = writeJson(json, text) ?? complaint;
  if (complaint !== undefined) write(STDERR, `${complaint}\n`);
  return complaint === undefined;
}
