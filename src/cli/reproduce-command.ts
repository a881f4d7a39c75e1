import { cpus } from 'node:os';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import { flag, number, text, UsageError } from './arguments.ts';
import { command } from './command.ts';
import { makeOutputFolder } from './files.ts';
import { ProgressBoard } from './progress-board.ts';
import { commonOptions } from './settings.ts';
import { STDERR, STDOUT, write } from './streams.ts';
import { isTerminal } from './terminal.ts';

const NAMES = ['gmm', 'qmr', 'lda', 'vae-sbn'];
const USUAL_COLUMNS = 80;
/** Each needs about a gigabyte of memory. */
const MOST_WORKERS = 4;

const count = (name: string, summary: string) =>
  number(name, 'a whole number of at least 1', (n) => Number.isInteger(n) && n >= 1, summary);

export const reproduceCommand = command({
  summary: 'run the experiments of the paper and report what was found',
  usage: `[${NAMES.join('|')}|all] [options]`,
  details: [
    'Runs the programs in experiments/ under all conditions of section 6 of the paper, several at a time, and writes',
    'CSV files, SVG figures and one page, report.html, that sets the paper’s claims beside what was found.',
    'What was interrupted goes on where it was if the same command is given again: finished runs are kept.',
    'The full run takes less than an hour on two cores, the quick one less than five minutes.',
    'Without MNIST digits are drawn by a program, and without the abstracts documents are made up.',
  ],
  options: {
    quick: flag('far fewer steps, to see that everything works'),
    out: text('DIR', 'where results go (reproduction, or reproduction-quick)'),
    mnist: text('DIR', 'a folder with the images of MNIST in IDX form, gzipped or not (../shared/data/mnist)'),
    corpus: text('FILE', 'the abstracts that topics are learned from (../shared/data/cocolab-abstracts.json)'),
    workers: count('workers', 'how many conditions run at a time (one for each core, up to four)'),
    runs: count('runs', 'how often each condition is run, instead of as often as in the paper'),
    steps: count('steps', 'steps of optimisation, if less than in the paper'),
    ...commonOptions,
  },

  async run({ settings, operands }) {
    const { quick = false, mnist, corpus, runs, steps, quiet = false } = settings;
    const names = chosen(operands);
    const out = settings.out ?? (quick ? 'reproduction-quick' : 'reproduction');
    makeOutputFolder('--out', out);
    // Loaded here, because no other command needs any of it.
    const { reproduce } = await import('./reproduction.ts');
    const board = isTerminal(STDERR) && !quiet ? terminalBoard() : undefined;
    const say = (line: string): void => {
      if (quiet) return;
      if (board === undefined) write(STDERR, `${line}\n`);
      else board.say(line);
    };
    const workers = settings.workers ?? Math.min(MOST_WORKERS, cpus().length);
    const extent = { scale: quick ? ('quick' as const) : ('full' as const), runs, steps };
    const given = process.argv.slice(2).join(' ');
    try {
      const { summary, complete } = await reproduce({
        names,
        out,
        extent,
        given: { mnist, corpus },
        workers,
        command: `npx waymark ${given}`,
        board,
        say,
      });
      write(STDOUT, summary);
      return complete ? 0 : 1;
    } catch (error) {
      if (!(error instanceof WaymarkError)) throw error;
      throw new UsageError(error.message);
    }
  },
});

function chosen(operands: readonly string[]): readonly string[] {
  if (operands.length === 0 || (operands.length === 1 && operands[0] === 'all')) return NAMES;
  for (const name of operands) {
    if (NAMES.includes(name)) continue;
    const known = [...NAMES, 'all'];
    throw new UsageError(
      `There is no experiment ${name}.${didYouMean(name, known) || ` There are ${NAMES.join(', ')}, and all.`}`,
    );
  }
  return NAMES.filter((name) => operands.includes(name));
}

const terminalBoard = (): ProgressBoard =>
  new ProgressBoard({
    columns: process.stderr.columns || USUAL_COLUMNS,
    draw: (drawn) => write(STDERR, drawn),
    now: () => performance.now(),
  });
