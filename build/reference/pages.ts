/** Which names are on which page: by the file that declares them. */

export interface Page {
  /** The file is `docs/reference/<name>.md`. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** Files below `src/`, or folders that end in a slash. */
  readonly sources: readonly string[];
}

export const PAGES: readonly Page[] = [
  {
    name: 'choices',
    title: 'Choices and conditions',
    about: 'What a model says to inference, and what it may remember.',
    sources: [
      ...['runtime/primitives.ts', 'library/choices.ts', 'library/drift.ts', 'library/urns.ts', 'library/mem.ts'],
      ...['library/guide.ts', 'library/rejection.ts'],
      ...['library/cache.ts', 'library/store.ts', 'runtime/query.ts', 'runtime/handler.ts'],
    ],
  },
  {
    name: 'distributions',
    title: 'Distributions',
    about:
      'A family is called with its parameters by name and gives a distribution: `sample(Gaussian({mu: 0, sigma: 1}))`. ' +
      'Most families have a helper in lower case that draws at once, with parameters by position: `gaussian(0, 1)`. ' +
      'Every distribution has `score(value)`, the log-probability or log-density.',
    sources: ['distributions/'],
  },
  {
    name: 'inference',
    title: 'Inference',
    about: 'The distribution of what a model returns, given its factors: `Infer`, its methods, and their options.',
    sources: ['inference/', 'library/marginalize.ts', 'library/posteriors.ts', 'library/evidence.ts'],
  },
  {
    name: 'optimisation',
    title: 'Parameters and optimisation',
    about: 'Parameters of guides and models, and what improves them.',
    sources: ['guides/', 'optimize/'],
  },
  {
    name: 'amortisation',
    title: 'Amortised inference',
    about: 'A network that has learned to infer, for any data, what a model returns.',
    sources: ['amortize/'],
  },
  {
    name: 'networks',
    title: 'Networks',
    about:
      'Layers in WebPPL’s style, which declare their parameters where they stand, and networks in the paper’s style.',
    sources: ['nn/'],
  },
  {
    name: 'data',
    title: 'Data and output',
    about: 'Reading data, going through it, and showing results.',
    sources: [
      ...[
        'library/map-data.ts',
        'library/fold-data.ts',
        'io/',
        'library/argv.ts',
        'library/output.ts',
        'library/show/',
        'library/viz/',
      ],
      'runtime/errors.ts',
    ],
  },
  {
    name: 'runs',
    title: 'Runs in an app',
    about:
      'Seeds, listeners and signals for apps that call Waymark as a library: see [In your app](../in-your-app.md).',
    sources: ['runtime/with-run.ts', 'runtime/listeners.ts', 'runtime/machine.ts'],
  },
  {
    name: 'results',
    title: 'Results of inference',
    about: 'What can be asked of a distribution, and of lists of numbers.',
    sources: [
      ...['library/expectation.ts', 'library/dist-functions.ts', 'library/intervals.ts', 'library/statistics.ts'],
      ...['library/summary.ts', 'library/cross-validation.ts', 'library/calibration/'],
    ],
  },
  {
    name: 'lists',
    title: 'Lists and functions',
    about:
      'Functions that call back give each call its own address and random numbers, so that the function may make choices.',
    sources: [
      ...[
        'library/arguments.ts',
        'library/mapping.ts',
        'library/folding.ts',
        'library/for-each.ts',
        'library/lists.ts',
        'library/grouping.ts',
      ],
      ...['library/sorting.ts', 'library/functions.ts', 'library/sums.ts'],
    ],
  },
  {
    name: 'tensors',
    title: 'Tensors',
    about: 'Vectors have dims `[n, 1]`. Tensors never change; functions of them give new ones.',
    sources: ['library/tensors/', 'library/activations.ts', 'library/special.ts', 'library/ode/'],
  },
];

/** The page of a file of the repository. */
export function pageOf(file: string): Page {
  const within = file.replace(/^src\//, '');
  const page = PAGES.find(({ sources }) =>
    sources.some((source) => (source.endsWith('/') ? within.startsWith(source) : within === source)),
  );
  if (page === undefined) throw new Error(`${file} is on no page of the reference: add it to build/reference/pages.ts`);
  return page;
}
