/** Experiments that belong together: what they are called, and how their report begins. Loaded without the experiments. */

export interface Suite {
  /** What the command calls all of them; nothing for those of the paper. */
  readonly name: string | undefined;
  /** The names of the experiments, in the order of the report. */
  readonly experiments: readonly string[];
  /** Of the report. */
  readonly title: string;
  readonly introduction: string;
  /** Whose values stand beside Waymark's: the heading of their column. */
  readonly published: string;
}

export const paperSuite: Suite = {
  name: undefined,
  experiments: ['gmm', 'qmr', 'lda', 'vae-sbn'],
  title: 'The experiments of the paper, run by Waymark',
  introduction:
    'Every experiment of section 6 of “Deep Amortized Inference for Probabilistic Programs” (Ritchie, Horsfall & Goodman 2016), ' +
    'by the programs in `experiments/`. The paper’s values were read off its figures, and are approximate.',
  published: 'paper',
};

const beyondSuite: Suite = {
  name: 'beyond',
  experiments: ['cone', 'rws', 'ssvae', 'air', 'dmm', 'sbn2', 'sbn3'],
  title: 'Problems beyond the paper, run by Waymark',
  introduction:
    'Problems that other systems have published numbers for, by the programs in `experiments/beyond/`. Each claim says what ' +
    'was published, and what is to be reached here.',
  published: 'published',
};

export const amortizeSuite: Suite = {
  name: 'amortize',
  experiments: [
    'hmm',
    ...[1, 2, 3].map((problem) => `marsaglia-${problem}`),
    ...['gaussian-linear', 'two-moons', 'slcp', 'sir'],
    ...['eight-schools', 'gaussian-process', 'hidden-markov', 'lotka-volterra'],
    ...['clusters', 'recursion', 'memory', 'switching', 'missing', 'rejecting'],
  ],
  title: 'Amortised inference by Waymark',
  introduction:
    'Networks that Amortize has trained on data which programs make up, held to exact posteriors, to reference draws, and to their own ' +
    'claims, by the programs in `experiments/amortize/`. The effective sample size says how many independent samples weighed ones are worth.',
  published: 'published',
};

/** In the order in which the command names them. */
export const suites: readonly Suite[] = [paperSuite, beyondSuite, amortizeSuite];
