/**
 * Laplace's method: where the density has its maximum, a Gaussian with the same curvature. All in coordinates without bounds. The steps of the
 * optimisation come near the maximum, Newton's method goes there, and the curvature is found by differences of exact gradients.
 */
import { cholesky, inverseOf, solveLower, solveUpper } from '../distributions/cholesky.ts';
import { machine } from '../runtime/machine.ts';
import type { ParameterTable } from '../runtime/parameters.ts';
import { Tensor } from '../tensor/tensor.ts';
import type { Block } from './laplace-blocks.ts';

/** The function to minimise, at the current parameters: its value, and its gradient by the name of a parameter. */
interface Evaluation {
  /** `draw` numbers the random numbers and the data that it looks at, if these are not all. */
  at(draw: number): number;
  gradientOf(name: string): ArrayLike<number>;
}

/** Newton's steps at most. */
const MOST_STEPS = 20;
/** It stops where less than this is left to gain, in nats. */
const LITTLE = 1e-10;
/** The size of differences, in standard deviations where these are known. */
const DIFFERENCE = 1e-3;
/** Where other choices are drawn, the mean of so many draws is taken. */
const DRAWS = 16;
/** Halvings of a step that leads up. */
const HALVINGS = 30;

export class Laplace {
  private readonly size: number;
  private readonly draws: number;
  /** The unit of finite differences. */
  private spread: Float64Array;

  constructor(
    private readonly evaluation: Evaluation,
    private readonly table: ParameterTable,
    private readonly blocks: readonly Block[],
  ) {
    this.size = blocks.reduce((sum, { size }) => sum + size, 0);
    this.spread = new Float64Array(this.size).fill(0.1);
    const [one, other] = [evaluation.at(0), evaluation.at(1)];
    this.draws = Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one)) ? 1 : DRAWS;
  }

  /** The covariance at the maximum, which the parameters are then at. */
  covariance(): Float64Array {
    const { size } = this;
    let curvature = this.curvature();
    for (let step = 0; step < MOST_STEPS; step++) {
      const { factor } = definite(curvature, size);
      this.spread = this.spreadFrom(factor);
      const { cost, gradient } = this.evaluate();
      const move = solveUpper(factor, size, solveLower(factor, size, gradient));
      const gain = 0.5 * move.reduce((sum, x, i) => sum + x * gradient[i], 0);
      if (!(gain > LITTLE) || !this.moved(move, cost)) break;
      curvature = this.curvature();
    }
    curvature = this.curvature();
    const { factor, added, at } = definite(curvature, size);
    if (added > 0) this.warn(added, at);
    return inverseOf(factor, size);
  }

  private warn(added: number, at: number): void {
    const block = this.blocks.find(({ start, size }) => at < start + size)!;
    machine.run.warn(
      `autoGuide: 'laplace': where the optimisation ended, the density does not fall off in all directions from the choice at ${block.where}, ` +
        `so that no Gaussian fits it. Its curvature was made larger by ${added.toPrecision(2)}: do not trust the spread of the guide. More steps may ` +
        'find the maximum; if there is none (too few data for a flat prior, say), use another guide.',
    );
  }

  /** Standard deviations if the other numbers were known. */
  private spreadFrom(factor: Float64Array): Float64Array {
    const { size } = this;
    return Float64Array.from({ length: size }, (_, i) => {
      let curvature = 0;
      for (let k = 0; k <= i; k++) curvature += factor[i * size + k] ** 2;
      return 1 / Math.sqrt(curvature);
    });
  }

  private get point(): Float64Array {
    const point = new Float64Array(this.size);
    for (const { mu, start } of this.blocks) point.set(this.table.get(mu)!.data, start);
    return point;
  }

  private set point(at: Float64Array) {
    for (const { mu, start, size } of this.blocks) {
      this.table.set(mu, new Tensor(this.table.get(mu)!.dims, at.slice(start, start + size)));
    }
  }

  private evaluate(): { readonly cost: number; readonly gradient: Float64Array } {
    const gradient = new Float64Array(this.size);
    let cost = 0;
    for (let draw = 0; draw < this.draws; draw++) {
      cost += this.evaluation.at(draw) / this.draws;
      for (const { mu, start } of this.blocks) {
        const own = this.evaluation.gradientOf(mu);
        for (let i = 0; i < own.length; i++) gradient[start + i] += own[i] / this.draws;
      }
    }
    return { cost, gradient };
  }

  /** Moves the parameters by minus a move, and by half of that until the function has become smaller; false if it never does. */
  private moved(move: Float64Array, before: number): boolean {
    const { point } = this;
    for (let k = 0, share = 1; k < HALVINGS; k++, share /= 2) {
      this.point = point.map((x, i) => x - share * move[i]);
      const { cost } = this.evaluate();
      if (cost < before) return true;
    }
    this.point = point;
    return false;
  }

  /** Second derivatives, by differences of first ones. */
  private curvature(): Float64Array {
    const { size, point } = this;
    const matrix = new Float64Array(size * size);
    for (let j = 0; j < size; j++) {
      const h = DIFFERENCE * this.spread[j];
      const beside = (by: number): Float64Array => {
        const moved = point.slice();
        moved[j] += by;
        this.point = moved;
        return this.evaluate().gradient;
      };
      const [up, down] = [beside(h), beside(-h)];
      for (let i = 0; i < size; i++) {
        const slope = (up[i] - down[i]) / (4 * h);
        matrix[i * size + j] += slope;
        matrix[j * size + i] += slope;
      }
    }
    this.point = point;
    return matrix;
  }
}

/** The factor of a matrix that is made positive definite, if it is not, by adding to its diagonal; `at` is where it failed first. */
function definite(matrix: Float64Array, n: number): { factor: Float64Array; added: number; at: number } {
  const factor = cholesky(matrix, n);
  if (factor !== undefined) return { factor, added: 0, at: -1 };
  let at = 0;
  // The first leading part that has no factor ends with what is wrong.
  while (cholesky(leading(matrix, n, at + 1), at + 1) !== undefined) at++;
  const largest = matrix.reduce((most, x) => Math.max(most, Math.abs(x)), 0) || 1;
  for (let added = 1e-8 * largest; ; added *= 10) {
    const raised = matrix.slice();
    for (let i = 0; i < n; i++) raised[i * n + i] += added;
    const found = cholesky(raised, n);
    if (found !== undefined) return { factor: found, added, at };
  }
}

const leading = (matrix: Float64Array, n: number, k: number): Float64Array =>
  Float64Array.from({ length: k * k }, (_, i) => matrix[Math.floor(i / k) * n + (i % k)]);
