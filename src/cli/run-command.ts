import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import { isSeed, SEED_KIND } from '../runtime/seed.ts';
import { flag, number, text, UsageError } from './arguments.ts';
import { command } from './command.ts';
import { failure } from './failure.ts';
import { checkOutputFile, checkProgramFile, writeOutput } from './files.ts';
import type { RunJob } from './jobs.ts';
import { checkSandbox, sandboxOptions } from './sandbox-options.ts';
import { commonOptions, engineOf, engineOptions, randomSeed } from './settings.ts';
import { saveOnSignal } from './signals.ts';
import { STDERR, write } from './streams.ts';
import { ending, startThread } from './thread.ts';

const USUAL_COLUMNS = 80;

export const runCommand = command({
  summary: 'run a program and print its value',
  usage: 'FILE [options] [-- program arguments]',
  details: [
    'Runs a .wppl, .ts or .js program and prints its value: the last expression of a .wppl file, the default export of a module.',
    'The same seed gives the same output; without one, every run differs.',
    '--sandbox is for programs that you have not read: see SECURITY.md for what it keeps them from, and what not. PATHS are separated by commas.',
    'Parameter files and checkpoints are described in docs/parameters.md.',
  ],
  options: {
    seed: number('seed', SEED_KIND, isSeed, 'seed of the random numbers'),
    params: text('FILE', 'start with the parameters in FILE, and write them back there if the program changes them'),
    resume: flag('go on with optimisations from their checkpoints'),
    json: text('OUT', 'also write the value and all outputs to the file OUT, as JSON'),
    ...sandboxOptions,
    ...engineOptions,
    timing: flag('say on stderr how long compiling and running took'),
    ...commonOptions,
  },

  async run({ settings, operands, rest }) {
    if (operands.length === 0) throw new UsageError('waymark run needs a file to run: waymark run FILE.');
    if (operands.length > 1) {
      throw new UsageError(
        `waymark run runs one file, got ${operands.join(' and ')}. Arguments of the program go after --.`,
      );
    }
    const [file] = operands;
    const { seed = randomSeed(), json, params, quiet = false, sandbox = false } = settings;
    checkSandbox(settings);
    checkProgramFile(file);
    if (json !== undefined) checkOutputFile('--json', json);
    if (params !== undefined) checkOutputFile('--params', params);
    const job: RunJob = {
      kind: 'run',
      file,
      seed,
      json: json === undefined ? undefined : resolve(json),
      params,
      paramsPlace: params === undefined ? undefined : resolve(params),
      stop: params === undefined ? undefined : saveOnSignal(),
      sandbox,
      resume: settings.resume ?? false,
      args: rest,
      engine: engineOf(settings),
      quiet,
      timing: settings.timing ?? false,
      // A terminal without a size (under script, in some containers) says 0.
      columns: isatty(STDERR) ? process.stderr.columns || USUAL_COLUMNS : undefined,
    };
    // Loaded where it is needed: other runs start without.
    const end = sandbox
      ? await (await import('./sandboxed-run.ts')).runSandboxed(job, settings)
      : await ending(startThread(job));
    if ('code' in end) return end.code;
    write(STDERR, `${end.fault}\n`);
    const complaint = json === undefined ? undefined : writeOutput(json, `${failure(end.fault)}\n`);
    if (complaint !== undefined) write(STDERR, `${complaint}\n`);
    return 1;
  },
});
