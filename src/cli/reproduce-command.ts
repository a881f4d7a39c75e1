import { cpus } from 'node:os';
import { paperSuite, type Suite, suites } from '../reproduce/suites.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import { flag, number, text, UsageError } from './arguments.ts';
import { command } from './command.ts';
import { makeOutputFolder } from './files.ts';
import { ProgressBoard } from './progress-board.ts';
import { commonOptions } from './settings.ts';
import { STDERR, STDOUT, write } from './streams.ts';
import { isTerminal } from './terminal.ts';

const USUAL_COLUMNS = 80;
/** Each needs about a gigabyte of memory. */
const MOST_WORKERS = 4;

const count = (name: string, summary: string) =>
  number(name, 'a whole number of at least 1', (n) => Number.isInteger(n) && n >= 1, summary);

/** `[gmm|qmr|…|all] [options]`, after the word for the suite. */
const usageOf = ({ name, experiments }: Suite): string =>
  `${name === undefined ? '' : `${name} `}[${experiments.join('|')}|all] [options]`;

export const reproduceCommand = command({
  summary: 'run the experiments of the paper, or problems beyond it, and report what was found',
  usage: suites.map(usageOf).join(' | '),
  details: [
    'Runs the programs in experiments/ under all conditions of section 6 of the paper, several at a time, and writes',
    'CSV files, SVG figures and one page, report.html, that sets the paper’s claims beside what was found.',
    'What was interrupted goes on where it was if the same command is given again: finished runs are kept.',
    'The full run takes less than an hour on two cores, the quick one less than five minutes.',
    'After the word beyond come problems that other systems have published numbers for: all of them, or those named. They take',
    'less than six hours on two cores, or five minutes with --quick, and write to reproduction-beyond.',
    'After the word amortize come problems that networks of Amortize are held to: less than three hours on two cores.',
    'Without MNIST the paper’s digits are drawn by a program, and without the abstracts documents are made up.',
  ],
  options: {
    quick: flag('far fewer steps, to see that everything works'),
    out: text('DIR', 'where results go (reproduction, or reproduction-quick; reproduction-beyond, …)'),
    mnist: text('DIR', 'a folder with the images of MNIST in IDX form, gzipped or not (../shared/data/mnist)'),
    corpus: text('FILE', 'the abstracts that topics are learned from (../shared/data/cocolab-abstracts.json)'),
    jsb: text('FILE', 'the chorales that a deep Markov model learns (../shared/data/jsb/jsb_chorales.json)'),
    sbibm: text('DIR', 'a folder with reference draws of the benchmark sbibm (../shared/data/sbibm)'),
    posteriordb: text('DIR', 'a folder with reference posteriors of posteriordb (../shared/data/posteriordb)'),
    workers: count('workers', 'how many conditions run at a time (one for each core, up to four)'),
    runs: count('runs', 'how often each condition is run, instead of as often as in the paper'),
    steps: count('steps', 'steps of optimisation, if less than in the paper'),
    only: text('NAMES', 'run these conditions alone, with commas between; the report waits until all are there'),
    ...commonOptions,
  },

  async run({ settings, operands }) {
    const { quick = false, mnist, corpus, jsb, sbibm, posteriordb, runs, steps, only, quiet = false } = settings;
    const { suite, names } = chosen(operands);
    const folder = suite.name === undefined ? 'reproduction' : `reproduction-${suite.name}`;
    const out = settings.out ?? (quick ? `${folder}-quick` : folder);
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
    const scale = quick ? ('quick' as const) : ('full' as const);
    const extent = { scale, runs, steps, only: only?.split(',') };
    const given = process.argv.slice(2).join(' ');
    try {
      const { summary, complete } = await reproduce({
        suite,
        names,
        out,
        extent,
        given: { mnist, corpus, jsb, sbibm, posteriordb },
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

function chosen(operands: readonly string[]): { suite: Suite; names: readonly string[] } {
  const named = suites.find(({ name }) => name !== undefined && name === operands[0]);
  const suite = named ?? paperSuite;
  const asked = named === undefined ? operands : operands.slice(1);
  const { experiments } = suite;
  if (asked.length === 0 || (asked.length === 1 && asked[0] === 'all')) return { suite, names: experiments };
  for (const name of asked) {
    if (!experiments.includes(name)) throw new UsageError(`There is no experiment ${name}.${hint(name, suite)}`);
  }
  return { suite, names: experiments.filter((name) => asked.includes(name)) };
}

function hint(name: string, suite: Suite): string {
  const other = suites.find(({ experiments }) => experiments.includes(name));
  if (other !== undefined && suite === paperSuite) return ` To run it: waymark reproduce ${other.name} ${name}.`;
  if (other !== undefined) return ` To run it: waymark reproduce ${name}.`;
  const words = suite === paperSuite ? suites.flatMap((one) => one.name ?? []) : [];
  const known = [...suite.experiments, ...words, 'all'];
  return didYouMean(name, known) || ` There are ${known.slice(0, -1).join(', ')}, and all.`;
}

const terminalBoard = (): ProgressBoard =>
  new ProgressBoard({
    columns: process.stderr.columns || USUAL_COLUMNS,
    draw: (drawn) => write(STDERR, drawn),
    now: () => performance.now(),
  });
