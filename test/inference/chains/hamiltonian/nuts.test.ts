import { describe, expect, test } from 'vitest';
import { Schedule, StepSize, Variances } from '../../../../src/inference/chains/hamiltonian/adaptation.ts';
import { Flow, type LogDensity, Phase } from '../../../../src/inference/chains/hamiltonian/density.ts';
import { findInitialStep } from '../../../../src/inference/chains/hamiltonian/initial-step.ts';
import { Nuts } from '../../../../src/inference/chains/hamiltonian/nuts.ts';
import { convergence } from '../../../../src/inference/diagnostics/convergence.ts';
import { RandomStream } from '../../../../src/runtime/random.ts';

/** Independent normals with the given standard deviations. */
const normals = (...sigmas: number[]): LogDensity => ({
  dimension: sigmas.length,
  evaluate(x, gradient) {
    let total = 0;
    sigmas.forEach((sigma, i) => {
      gradient[i] = -x[i] / sigma ** 2;
      total -= 0.5 * (x[i] / sigma) ** 2;
    });
    return total;
  },
});

/** Two standard normals with correlation rho. */
const correlated = (rho: number): LogDensity => ({
  dimension: 2,
  evaluate([x, y], gradient) {
    const scale = 1 / (1 - rho * rho);
    gradient[0] = -scale * (x - rho * y);
    gradient[1] = -scale * (y - rho * x);
    return -0.5 * scale * (x * x - 2 * rho * x * y + y * y);
  },
});

function run(density: LogDensity, warmup: number, draws: number, seed: number) {
  const chance = RandomStream.fromSeed(seed).begin();
  const flow = new Flow(density, new Float64Array(density.dimension).fill(1));
  const state = new Phase(density.dimension);
  for (let i = 0; i < density.dimension; i++) state.position[i] = 4 * chance.uniform() - 2;
  state.logDensity = density.evaluate(state.position, state.gradient);
  const nuts = new Nuts(flow, chance);
  const step = new StepSize(findInitialStep(flow, state, chance, 1), 0.8);
  const schedule = new Schedule(warmup);
  const variances = new Variances(density.dimension);
  for (let i = 0; i < warmup; i++) {
    step.update(nuts.transition(state, step.current).acceptance);
    if (schedule.gathers(i)) variances.add(state.position);
    if (schedule.closes(i)) {
      variances.writeTo(flow.inverseMass);
      variances.restart();
      step.restart(findInitialStep(flow, state, chance, step.current));
    }
  }
  const chains = Array.from({ length: density.dimension }, () => new Float64Array(draws));
  let divergences = 0;
  for (let i = 0; i < draws; i++) {
    if (nuts.transition(state, step.averaged).divergent) divergences++;
    chains.forEach((chain, k) => {
      chain[i] = state.position[k];
    });
  }
  return { chains, divergences, inverseMass: flow.inverseMass };
}

/** Mean and variance of the draws, with their standard errors from the effective sample size. */
function moments(chain: Float64Array) {
  const { bulkEss } = convergence([chain]);
  const mean = chain.reduce((a, b) => a + b, 0) / chain.length;
  const variance = chain.reduce((a, b) => a + (b - mean) ** 2, 0) / chain.length;
  const squares = chain.map((x) => (x - mean) ** 2);
  const squaresEss = convergence([squares]).bulkEss;
  return {
    mean,
    variance,
    meanError: Math.sqrt(variance / bulkEss),
    varianceError: variance * Math.sqrt(2 / squaresEss),
    bulkEss,
  };
}

describe('NUTS', () => {
  test('normals of very different scales', () => {
    const sigmas = [0.01, 1, 100];
    const { chains, divergences, inverseMass } = run(normals(...sigmas), 1000, 4000, 1);
    expect(divergences).toBe(0);
    sigmas.forEach((sigma, i) => {
      const m = moments(chains[i]);
      expect(Math.abs(m.mean)).toBeLessThan(4.5 * m.meanError);
      expect(Math.abs(m.variance - sigma ** 2)).toBeLessThan(4.5 * m.varianceError);
      expect(m.bulkEss).toBeGreaterThan(1500);
      expect(inverseMass[i] / sigma ** 2).toBeGreaterThan(0.5);
      expect(inverseMass[i] / sigma ** 2).toBeLessThan(10.5);
    });
  });

  test('a strongly correlated pair', () => {
    const { chains } = run(correlated(0.95), 1000, 4000, 2);
    for (const chain of chains) {
      const m = moments(chain);
      expect(Math.abs(m.mean)).toBeLessThan(4.5 * m.meanError);
      expect(Math.abs(m.variance - 1)).toBeLessThan(4.5 * m.varianceError);
    }
    const product = moments(chains[0].map((x, i) => x * chains[1][i]));
    expect(Math.abs(product.mean - 0.95)).toBeLessThan(4.5 * product.meanError);
  });

  test('an impossible region is never entered', () => {
    const half: LogDensity = {
      dimension: 1,
      evaluate([x], gradient) {
        gradient[0] = -x;
        return x > -1 ? -0.5 * x * x : -Infinity;
      },
    };
    // With this seed, the start is possible.
    const { chains } = run(half, 500, 2000, 4);
    expect(chains[0].every((x) => x > -1)).toBe(true);
  });
});

describe('warm-up schedule', () => {
  test('windows double and the last one reaches the final stretch', () => {
    const closing = (warmup: number) => {
      const schedule = new Schedule(warmup);
      return Array.from({ length: warmup }, (_, i) => i).filter((i) => schedule.closes(i));
    };
    expect(closing(1000)).toEqual([99, 149, 249, 449, 949]);
    expect(closing(100)).toEqual([89]);
    expect(closing(10)).toEqual([]);
  });
});
