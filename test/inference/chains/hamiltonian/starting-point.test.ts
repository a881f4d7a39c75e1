import { describe, expect, test } from 'vitest';
import { climb } from '../../../../src/inference/chains/hamiltonian/ascent.ts';
import { Curvature, dot } from '../../../../src/inference/chains/hamiltonian/curvature.ts';
import type { LogDensity } from '../../../../src/inference/chains/hamiltonian/density.ts';
import { startingPoint } from '../../../../src/inference/chains/hamiltonian/starting-point.ts';
import { RandomStream } from '../../../../src/runtime/random.ts';

/** Independent normals, added up with weights. */
function mixture(parts: readonly { weight: number; mean: number[]; sd: number[] }[]): LogDensity {
  const dimension = parts[0].mean.length;
  return {
    dimension,
    evaluate(x, gradient) {
      const scores = parts.map(({ weight, mean, sd }) =>
        mean.reduce((sum, m, i) => sum - 0.5 * ((x[i] - m) / sd[i]) ** 2 - Math.log(sd[i]), Math.log(weight)),
      );
      const most = Math.max(...scores);
      const shares = scores.map((score) => Math.exp(score - most));
      const total = shares.reduce((a, b) => a + b);
      gradient.fill(0);
      parts.forEach(({ mean, sd }, k) => {
        for (let i = 0; i < dimension; i++) gradient[i] -= ((shares[k] / total) * (x[i] - mean[i])) / sd[i] ** 2;
      });
      return most + Math.log(total);
    },
  };
}

const gaussian = (seed: number) => {
  const stream = RandomStream.fromSeed(seed).begin();
  return () => stream.gaussian();
};

/** A few steps over a concave quadratic whose negative Hessian is given. */
function learned(precision: number[][], steps: number): Curvature {
  const draw = gaussian(1);
  let curvature = Curvature.unknown(precision.length);
  for (let k = 0; k < steps; k++) {
    const s = Float64Array.from(precision, draw);
    curvature = curvature.after(
      s,
      Float64Array.from(precision, (row) => dot(Float64Array.from(row), s)),
    );
  }
  return curvature;
}

describe('the curvature that steps tell', () => {
  const precision = [
    [4, 1, 0.5],
    [1, 3, -0.2],
    [0.5, -0.2, 0.1],
  ];

  test('maps the change of the gradient to the last step', () => {
    const s = Float64Array.of(1, -2, 0.5);
    const z = Float64Array.from(precision, (row) => dot(Float64Array.from(row), s));
    const found = learned(precision, 2).after(s, z).times(z);
    found.forEach((x, i) => {
      expect(x).toBeCloseTo(s[i], 12);
    });
  });

  test('a step along which the density is not concave says nothing', () => {
    const before = learned(precision, 2);
    expect(before.after(Float64Array.of(1, 0, 0), Float64Array.of(-1, 0, 0))).toBe(before);
  });

  test('draws have the covariance by which gradients are multiplied', () => {
    const curvature = learned(precision, 4);
    const unit = (i: number) => Float64Array.from(precision, (_, j) => (i === j ? 1 : 0));
    const covariance = precision.map((_, i) => curvature.times(unit(i)));
    const draw = gaussian(2);
    const count = 40_000;
    const draws = Array.from({ length: count }, () => curvature.draw(draw));
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const found = draws.reduce((sum, u) => sum + u[i] * u[j], 0) / count;
        // The variance of a product of two normals.
        const variance = covariance[i][i] * covariance[j][j] + covariance[i][j] ** 2;
        expect(Math.abs(found - covariance[i][j])).toBeLessThan(4 * Math.sqrt(variance / count));
      }
    }
  });

  test('scores are those of the normal distribution with that covariance', () => {
    const curvature = learned(precision, 4);
    const [a, b, c] = [0, 1, 2].map((i) => curvature.times(Float64Array.from([0, 1, 2], (j) => (i === j ? 1 : 0))));
    const cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
    const determinant = a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2];
    const normal = curvature.normal;
    expect(normal.logVolume).toBeCloseTo(0.5 * Math.log(determinant), 10);
    // At H times x, the square is xᵀHx.
    const x = Float64Array.of(0.3, -1, 0.7);
    const hx = curvature.times(x);
    expect(normal.score(hx)).toBeCloseTo(
      -0.5 * dot(x, hx) - 1.5 * Math.log(2 * Math.PI) - 0.5 * Math.log(determinant),
      10,
    );
  });
});

describe('an ascent', () => {
  test('ends at the summit, each point higher than the last', () => {
    const stations = climb(mixture([{ weight: 1, mean: [5, -30, 0.01], sd: [1, 10, 0.01] }]), new Float64Array(3));
    for (let i = 1; i < stations.length; i++) {
      expect(stations[i].logDensity).toBeGreaterThan(stations[i - 1].logDensity);
    }
    const { logDensity } = stations[stations.length - 1];
    expect(-Math.log(10 * 0.01) - logDensity).toBeLessThan(0.05);
  });

  test('goes around what is impossible', () => {
    const half: LogDensity = {
      dimension: 1,
      evaluate(x, gradient) {
        gradient[0] = 1 / x[0] - 1;
        return x[0] > 0 ? Math.log(x[0]) - x[0] : -Infinity;
      },
    };
    const stations = climb(half, Float64Array.of(40));
    expect(stations[stations.length - 1].position[0]).toBeCloseTo(1, 1);
    expect(climb(half, Float64Array.of(-1))).toEqual([]);
  });
});

describe('where a chain starts', () => {
  const starts = (density: LogDensity, points: number[][], count: number): Float64Array[] =>
    Array.from({ length: count }, (_, seed) => {
      const chance = RandomStream.fromSeed(seed).begin();
      const froms = points.map((point) => Float64Array.from(point));
      return startingPoint(density, froms, chance) as Float64Array;
    });

  test('is not in a summit of little mass, though most points are near it', () => {
    const density = mixture([
      { weight: 1e-6, mean: [0, 0], sd: [1, 1] },
      { weight: 1, mean: [20, 20], sd: [1, 1] },
    ]);
    const points = [
      [0, 1],
      [1, 0],
      [-1, 0.5],
      [0.5, 0.2],
      [18, 17],
    ];
    for (const [x] of starts(density, points, 50)) expect(Math.abs(x - 20)).toBeLessThan(8);
  });

  test('is in a narrow summit as often as it has mass', () => {
    const density = mixture([
      { weight: 0.5, mean: [0, 0, 0], sd: [0.01, 0.01, 0.01] },
      { weight: 0.5, mean: [20, 20, 20], sd: [1, 1, 1] },
    ]);
    const points = [
      [0.02, 0, 0.01],
      [18, 20, 21],
    ];
    const count = 400;
    const narrow = starts(density, points, count).filter(([x]) => x < 10).length;
    expect(Math.abs(narrow - count / 2)).toBeLessThan(4 * Math.sqrt(count / 4));
  });

  // Approximations are learned from few steps and few draws: the spread is right to a factor.
  test('is spread about as the density is', () => {
    const density = mixture([{ weight: 1, mean: [3, -1], sd: [2, 0.1] }]);
    const count = 1000;
    const found = starts(
      density,
      [
        [0, 0],
        [5, 1],
      ],
      count,
    );
    for (const [i, mean, sd] of [
      [0, 3, 2],
      [1, -1, 0.1],
    ]) {
      const average = found.reduce((sum, x) => sum + x[i], 0) / count;
      const variance = found.reduce((sum, x) => sum + (x[i] - mean) ** 2, 0) / count;
      expect(Math.abs(average - mean)).toBeLessThan((4 * sd) / Math.sqrt(count));
      expect(variance / sd ** 2).toBeGreaterThan(0.5);
      expect(variance / sd ** 2).toBeLessThan(2);
    }
  });

  test('is nowhere if no point is possible', () => {
    const nothing: LogDensity = { dimension: 1, evaluate: () => -Infinity };
    expect(startingPoint(nothing, [Float64Array.of(0)], RandomStream.fromSeed(1).begin())).toBeNull();
  });
});
