import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isSeed, SEED_KIND } from '../runtime/seed.ts';
import { flag, number, text, UsageError } from './arguments.ts';
import { command } from './command.ts';
import { failure } from './failure.ts';
import { checkOutputFile, checkProgramFile, makeOutputFolder, writeJson } from './files.ts';
import type { RunJob } from './jobs.ts';
import { isModule } from './module-text.ts';
import {
  checkRanks,
  engineOfRank,
  isSilent,
  rankOptions,
  ranksToJoin,
  threadRankOptions,
  turnToSpeak,
} from './rank-launch.ts';
import { checkSandbox, type SandboxSettings, sandboxOptions } from './sandbox-options.ts';
import { commonOptions, engineOf, engineOptions, randomSeed } from './settings.ts';
import { beforeEnd, leaveSignals, saveOnSignal, sayOnSignal } from './signals.ts';
import { looksSmall } from './small-program.ts';
import { STDERR, write } from './streams.ts';
import { isTerminal } from './terminal.ts';
import { type Ending, ending, startThread } from './thread.ts';
import { building, runHere } from './v8/kept-code.ts';
import { isUsed } from './v8/tricks.ts';

const USUAL_COLUMNS = 80;

const ENDED =
  'This job is being ended: a rank was killed or has failed, or its user or scheduler has ended it. An optimisation with a checkpoint ' +
  'can go on from the last one: run it again with --resume.';

export const runCommand = command({
  summary: 'run a program and print its value',
  usage: 'FILE|- [options] [-- program arguments]',
  details: [
    'Runs a .wppl, .ts or .js program and prints its value: the last expression of a .wppl file, the default export of a module.',
    'With - the text of the program is read from stdin: WebPPL’s language, or a module if it imports or exports something.',
    'The same seed gives the same output; without one, every run differs.',
    '--sandbox is for programs that you have not read: see SECURITY.md for what it keeps them from, and what not. PATHS are separated by commas.',
    'Parameter files and checkpoints are described in docs/parameters.md.',
  ],
  options: {
    seed: number('seed', SEED_KIND, isSeed, 'seed of the random numbers'),
    params: text('FILE', 'start with the parameters in FILE, and write them back there if the program changes them'),
    resume: flag('go on with optimisations from their checkpoints'),
    json: text(
      'OUT',
      'also write the value and all outputs to the file OUT, as JSON; - is stdout, and nothing else goes there',
    ),
    html: text('FILE', 'also write a page of the run to FILE: outputs, tables, charts, curves and diagnostics'),
    svg: text('DIR', 'also write every chart of the run to the folder DIR, as SVG'),
    watch: flag('run again whenever the program, or a file that it reads, changes'),
    ...sandboxOptions,
    ...engineOptions,
    ...threadRankOptions,
    ...rankOptions,
    timing: flag('say on stderr how long compiling, running and printing took'),
    ...commonOptions,
  },

  async run({ settings, operands, rest }) {
    if (operands.length === 0) throw new UsageError('waymark run needs a file to run: waymark run FILE.');
    if (operands.length > 1) {
      throw new UsageError(
        `waymark run runs one file, got ${operands.join(' and ')}. Arguments of the program go after --.`,
      );
    }
    const { sandbox = false, watch = false } = settings;
    checkSandbox(settings);
    const ranks = ranksToJoin(settings);
    checkRanks(ranks, settings);
    // Rank 0 alone reads from stdin, and writes.
    const silent = isSilent(ranks);
    if (ranks !== undefined && ranks.memory === undefined && !silent) sayOnSignal(ENDED);
    const { json, html, svg, params }: Pick<typeof settings, 'json' | 'html' | 'svg' | 'params'> = silent
      ? {}
      : settings;
    const [named] = operands;
    if (named !== '-') checkProgramFile(named);
    else if (watch) throw new UsageError('--watch needs a file to watch, not stdin.');
    if (json !== undefined && json !== '-') checkOutputFile('--json', json);
    if (html !== undefined) checkOutputFile('--html', html);
    if (svg !== undefined) makeOutputFolder('--svg', svg);
    if (params !== undefined) checkOutputFile('--params', params);
    const { file, code } =
      named === '-' ? (silent ? { file: 'stdin', code: '' } : programFromStdin()) : { file: named, code: undefined };
    const job: RunJob = {
      kind: 'run',
      file,
      code,
      seed: settings.seed ?? randomSeed(),
      json: json === undefined || json === '-' ? json : resolve(json),
      html: html === undefined ? undefined : resolve(html),
      svg: svg === undefined ? undefined : resolve(svg),
      params,
      paramsPlace: params === undefined ? undefined : resolve(params),
      stop: sandbox && params === undefined ? undefined : saveOnSignal(params !== undefined),
      sandbox,
      ranks,
      resume: settings.resume ?? false,
      args: rest,
      engine: engineOfRank(engineOf(settings), ranks),
      quiet: settings.quiet ?? false,
      timing: settings.timing ?? false,
      watched: watch,
      // A terminal without a size (under script, in some containers) says 0.
      columns: isTerminal(STDERR) ? process.stderr.columns || USUAL_COLUMNS : undefined,
    };
    const out = job.json;
    if (out !== undefined) beforeEnd(() => complain('The run was interrupted.', out, file));
    if (!watch) return outcomeOf(job, settings);
    const fresh = (): RunJob => (settings.seed === undefined ? { ...job, seed: randomSeed() } : job);
    return (await import('./watch.ts')).runAgain(fresh);
  },
});

/** Runs to the end, whatever that is; resolves to the exit code. */
async function outcomeOf(job: RunJob, settings: SandboxSettings): Promise<number> {
  // Loaded where it is needed: other runs start without.
  const end = job.sandbox
    ? await (await import('./sandboxed-run.ts')).runSandboxed(job, settings)
    : job.ranks?.memory === undefined
      ? await runAlone(job)
      : await (await import('./thread-ranks.ts')).runThreads(job, job.ranks);
  if ('code' in end) return end.code;
  if (job.ranks !== undefined) await turnToSpeak(job.ranks);
  complain(end.fault, job.json);
  return 1;
}

/** Says why there is no result, on stderr and where `--json` says. */
function complain(message: string, json: string | undefined, file: string | null = null): void {
  write(STDERR, `${message}\n`);
  if (json === undefined) return;
  const complaint = writeJson(json, failure(message, { file, line: null, column: null }));
  if (complaint !== undefined) write(STDERR, `${complaint}\n`);
}

/** A program that looks small runs in this thread, since starting another takes as long as everything else. */
async function runAlone(job: RunJob): Promise<Ending> {
  if (!fitsHere(job)) return ending(startThread(job));
  const hearAgain = leaveSignals();
  runHere();
  const end = await (await import('./first-thread.ts')).attempt(job);
  if ('code' in end) return end;
  hearAgain();
  return ending(startThread({ ...job, ...end }));
}

/** Whether the run may start in this thread. Runs that are watched, or save something on a signal, need a thread that hears signals. */
function fitsHere({ code, file, watched, ranks, resume, params, html, svg }: RunJob): boolean {
  const isPlain = !watched && !resume && [ranks, params, html, svg].every((one) => one === undefined);
  // (The build asks as well, so that code is kept of it.)
  return isPlain && isUsed('first-thread') && looksSmall(code ?? readFileSync(file, 'utf8')) && !building;
}

function programFromStdin(): { file: string; code: string } {
  if (isTerminal(0)) write(STDERR, 'Reading the program from the terminal; Ctrl-D on a line of its own ends it.\n');
  let code: string;
  try {
    code = readFileSync(0, 'utf8');
  } catch (error) {
    throw new UsageError(`stdin cannot be read: ${(error as Error).message}.`);
  }
  return { file: isModule(code) ? 'stdin.ts' : 'stdin.wppl', code };
}
