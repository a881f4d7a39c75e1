/** One call of `waymark reproduce`: makes the data, runs what has not been run, and writes the report. */
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { JsonValue } from '../io/json-value.ts';
import type { DataDescription, Experiment } from '../reproduce/experiment.ts';
import { experiments } from '../reproduce/experiments.ts';
import { inParallel } from '../reproduce/pool.ts';
import { publish } from '../reproduce/report.ts';
import { type ReportedChapter, tally, verdict } from '../reproduce/reported.ts';
import { checkpointsOf, isDone, keepResult, readResult } from '../reproduce/results.ts';
import { findSources, type GivenSources } from '../reproduce/sources.ts';
import type { Suite } from '../reproduce/suites.ts';
import { conditionTasks, dataFile, dataTask, type Extent, resultFile, runsOf, type Task } from '../reproduce/task.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import type { TaskJob, TaskMessage } from './jobs.ts';
import type { ProgressBoard } from './progress-board.ts';
import { ending, startThread } from './thread.ts';

/** What is asked for, and where progress is reported. */
interface ReproductionOrder {
  readonly suite: Suite;
  /** Of its experiments, those to run. */
  readonly names: readonly string[];
  readonly out: string;
  readonly extent: Extent;
  readonly given: GivenSources;
  readonly workers: number;
  /** How the report says it is made. */
  readonly command: string;
  readonly board: ProgressBoard | undefined;
  say(line: string): void;
}

/** What was found, as text; complete unless some condition failed. */
interface Reproduced {
  readonly summary: string;
  readonly complete: boolean;
}

export async function reproduce(order: ReproductionOrder): Promise<Reproduced> {
  const out = resolve(order.out);
  const sources = findSources(order.given);
  const wanted = experiments.filter(({ name }) => order.names.includes(name));
  checkConditions(wanted, order.extent);
  const failed = new Set<string>();
  const perform = async (task: Task, threads: number): Promise<void> => {
    const problem = await performTask(task, threads, order);
    if (problem === undefined) return;
    failed.add(task.experiment);
    const commands = checkpointsOf(task).map((file) => `\n${anew(file)}`);
    order.say(`${task.label} failed.\n${problem}${commands.join('')}`);
  };
  const all = (tasks: readonly Task[]): Promise<void> => {
    const left = tasks.filter((task) => !isDone(task));
    const workers = Math.max(1, Math.min(order.workers, left.length));
    const threads = Math.max(1, Math.floor(availableParallelism() / workers));
    return inParallel(left, workers, (task) => perform(task, threads));
  };
  await all(wanted.map((experiment) => dataTask(experiment, out, order.extent, sources)));
  const prepared = wanted.filter(({ name }) => !failed.has(name));
  await all(prepared.flatMap((experiment) => conditionTasks(experiment, out, order.extent)));
  const whole = { ...order.extent, only: undefined };
  const chapters: ReportedChapter[] = [];
  let missing = '';
  for (const experiment of prepared.filter(({ name }) => !failed.has(name))) {
    const left = conditionTasks(experiment, out, whole).filter((task) => !isDone(task));
    if (left.length === 0) chapters.push(chapterOf(experiment, out, whole));
    else missing += `Still to be run before there is a report: ${left.map(({ label }) => label).join('; ')}.\n`;
  }
  const complete = failed.size === 0;
  if (!complete) missing += `Left out, since a condition failed: ${[...failed].join(', ')}.\n`;
  if (chapters.length === 0) return { summary: missing, complete };
  const page = await publish(out, { suite: order.suite, scale: order.extent.scale, command: order.command, chapters });
  return { summary: `${verdicts(chapters, order.suite)}${missing}The report is in ${page}.\n`, complete };
}

/** Throws if a condition is asked for that there is not. */
function checkConditions(wanted: readonly Experiment[], { only = [] }: Extent): void {
  const known = wanted.flatMap(({ conditions }) => conditions.map(({ name }) => name));
  for (const name of only) {
    if (known.includes(name)) continue;
    throw new WaymarkError(
      `--only ${name}: there is no such condition.${didYouMean(name, known) || ` There are ${known.join(', ')}.`}`,
    );
  }
}

/** Runs a task in a thread and keeps what it gives; returns what went wrong, if something did. */
async function performTask(
  task: Task,
  threads: number,
  { board, say }: ReproductionOrder,
): Promise<string | undefined> {
  const { label } = task;
  const started = performance.now();
  const resumed = checkpointsOf(task).length > 0;
  if (resumed) say(`${label}: goes on from its checkpoint`);
  // Its checkpoint is written there.
  mkdirSync(dirname(task.result), { recursive: true });
  board?.start(label);
  const thread = startThread(jobOf(task, threads));
  let value: JsonValue | undefined;
  let problem: string | undefined;
  thread.on('message', (message: TaskMessage) => {
    if ('value' in message) value = message.value;
    else if ('error' in message) problem = message.error;
    else if ('warning' in message) say(`${label}: ${message.warning}`);
    else board?.update(label, message.progress.done, message.progress.total, message.progress.note);
  });
  const end = await ending(thread);
  board?.finish(label);
  if (problem !== undefined) return problem;
  if (value === undefined) return 'fault' in end ? end.fault : `Its thread ended with exit code ${end.code}.`;
  const seconds = (performance.now() - started) / 1000;
  keepResult(task, value, seconds);
  say(`${label}: ${seconds.toFixed(1)} s`);
  return undefined;
}

/** A checkpoint outlives what it was made by: another version of Waymark may not be able to use it. */
const anew = (checkpoint: string): string => `To start it anew, remove ${checkpoint}.`;

const jobOf = ({ program, seed, args }: Task, threads: number): TaskJob => ({
  kind: 'task',
  file: program,
  seed,
  threads,
  args: Object.entries(args).map(([name, value]) => `--${name}=${value}`),
});

function chapterOf(experiment: Experiment, out: string, extent: Extent): ReportedChapter {
  const runs = runsOf(experiment, extent);
  const data = readResult(dataFile(out, experiment)).value as unknown as DataDescription;
  const results = experiment.conditions.map((condition) =>
    Array.from({ length: runs }, (_, run) => readResult(resultFile(out, experiment, condition, run))),
  );
  const values = Object.fromEntries(
    experiment.conditions.map(({ name }, i) => [name, results[i].map(({ value }) => value)]),
  );
  return {
    experiment,
    data,
    runs,
    seconds: results.flat().reduce((sum, { seconds }) => sum + seconds, 0),
    ...experiment.chapter({ runs: values, data, scale: extent.scale }),
  };
}

function verdicts(chapters: readonly ReportedChapter[], { published }: Suite): string {
  const lines = chapters.flatMap(({ experiment, claims }) => [
    `${experiment.title}: ${tally(claims)}`,
    ...claims.map(
      (claim) => `  ${verdict(claim).padEnd(11)} ${claim.claim} (${claim.waymark}; ${published}: ${claim.paper})`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}
