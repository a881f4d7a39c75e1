/** The fleet: every program of this repository that infers, mostly with sizes at which a run takes some milliseconds. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAMS as lawPrograms } from '../lanes/law-programs.ts';
import { type MadeUp, madeUp } from './data.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A program to run. */
export interface Ship {
  /** As the table calls it: the path, or `law: ` and what it shows. */
  readonly name: string;
  readonly code: string;
  readonly file: string;
  readonly args: Readonly<Record<string, string | number>>;
  /** What the program finds in the file `--data`. */
  readonly data?: MadeUp;
  /** Whether it looks for files of data sets. */
  readonly files?: boolean;
}

/** The first is recorded and compiled, or the second; others run what was compiled. */
const STEPS = 3;
/** Steps in which data part differently are compiled once a few have been executed. */
const STEPS_OF_BRANCHES = 14;

/** Pieces of a program's text that make it smaller; each must be there. */
type Smaller = Readonly<Record<string, string>>;

const SMALL_NETWORK: Smaller = { 'numCauses = 200': 'numCauses = 60', 'numEffects = 100': 'numEffects = 8' };
const SMALL_PICTURES: Smaller = { '_.range(300)': '_.range(110)' };

const SMALLER: Readonly<Record<string, Smaller>> = {
  'bench/programs/qmr-factored.wppl': SMALL_NETWORK,
  'bench/programs/qmr-gru.wppl': SMALL_NETWORK,
  'bench/programs/qmr-joint.wppl': SMALL_NETWORK,
  'bench/programs/sbn.wppl': SMALL_PICTURES,
  'bench/programs/vae.wppl': { ...SMALL_PICTURES, 'hiddenDim = 500': 'hiddenDim = 50' },
  'bench/programs/hmc-linreg-10k.wppl': { 'samples: 10000': 'samples: 500' },
  'bench/programs/mh-linreg.wppl': { 'samples: 10000': 'samples: 1000' },
  'examples/geometric.wppl': { 'samples: 20000': 'samples: 1000' },
  'bench/programs/comparison-class.wppl': { '_.range(16)': '_.range(6)' },
  'examples/hidden-markov.wppl': { 'particles: 5000': 'particles: 500' },
  'examples/linear-regression.ts': { 'samples: 5000, burn: 2000': 'samples: 200, burn: 10' },
  'examples/tug-of-war.ts': { 'samples: 5000, burn: 1000': 'samples: 200, burn: 10' },
  'examples/amortized.wppl': { 'steps: 500': 'steps: 3' },
  'examples/two-modes.ts': { 'steps: 800': 'steps: 3', 'samples: 4000': 'samples: 200' },
  'examples/schools.wppl': { 'steps: 1500, optMethod': 'steps: 3, optMethod', 'samples: 1000': 'samples: 100' },
};

function smaller(path: string, text: string): string {
  const posterior = path.startsWith('experiments/posteriors/');
  const own = SMALLER[path] ?? {};
  let code = posterior ? text.replace(/samples: \d+, burn: \d+/, 'samples: 8, burn: 4') : text;
  for (const [from, to] of Object.entries(own)) {
    if (!code.includes(from))
      throw new Error(`${path} no longer has the text ${from}: say in test/fleet/programs.ts what makes it small.`);
    code = code.replace(from, to);
  }
  return code;
}

/** The text of a program, with settings before its first line, which keeps its number. */
function ship(path: string, args: Ship['args'] = {}, data?: MadeUp, settings = ''): Ship {
  const file = join(root, path);
  return { name: path, file, args, data, code: settings + smaller(path, readFileSync(file, 'utf8')) };
}

const within = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => ending.test(name))
    .sort()
    .map((name) => `${folder}/${name}`);

/** Programs of the experiments, as `src/reproduce/` runs them; the others of their folders are what these import. */
const EXPERIMENTS = {
  gmm: { programs: ['amortized', 'marginalised', 'mean-field', 'true-model'], args: { run: 0 } },
  lda: { programs: ['document-guide', 'marginalised', 'mean-field', 'word-guide'], args: {} },
  qmr: {
    programs: ['factored', 'gru', 'joint', 'mean-field'],
    args: { stepSize: 0.01, reductions: 'all', draws: 20 },
  },
  'vae-sbn': { programs: ['sbn', 'vae'], args: {} },
};

/** Problems beyond the paper, and of amortised inference: a program, and what it is run with besides a number of steps. */
const PROBLEMS: readonly (readonly [program: string, args: Ship['args'], data?: keyof typeof madeUp])[] = [
  ['beyond/air/air', { steps: 20, scenes: 6, batch: 4, tested: 2 }],
  ['beyond/cone/cone', { guide: 'mean-field', objective: 'IWAE', samples: 5 }],
  ['beyond/cone/cone', { guide: 'ring', objective: 'ELBO', samples: 16 }],
  [
    'beyond/dmm/dmm',
    { steps: 20, pieces: 6, keys: 0, batch: 4, decay: 20, stepSize: 0.002, samples: 3, particles: 3, tested: 2 },
  ],
  ['beyond/rws/mixture', { samples: 5, dream: 0.5 }, 'rws'],
  [
    'beyond/sbn2/sbn2',
    { steps: 20, samples: 3, fewer: 2, start: 0.5, images: 24, batch: 8, testSamples: 3, testBatches: 1 },
  ],
  [
    'beyond/sbn3/sbn3',
    { steps: 20, samples: 3, fewer: 2, start: 0.5, images: 24, batch: 8, testSamples: 3, testBatches: 1 },
  ],
  [
    'beyond/ssvae/ssvae',
    { labels: 10, images: 20, weight: 46, far: 1, batch: 8, labelledBatch: 8, tested: 4, first: 3, believed: 3 },
  ],
  ['amortize/hmm', { samples: 50 }],
  ['amortize/marsaglia', { problem: 0, samples: 50 }],
  ['amortize/posterior', { name: 'eight-schools', dreams: 16, samples: 50, hidden: 8, layers: 1, awake: 1 }],
  ['amortize/sbibm', { task: 'two_moons', simulations: 800, hidden: 8, components: 4, stepSize: 0.001, draws: 150, weighed: 50, epochs: 2, observations: 1 }], // biome-ignore format: a row
  ...['clusters', 'recursion', 'memory', 'switching', 'missing', 'rejecting'].map(
    (program) => ['amortize/calibration', { program, simulations: 100, samples: 20 }] as const,
  ),
];

/** Where a program is run with several settings, the table says with which. */
function problem([program, args, data]: (typeof PROBLEMS)[number]): Ship {
  const path = `experiments/${program}.ts`;
  const { guide, program: which } = args;
  const made = madeUp[data ?? (program.startsWith('beyond') ? 'beyond' : 'amortize')];
  const own = ship(path, { steps: STEPS, ...args }, made);
  return { ...own, files: true, name: [path, guide ?? which].filter((part) => part !== undefined).join(' ') };
}

export function fleet(): Ship[] {
  const steps = { steps: STEPS };
  const corpus = `var data = ${JSON.stringify(madeUp.bench)};`;
  return [
    ...within('examples', /\.(wppl|ts)$/).map((path) => ship(path)),
    ...within('examples/paper', /\.wppl$/).map((path) => ship(path, steps)),
    ...within('bench/programs', /\.wppl$/).map((path) =>
      ship(
        path,
        {},
        undefined,
        `var steps = ${/branch-|recursive/.test(path) ? STEPS_OF_BRANCHES : STEPS}; var trees = 20; var straight = false;${path.includes('/lda-') ? corpus : ''} `,
      ),
    ),
    ...within('bench/styles', /\.(wppl|ts)$/).map((path) => ship(path)),
    ...Object.entries(EXPERIMENTS).flatMap(([name, { programs, args }]) =>
      programs.map((program) =>
        ship(`experiments/${name}/${program}.ts`, { ...steps, ...args }, madeUp[name as keyof typeof EXPERIMENTS]),
      ),
    ),
    ...PROBLEMS.map(problem),
    ...within('experiments/posteriors', /\.wppl$/).map((path) =>
      ship(path, {}, madeUp[path.includes('lotka-volterra') ? 'lotka-volterra' : 'posteriors']),
    ),
    ...Object.entries(lawPrograms).map(([name, code]) => ({
      name: `law: ${name}`,
      file: 'law.wppl',
      args: {},
      code: `${code}\nOptimize(model, {steps: ${STEPS}, checkGradients: false});`,
    })),
  ];
}
