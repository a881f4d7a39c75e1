/** Runs a function of a choice in every way there is, and says where it gave something else than plain JavaScript does. */
import { type RunOptions, run } from '../../src/program/run.ts';

/** The values of the choice. */
const VALUES: readonly number[] = [0, 1, 2, 3];

/** A function of a choice `k` as the statements of its body, and what stands before it. Numbers only are returned. */
export interface Row {
  readonly body: string;
  readonly before?: string;
  /** The same body for JavaScript, if that has it not. */
  readonly truth?: string;
  /** Functions that the program finds in the library. */
  readonly library?: Readonly<Record<string, unknown>>;
}

/** What JavaScript itself makes of each value. */
function expectedOf({ body, before = '', truth = body, library = {} }: Row): readonly unknown[] {
  const make = new Function(...Object.keys(library), `${before}\nreturn function(k) {${truth}};`);
  const f = make(...Object.values(library));
  return VALUES.map((k) => f(k));
}

/** Inferences that give `{k, value}` for each execution. */
const INFERENCES: Readonly<Record<string, string>> = {
  forward: "method: 'forward', samples: 40",
  importance: "method: 'importance', samples: 40",
  rejection: "method: 'rejection', samples: 20",
  SMC: "method: 'SMC', particles: 40",
  // Enough of them to be worth a recording.
  MH: "method: 'MCMC', samples: 520",
  enumerate: "method: 'enumerate'",
  'enumerate many paths': "method: 'enumerate'",
  HMC: "method: 'MCMC', samples: 20, kernel: 'HMC'",
  NUTS: "method: 'MCMC', samples: 20, kernel: 'NUTS'",
};

/** So many paths are worth a recording. */
const MANY_PATHS = 'sample(RandomInteger({n: 512}));';

/** Under HMC and NUTS the choice is computed from a real one, so that it is a node of the graph. */
const drawOf = (name: string): string =>
  name === 'HMC' || name === 'NUTS'
    ? 'const x = sample(Gaussian({mu: 0, sigma: 1})); const k = x > 0.5 ? 3 : x > 0 ? 2 : x > -0.5 ? 1 : 0;'
    : `${name === 'enumerate many paths' ? MANY_PATHS : ''} const k = sample(RandomInteger({n: 4}));`;

/** Optimisations that add up `truth[k]` in one parameter and what the function gives in the other. */
const OPTIMISATIONS: Readonly<Record<string, string>> = {
  'Optimize of data': 'mapData({data: [0, 1, 2, 3]}, (k) => { add(k); });',
  'Optimize of choices': `
    for (let i = 0; i < 3; i++) add(sample(RandomInteger({n: 4}), {guide: () => RandomInteger({n: 4})}));`,
  'Optimize of choices of data': `
    mapData({data: [1, 2, 3, 4, 5, 6]}, () => {
      add(sample(RandomInteger({n: 4}), {guide: () => RandomInteger({n: 4})}));
    });`,
  // So many groups that the sides of conditions are run by those that take them.
  'Optimize of choices that branch': `
    mapData({data: repeat(24, () => 1)}, () => {
      const coin = sample(RandomInteger({n: 12}), {guide: () => RandomInteger({n: 12})});
      const part = (n) => { if (coin === n) { factor(0.1); } else if (n > 0) { part(n - 1); } };
      part(12);
      add(sample(RandomInteger({n: 4}), {guide: () => RandomInteger({n: 4})}));
    });`,
  'Optimize of parameters': `
    const m = param({name: 'm', mu: 0, sigma: 0});
    add(m > 0.5 ? 3 : m > 0.2 ? 2 : m > 0.1 ? 1 : 0);
    factor(m);`,
};

const inference = (name: string): string => `
  const ${nameOf(name)} = Infer({${INFERENCES[name]}, model: () => {
    ${drawOf(name)}
    const value = f(k);
    factor(-0.1 * k);
    return {k, value};
  }});`;

const optimisation = (name: string): string => `
  Optimize({steps: 3, verbose: false, checkGradients: false, optMethod: {sgd: {stepSize: 0.1}}, model: () => {
    const right = param({name: 'right ${name}', mu: 0, sigma: 0});
    const found = param({name: 'found ${name}', mu: 0, sigma: 0});
    const add = (k) => { factor(truth[k] * right + f(k) * found); };
    ${OPTIMISATIONS[name].replaceAll("'m'", `'m ${name}'`)}
  }});`;

const nameOf = (name: string): string => `by${name.replaceAll(' ', '')}`;

/** All there are. That of many paths takes as long as the others together. */
export const ALL_WAYS: readonly string[] = [...Object.keys(INFERENCES), ...Object.keys(OPTIMISATIONS)];
const WAYS = ALL_WAYS.filter((way) => way !== 'enumerate many paths');

/** Every third way, by turns; all of them with TABLE=all. */
export const waysByTurns = (row: number): readonly string[] =>
  process.env.TABLE === 'all' ? ALL_WAYS : WAYS.filter((_, i) => i % 3 === row % 3);

/** What programs of the other language import. */
const IMPORTS = `import {
  Infer, Optimize, sample, factor, param, mapData, repeat, getParams, Gaussian, RandomInteger,
} from 'waymark';\n`;

/** The same program in TypeScript, with types that mean nothing. */
const inTypeScript = (code: string): string =>
  IMPORTS +
  code
    .replace('var f = function(k) {', 'var f = function(k: any): any {')
    .replace(/\n\s*(\(\{params: .*\}\))$/, '\nexport default $1 satisfies object;');

export function program(row: Row, ways: readonly string[]): string {
  const { body, before = '' } = row;
  const inferences = ways.filter((way) => way in INFERENCES);
  return `${before}
    var truth = ${JSON.stringify(expectedOf(row))};
    var f = function(k) {${body}};
    ${inferences.map(inference).join('\n')}
    ${ways
      .filter((way) => way in OPTIMISATIONS)
      .map(optimisation)
      .join('\n')}
    ({params: getParams(), ${inferences.map(nameOf).join(', ')}})`;
}

interface Result {
  readonly value: { readonly k: number; readonly value: unknown };
  readonly score: number;
}

/** What an inference found: for each execution, or each value, what it is and how likely. */
function resultsOf(posterior: unknown): Result[] {
  const { samples, weights } = posterior as { samples?: readonly Result[]; weights?: readonly number[] };
  if (samples !== undefined) {
    return samples.map(({ value, score }, i) => ({ value, score: weights?.[i] ?? score }));
  }
  const { support, score } = posterior as { support(): Result['value'][]; score(value: unknown): number };
  return support.call(posterior).map((value) => ({ value, score: score.call(posterior, value) }));
}

/** What the ways find whose function gives nothing but 0: the same choices, whatever a function gives. */
const reference = new Map<string, Promise<Record<string, unknown>>>();

async function executed(code: string, options: RunOptions): Promise<Record<string, unknown>> {
  const engine = { precision: 'double' as const, ...options.engine };
  const text = options.language === 'ts' ? inTypeScript(code) : code;
  const { value } = await run(text, { seed: 1, warn: () => {}, ...options, engine });
  return value as Record<string, unknown>;
}

function referenceOf(ways: readonly string[]): Promise<Record<string, unknown>> {
  const key = ways.join();
  let found = reference.get(key);
  if (found === undefined) {
    found = executed(program({ body: 'return 0;' }, ways), { engine: { sequential: true } });
    reference.set(key, found);
  }
  return found;
}

/** What each of the ways got wrong; nothing, if all is well. */
export async function faultsOf(row: Row, options: RunOptions = {}, ways: readonly string[] = WAYS): Promise<string[]> {
  try {
    return await wrongOf(row, options, ways);
  } catch (thrown) {
    if (ways.length === 1) return [`${ways[0]}: ${(thrown as Error).message}`];
    const each: string[] = [];
    for (const way of ways) each.push(...(await faultsOf(row, options, [way])));
    return each;
  }
}

async function wrongOf(row: Row, options: RunOptions, ways: readonly string[]): Promise<string[]> {
  const expected = expectedOf(row);
  const found = await executed(program(row, ways), options);
  const known = await referenceOf(ways);
  const faults: string[] = [];
  for (const way of ways) {
    const fault =
      way in OPTIMISATIONS
        ? faultOfSums(way, found.params as Params)
        : faultOfResults(found[nameOf(way)], known[nameOf(way)], expected);
    if (fault !== undefined) faults.push(`${way}: ${fault}`);
  }
  return faults;
}

type Params = Readonly<Record<string, { readonly data: Float64Array }>>;

function faultOfSums(way: string, params: Params): string | undefined {
  const [right, found] = [`right ${way}`, `found ${way}`].map((name) => params[name].data[0]);
  return Math.abs(right - found) < 1e-9 ? undefined : `${found} instead of ${right}`;
}

function faultOfResults(given: unknown, sought: unknown, expected: readonly unknown[]): string | undefined {
  const [found, known] = [resultsOf(given), resultsOf(sought)];
  if (found.length !== known.length) return `${found.length} values instead of ${known.length}`;
  const scoreOf = new Map(known.map(({ value, score }) => [value.k, score]));
  // Where each value is there once, their order may be another.
  const isList = scoreOf.size < known.length;
  for (const [i, { value, score }] of found.entries()) {
    if (!Object.is(value.value, expected[value.k])) {
      return `${JSON.stringify(value)} instead of ${expected[value.k]}`;
    }
    if (isList && value.k !== known[i].value.k) return `the choice ${value.k} instead of ${known[i].value.k}`;
    const other = isList ? known[i].score : scoreOf.get(value.k)!;
    if (Math.abs(score - other) > 1e-9) return `the score ${score} instead of ${other}`;
  }
  return undefined;
}
