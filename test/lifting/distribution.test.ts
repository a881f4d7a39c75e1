import { describe, expect, test } from 'vitest';
import { Gamma, Gaussian, LogitNormal } from '../../src/distributions/index.ts';
import '../../src/lifting/distribution.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { scalar } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';

const numberOf = (score: unknown): number => (score as Node).value() as number;

describe('a distribution with lifted parameters or values', () => {
  test('scores as the plain one, with gradients', () => {
    const mu = scalar(0.3);
    const x = scalar(1.2);
    const score = Gaussian({ mu: mu as never, sigma: 2 }).score(x as never) as unknown as Node;
    expect(numberOf(score)).toBeCloseTo(Gaussian({ mu: 0.3, sigma: 2 }).score(1.2), 12);
    const [byMu, byX] = gradient(score, [mu, x]);
    expect(byMu.value()).toBeCloseTo(0.9 / 4, 10);
    expect(byX.value()).toBeCloseTo(-0.9 / 4, 10);
  });

  test('plain parameters, lifted value', () => {
    const plain = Gaussian({ mu: 0.3, sigma: 2 });
    expect(numberOf(plain.score(scalar(1.2) as never))).toBeCloseTo(plain.score(1.2), 12);
  });

  test('outside the support the score is −∞ and its gradient 0', () => {
    const x = scalar(-1);
    const scale = scalar(1.5);
    const score = Gamma({ shape: 2, scale: scale as never }).score(x as never) as unknown as Node;
    expect(numberOf(score)).toBe(-Infinity);
    for (const slope of gradient(score, [x, scale])) expect(slope.value()).toBe(0);
  });

  test('transforms noise', () => {
    const mu = scalar(0.5);
    const lifted = LogitNormal({ mu: mu as never, sigma: 1 }).transform(0.3);
    expect(numberOf(lifted)).toBeCloseTo(LogitNormal({ mu: 0.5, sigma: 1 }).transform(0.3), 14);
  });

  test('a parameter that the family does not have is refused', () => {
    const given = { mu: scalar(0), sigma: 1, sgima: 2 } as never;
    expect(() => Gaussian(given)).toThrow(
      "Gaussian has no parameter 'sgima'; it takes mu, sigma. Did you mean 'sigma'?",
    );
  });

  test('a parameter of the wrong shape is refused', () => {
    const vector = { shape: [3] };
    expect(() => Gaussian({ mu: Object.setPrototypeOf(vector, scalar(0)) as never, sigma: 1 })).toThrow(
      'Gaussian: mu must be a finite number, got a value of shape [3].',
    );
  });
});
