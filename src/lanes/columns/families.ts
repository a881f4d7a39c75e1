/**
 * Families whose parameters may be columns: those that draw numbers and have numbers as parameters. Most of them draw and
 * score by their definition; a few have loops of their own. All other families have a distribution for each execution.
 */
import type { Params } from '../../algebra/families.ts';
import type { KernelFamily } from '../../distributions/kernel-families.ts';
import { formsOf, type ScalarFamily } from '../../distributions/scalar-family.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { column, drawnColumn, operand, truths } from './column.ts';
import {
  all,
  type ColumnFamily,
  computed,
  isCount,
  isPositive,
  isProbability,
  isReal,
  type Parameter,
} from './column-family.ts';
import { elementary } from './elementary.ts';
import { currentGroup } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { gaussianGain, type Operand, select } from './kernels.ts';
import { LaneRandom } from './lane-random.ts';
import { meter } from './meter.ts';
import { dropScore } from './scores.ts';
import { beta, binomial, gamma, inverseGamma, poisson } from './special-families.ts';
import type { ColumnStreams } from './streams.ts';

/** The results of a function for each of the numbers: of `ofMany`, called once for all, where there are many. */
function applied(numbers: Operand, fn: (x: number) => number, ofMany: (numbers: Doubles) => Doubles): Operand {
  if (typeof numbers === 'number') return fn(numbers);
  const { oneOfTwo } = numbers;
  if (oneOfTwo === null) return ofMany(numbers);
  const [yes, no] = oneOfTwo.values;
  return select(oneOfTwo.condition, fn(yes), fn(no));
}

/** The logarithms of numbers. */
const logarithms = (numbers: Operand): Operand => applied(numbers, Math.log, (many) => elementary('log', many));

const logOfComplement = (p: number): number => Math.log1p(-p);

/** log(1 − p). */
const complements = (p: Operand): Operand =>
  applied(p, logOfComplement, (many) => Doubles.of(many.array.map(logOfComplement)));

/** Computes values from uniforms, which are not needed after that. */
function fromUniforms(streams: ColumnStreams, make: (uniforms: Doubles) => Doubles): Doubles {
  const uniforms = streams.uniforms();
  const made = make(uniforms);
  uniforms.release();
  return made;
}

const gaussian: ColumnFamily = {
  names: ['mu', 'sigma'],
  isContinuous: true,
  truths: false,
  accepts: (mu, sigma) => isReal(mu) && isReal(sigma) && isPositive(sigma),
  draw: (streams, mu, sigma) => drawnColumn(streams.normals(mu, sigma)),
  drawScored(streams, totals, mu, sigma) {
    const logSigma = logarithms(sigma);
    const drawn = streams.scoredNormals(totals, mu, sigma, logSigma);
    dropScore(logSigma);
    return drawnColumn(drawn);
  },
  score: (x, mu, sigma) => computed('gaussianScore', x, mu, sigma, logarithms(sigma)),
  gain: (x, scores, weights, mu, sigma) => gaussianGain(x, mu, sigma, logarithms(sigma), scores, weights),
};

const bernoulli: ColumnFamily = {
  names: ['p'],
  isContinuous: false,
  truths: true,
  accepts: isProbability,
  draw: (streams, p) => truths(streams.flips(p)),
  drawScored(streams, totals, p) {
    const [yes, no] = [logarithms(p), complements(p)];
    const drawn = streams.scoredFlips(totals, p, yes, no);
    dropScore(yes);
    dropScore(no);
    return truths(drawn);
  },
  score: (x, p) => computed('select', x, logarithms(p), complements(p)),
};

const uniform: ColumnFamily = {
  names: ['a', 'b'],
  isContinuous: true,
  truths: false,
  accepts(a, b) {
    const width = column(computed('sub', operand(b), operand(a)));
    return isReal(a) && isReal(b) && isReal(width) && isPositive(width);
  },
  draw: (streams, a, b) => column(fromUniforms(streams, (u) => computed('between', u, a, b))),
  score(x, a, b) {
    const result = new Float64Array(currentGroup().size);
    const [value, low, high] = [x, a, b].map(eachOf);
    for (let i = 0; i < result.length; i++) {
      result[i] = value(i) >= low(i) && value(i) <= high(i) ? -Math.log(high(i) - low(i)) : -Infinity;
    }
    return Doubles.of(result);
  },
};

/** The number of each execution. */
function eachOf(numbers: Operand): (i: number) => number {
  if (typeof numbers === 'number') return () => numbers;
  const { array } = numbers;
  return (i) => array[i];
}

const exponential: ColumnFamily = {
  names: ['a'],
  isContinuous: true,
  truths: false,
  accepts: (a) => isReal(a) && isPositive(a),
  draw: (streams, a) =>
    column(
      fromUniforms(streams, (u) => {
        const logs = elementary('log', u);
        const rates = computed('mul', logs, -1);
        logs.release();
        const made = computed('div', rates, a);
        rates.release();
        return made;
      }),
    ),
  score(x, a) {
    if (typeof x !== 'number' && all(column(x), 'ge', 0)) {
      const weighed = computed('mul', a, x);
      const score = computed('sub', logarithms(a), weighed);
      weighed.release();
      return score;
    }
    const [value, rate] = [x, a].map(eachOf);
    const score = (_: unknown, i: number): number =>
      value(i) < 0 ? -Infinity : Math.log(rate(i)) - rate(i) * value(i);
    return Doubles.of(Float64Array.from({ length: currentGroup().size }, score));
  },
};

const randomInteger: ColumnFamily = {
  names: ['n'],
  isContinuous: false,
  truths: false,
  accepts: (n) => isCount(n, 1),
  draw: (streams, n) =>
    column(
      fromUniforms(streams, (uniforms) => {
        const scaled = computed('mul', uniforms, n);
        const drawn = computed('floor', scaled);
        scaled.release();
        return drawn;
      }),
    ),
  // Each of them is as probable as any other.
  drawnScore: (drawn, n) => (typeof n === 'number' ? -Math.log(n) : randomInteger.score(drawn.numbers, n)),
  score(x, n) {
    const [value, count] = [x, n].map(eachOf);
    const scores = new Float64Array(currentGroup().size);
    const log = typeof n === 'number' ? -Math.log(n) : undefined;
    for (let i = 0; i < scores.length; i++) {
      const at = value(i);
      const isThere = at >= 0 && at < count(i) && Number.isInteger(at);
      scores[i] = isThere ? (log ?? -Math.log(count(i))) : -Infinity;
    }
    return Doubles.of(scores);
  },
};

/** Loops of their own, for families that are drawn from often. What they compute is what the definition computes. */
const KERNELS: Readonly<Record<KernelFamily, ColumnFamily>> = {
  Gaussian: gaussian,
  Bernoulli: bernoulli,
  Uniform: uniform,
  Exponential: exponential,
  RandomInteger: randomInteger,
  Gamma: gamma,
  InverseGamma: inverseGamma,
  Beta: beta,
  Poisson: poisson,
  Binomial: binomial,
};

/** Any other family of numbers: its definition is called for one execution after the other. */
function called(family: ScalarFamily): ColumnFamily {
  const { names, isContinuous, truths: areTruths } = family;
  const given = new Float64Array(names.length);
  return {
    names,
    isContinuous,
    truths: areTruths,
    accepts(...params) {
      meter.values(currentGroup().size);
      return acceptEach(family, given, params.map(operand), currentGroup().size);
    },
    draw(streams, ...params) {
      const result = new Float64Array(currentGroup().size);
      meter.each(result.length);
      drawEach(family, new LaneRandom(streams), given, params, result);
      return areTruths ? truths(Doubles.of(result)) : column(Doubles.of(result));
    },
    score(x, ...params) {
      const result = new Float64Array(currentGroup().size);
      meter.each(result.length);
      scoreEach(family, typeof x === 'number' ? x : x.array, given, params, result);
      return Doubles.of(result);
    },
  };
}

// Loops are functions by themselves, without closures: each of those would be optimised too, which takes longer than a short run.

type EachOf = Float64Array | null;

/** The numbers of each parameter; those that are the same for all are `given` at once. */
function columnsOf(params: readonly Operand[], given: Float64Array): EachOf[] {
  return params.map((operand, k) => {
    if (typeof operand !== 'number') return operand.array;
    given[k] = operand;
    return null;
  });
}

function giveEach(columns: readonly EachOf[], given: Float64Array, lane: number): void {
  for (let k = 0; k < columns.length; k++) {
    const column = columns[k];
    if (column !== null) given[k] = column[lane];
  }
}

function acceptEach(family: ScalarFamily, given: Float64Array, params: readonly Operand[], size: number): boolean {
  const columns = columnsOf(params, given);
  for (let lane = 0; lane < size; lane++) {
    giveEach(columns, given, lane);
    if (!family.accepts(given)) return false;
  }
  return true;
}

function drawEach(
  family: ScalarFamily,
  random: LaneRandom,
  given: Float64Array,
  params: readonly Operand[],
  result: Float64Array,
): void {
  const columns = columnsOf(params, given);
  for (let lane = 0; lane < result.length; lane++) {
    giveEach(columns, given, lane);
    const drawn = Number(family.draw(random.at(lane), given));
    if (Number.isNaN(drawn)) throw new OneByOne('family', `${family.name} cannot be drawn from`);
    result[lane] = drawn;
  }
}

function scoreEach(
  family: ScalarFamily,
  values: Float64Array | number,
  given: Float64Array,
  params: readonly Operand[],
  result: Float64Array,
): void {
  const columns = columnsOf(params, given);
  const areTruths = family.truths;
  for (let lane = 0; lane < result.length; lane++) {
    giveEach(columns, given, lane);
    const value = typeof values === 'number' ? values : values[lane];
    result[lane] = family.score(areTruths ? value !== 0 : value, given);
  }
}

/** The form in columns of the family with this definition, if it has one. */
export const columnFamily: (definition: object | undefined) => ColumnFamily | undefined = formsOf(KERNELS, called);

/** Ends the run in columns if parameters are not allowed: one by one, the execution at fault throws the family's error. */
export function checkParameters(name: string, family: ColumnFamily, params: Params): void {
  const given = family.names.map((parameter) => params[parameter] as Parameter);
  if (!family.accepts(...given)) throw new OneByOne('family', `parameters of ${name} are not what they must be`);
}
