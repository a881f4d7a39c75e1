/** Gammas and what is made of them, and counts: drawn and scored by loops of their own, with the numbers of their definitions. */
import { column } from './column.ts';
import { type ColumnFamily, isCount, isPositive, isProbability, isReal } from './column-family.ts';
import { currentGroup } from './group.ts';
import { Doubles, Words } from './kernel-memory.ts';
import type { Operand } from './kernels.ts';
import { LaneRandom } from './lane-random.ts';
import { meter } from './meter.ts';
import * as loops from './number-loops.ts';
import type { ColumnStreams } from './streams.ts';

/** The numbers that a loop gives for the executions of the current group. */
function looped(loop: (size: number) => Float64Array): Doubles {
  const { size } = currentGroup();
  meter.looped(size);
  return Doubles.of(loop(size));
}

/** Draws one after the other from the same choice of each execution. */
class GammaDraws {
  private readonly numbers = Words.of(new Int32Array(currentGroup().size));

  constructor(private readonly streams: ColumnStreams) {}

  /** Logarithms of draws from Gamma(shape, 1). */
  next(shape: Operand): Float64Array {
    meter.looped(this.numbers.length);
    const drawn = this.streams.logGammas(shape, this.numbers);
    const { array } = drawn;
    drawn.release();
    return array;
  }
}

const logOf = (numbers: Operand): Operand =>
  typeof numbers === 'number' ? Math.log(numbers) : Doubles.of(numbers.array.map(Math.log));

const shapeAndScale = {
  names: ['shape', 'scale'],
  isContinuous: true,
  truths: false,
  accepts: (shape, scale) => isReal(shape) && isReal(scale) && isPositive(shape) && isPositive(scale),
} satisfies Partial<ColumnFamily>;

export const gamma: ColumnFamily = {
  ...shapeAndScale,
  draw(streams, shape, scale) {
    const logs = new GammaDraws(streams).next(shape);
    return column(looped(() => loops.positives(logs, logOf(scale), 1)));
  },
  score: (x, shape, scale) => looped((size) => loops.gammaScores(size, x, shape, scale)),
};

export const inverseGamma: ColumnFamily = {
  ...shapeAndScale,
  draw(streams, shape, scale) {
    const logs = new GammaDraws(streams).next(shape);
    return column(looped(() => loops.positives(logs, logOf(scale), -1)));
  },
  score: (x, shape, scale) => looped((size) => loops.inverseGammaScores(size, x, shape, scale)),
};

export const beta: ColumnFamily = {
  names: ['a', 'b'],
  isContinuous: true,
  truths: false,
  accepts: (a, b) => isReal(a) && isReal(b) && isPositive(a) && isPositive(b),
  draw(streams, a, b) {
    const draws = new GammaDraws(streams);
    const successes = draws.next(a);
    const failures = draws.next(b);
    return column(looped(() => loops.shares(successes, failures)));
  },
  score: (x, a, b) => looped((size) => loops.betaScores(size, x, a, b)),
};

export const poisson: ColumnFamily = {
  names: ['mu'],
  isContinuous: false,
  truths: false,
  accepts: (mu) => isReal(mu) && isPositive(mu),
  draw(streams, mu) {
    const firsts = streams.uniforms().array;
    return column(looped(() => loops.poissons(firsts, mu, new LaneRandom(streams))));
  },
  score: (k, mu) => looped((size) => loops.poissonScores(size, k, mu)),
};

export const binomial: ColumnFamily = {
  names: ['p', 'n'],
  isContinuous: false,
  truths: false,
  accepts: (p, n) => isProbability(p) && isCount(n, 0),
  draw(streams, p, n) {
    const firsts = streams.uniforms().array;
    return column(looped(() => loops.binomials(firsts, p, n, new LaneRandom(streams))));
  },
  score: (k, p, n) => looped((size) => loops.binomialScores(size, k, p, n)),
};
