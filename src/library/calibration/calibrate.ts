/**
 * Simulation-based calibration (Talts, Betancourt, Simpson, Vehtari & Gelman 2018; Modrák et al. 2023): values drawn from the prior, data
 * made up of them, posteriors given the data. True values then lie anywhere in their posteriors with the same probability.
 */
import { tableOf, withParameters } from '../../guides/given-params.ts';
import { count, type Option, positiveNumber, readOptions, withDefault } from '../../inference/options.ts';
import { divided } from '../../ranks/divided.ts';
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { knownApart } from '../../runtime/known-models.ts';
import { during, machine, runsDirectly } from '../../runtime/machine.ts';
import { INSPECT, SHOWN } from '../../runtime/readable.ts';
import { grid } from '../show/grid.ts';
import { type Quantity, quantitiesGiven, quantitiesIn, type TestQuantity } from './quantities.ts';
import { ManyInferences } from './quiet-run.ts';
import { type Placed, Ranking } from './ranking.ts';
import {
  type CalibratedMethod,
  type PosteriorSource,
  type Simulation,
  type Simulator,
  simulatorByDatum,
  simulatorOf,
  simulatorOfSource,
} from './simulations.ts';
import { UniformCounts } from './uniform.ts';
import { calibrationRows, findings, type MethodQuality, type QuantityCalibration, verdictOf } from './verdict.ts';

/** Options of `calibrate`. */
export interface CalibrateOptions<D, T> {
  /** The method to look at: its name, its options as for `Infer`, or a function of the data that gives a posterior. */
  method?: CalibratedMethod<D, T>;
  /** Data of the form that the model takes. What the model observes of them is made up. */
  example?: D;
  /** Gives an example for each simulation, where forms differ, such as lists of other lengths. It may make choices. */
  exampleOf?: () => D;
  /** How many true values with their data: 500 if left out. */
  simulations?: number;
  /** Numbers (or Booleans) to look at, as functions of a value and the data. Left out: all numbers, Booleans and names in the values. */
  quantities?: Readonly<Record<string, TestQuantity<T, D>>>;
  /** The probability of calling a calibrated method wrong: 0.05 if left out. */
  level?: number;
  /** Parameters of guides and model, as `Optimize` returns them; those of the run if left out. */
  params?: Readonly<Record<string, unknown>>;
}

/** The options for a model or a network. */
type OptionsFor<F> =
  F extends PosteriorSource<infer D, infer T>
    ? CalibrateOptions<D, T>
    : F extends () => readonly (infer R)[] | undefined
      ? CalibrateOptions<unknown, R>
      : F extends (data: infer D) => infer T
        ? CalibrateOptions<D, T>
        : never;

/** The result of `calibrate`: whether the posteriors are calibrated, and what was found. */
export interface Calibration {
  readonly calibrated: boolean;
  /** What was found, in words. */
  readonly verdict: string;
  readonly simulations: number;
  readonly level: number;
  readonly quantities: Readonly<Record<string, QuantityCalibration>>;
  /** The effective sample size of a posterior, and Pareto k̂ where there are weights. */
  readonly quality: MethodQuality;
}

interface Read extends CalibrateOptions<unknown, unknown> {
  simulations: number;
  level: number;
}

/** An option that is checked where it is used. */
const anything = <T>(): Option<T | undefined> => ({
  expected: 'given',
  standard: { value: undefined },
  read: (value) => ({ value: value as T }),
});

const TABLE: { readonly [K in keyof Read]-?: Option<Read[K]> } = {
  method: anything(),
  example: anything(),
  exampleOf: anything(),
  simulations: withDefault(count(20), 500),
  quantities: anything(),
  level: withDefault(positiveNumber, 0.05),
  params: anything(),
};

/**
 * Says whether a method, with its settings, gives the posteriors of a model that it should: on average over data that the model makes up,
 * 90 % intervals hold 90 % of the true values, and so on. The model is a function of its data, and reads what it observes from them.
 *
 *     const model = (ys) => {
 *       const mu = gaussian(0, 1);
 *       map((y) => observe(Gaussian({mu, sigma: 1}), y), ys);
 *       return mu;
 *     };
 *     calibrate(model, {method: {method: 'MCMC', samples: 200, burn: 50}, example: [0, 0, 0], simulations: 50}).verdict
 */
export function calibrate<D, T>(
  net: PosteriorSource<D, T>,
  options?: CalibrateOptions<NoInfer<D>, NoInfer<T>>,
): Calibration;
export function calibrate<T, D = unknown>(
  model: () => readonly T[] | undefined,
  options: CalibrateOptions<D, NoInfer<T>>,
): Calibration;
export function calibrate<T, D = unknown>(model: () => T, options: CalibrateOptions<D, never>): Calibration;
export function calibrate<D, T>(model: (data: D) => T, options: CalibrateOptions<NoInfer<D>, NoInfer<T>>): Calibration;
/**
 * Holds the options of all of these to their own type, so that the error of a call that does not compile stands at the misspelt option.
 * @internal
 */
export function calibrate<F>(
  of: [OptionsFor<F>] extends [never] ? () => unknown : F,
  options: OptionsFor<F>,
): Calibration;
export function calibrate(first: unknown, options: object = {}): Calibration {
  if (!runsDirectly()) throw new WaymarkError('calibrate must be called outside models.');
  const given = readOptions<Read>('calibrate', options, TABLE);
  const { simulations, level, params, quantities } = given;
  if (level >= 1) throw new WaymarkError(`calibrate: level must be below 1, got ${level}.`);
  const simulator = simulatorFor(first, given);
  const find = (): Calibration => calibrated(simulator, simulations, level, quantities);
  return knownApart(first, () =>
    params === undefined ? find() : withParameters(tableOf('calibrate: params', params), find),
  );
}

function simulatorFor(first: unknown, { method, example, exampleOf }: Read): Simulator {
  if (isSource(first)) return simulatorOfSource(first, (method ?? {}) as object);
  if (typeof first !== 'function') {
    throw new WaymarkError(
      `calibrate takes a model first, as in calibrate((data) => …, {example, method}); got ${describe(first)}.`,
    );
  }
  if (exampleOf !== undefined && typeof exampleOf !== 'function') {
    throw new WaymarkError(
      `calibrate: exampleOf must be a function that gives an example of the data, got ${describe(exampleOf)}.`,
    );
  }
  const model = first as () => unknown;
  if (exampleOf === undefined && example === undefined) return simulatorByDatum(model, method);
  return simulatorOf(model, method, exampleOf ?? (() => example));
}

function isSource(value: unknown): value is PosteriorSource<unknown, unknown> {
  const { dreams, posterior } = (value ?? {}) as Partial<PosteriorSource<unknown, unknown>>;
  return typeof dreams === 'function' && typeof posterior === 'function';
}

function calibrated(
  simulator: Simulator,
  simulations: number,
  level: number,
  given: Readonly<Record<string, unknown>> | undefined,
): Calibration {
  const { address: own, stream } = machine;
  const random = stream.child(stream.occurrence(), 0);
  const inferences = new ManyInferences('calibrate', simulations);
  try {
    const made = simulator(simulations);
    const quantities = given === undefined ? quantitiesOf(made) : quantitiesGiven(given);
    const ranking = new Ranking(quantities, made);
    // A simulation has random numbers of its own, so that it does not matter which rank makes it.
    const one = (i: number): { readonly result: Placed; readonly advice: readonly string[] } => {
      machine.address = own.index(i);
      return during({ stream: random.named(`posterior ${i}`) }, () =>
        inferences.one(() => ranking.placed(i, made[i].posterior(), random.named(`simulation ${i}`))),
      );
    };
    for (const { result, advice } of divided('infer for simulations', simulations, one)) {
      ranking.add(result);
      for (const text of advice) inferences.note(text);
    }
    return resultOf(quantities, ranking, simulations, level);
  } finally {
    machine.address = own;
    inferences.finish();
  }
}

function quantitiesOf(made: readonly Simulation[]): Quantity[] {
  const { quantities, leftOut } = quantitiesIn(made.map(({ value }) => value));
  if (quantities.length === 0) {
    throw new WaymarkError(
      `calibrate finds nothing to look at: the model returns ${describe(made[0].value)} each time. Let it return what is to be inferred, ` +
        'or give quantities: {quantities: {name: (value, data) => …}}.',
    );
  }
  if (leftOut > 0) {
    machine.run.warn(
      `calibrate looks at ${quantities.length} numbers of the value, and leaves ${leftOut} out. Say what matters with the option quantities.`,
    );
  }
  return quantities;
}

function resultOf(quantities: readonly Quantity[], ranking: Ranking, simulations: number, level: number): Calibration {
  const all = findings(ranking.ranks, ranking.scores, new UniformCounts(simulations), level);
  const found = new Map(quantities.map(({ name }, q) => [name, all[q]]));
  const { quality } = ranking;
  const result: Calibration = {
    calibrated: all.every(({ calibrated }) => calibrated),
    verdict: verdictOf(found, simulations, level, quality),
    simulations,
    level,
    quantities: Object.fromEntries(found),
    quality,
  };
  const text = (): string =>
    [result.verdict, ...grid(calibrationRows(found), ALIGN).map((row) => `  ${row}`)].join('\n');
  const hidden = { enumerable: false, value: text };
  return Object.defineProperties(result, { [SHOWN]: hidden, [INSPECT]: hidden });
}

const ALIGN = ['left', 'right', 'right', 'right', 'left'] as const;
