/** Inferences inside a model, before and after the choice that a step of Metropolis–Hastings changes. */
import { describe, expect, test } from 'vitest';
import { run } from '../../../src/program/run.ts';

interface Visit {
  readonly a: number;
  readonly before: number;
  readonly after: number;
}

async function visitsOf(body: string, method = "method: 'MCMC', samples: 300"): Promise<Visit[]> {
  const code = `
    var noisy = function(mu) {
      return expectation(Infer({method: 'forward', samples: 3, model() { return gaussian(mu, 1); }}));
    };
    Infer({${method}, model() {
      var a = randomInteger(3);
      var before = noisy(a);
      var b = gaussian(0, 1);
      ${body}
    }})`;
  const { value } = await run(code, { seed: 1 });
  return (value as { samples: { value: Visit }[] }).samples.map((sample) => sample.value);
}

const changes = (values: readonly unknown[]): number =>
  values.filter((value, i) => i > 0 && value !== values[i - 1]).length;

describe('an inner inference that draws samples', () => {
  test('is not made again before the choice that is another, and is after it', async () => {
    const visits = await visitsOf('return {a: a, before: before, after: noisy(b)};');
    const moves = changes(visits.map(({ a }) => a));
    expect(moves).toBeGreaterThan(50);
    expect(changes(visits.map(({ before }) => before))).toBe(moves);
    // Every other step is a proposal for b, and all are accepted.
    expect(changes(visits.map(({ after }) => after))).toBeGreaterThan(moves + 100);
  });

  test('is made again where the model draws without asking', async () => {
    const visits = await visitsOf(
      'var own = Gaussian({mu: 0, sigma: 1}).sample(); return {a: a, before: before, after: own};',
    );
    const moves = changes(visits.map(({ a }) => a));
    expect(changes(visits.map(({ before }) => before))).toBeGreaterThan(moves + 100);
  });

  test('weighs what it gave when the chain came there', async () => {
    // Kept while b changes, so that proposals for b are accepted by what they change alone.
    const visits = await visitsOf(
      'factor(-before * before); observe(Gaussian({mu: b, sigma: 0.1}), 0.5); return {a: a, before: before, after: b};',
      "method: 'MCMC', samples: 4000, burn: 200",
    );
    const mean = visits.reduce((sum, { after }) => sum + after, 0) / visits.length;
    // Posterior of b: mean 0.5 / 1.01, sd 0.0995; the chain moves b in one of some 20 steps.
    expect(Math.abs(mean - 0.5 / 1.01)).toBeLessThan((4 * 0.0995) / Math.sqrt(4000 / 40));
  });
});

test('an inner enumeration gives what it gives without keeping it', async () => {
  const model = (method: string): string => `
    var listener = function(u) {
      return Infer({method: 'enumerate', model() { var w = randomInteger(3); factor(w === u ? 1 : 0); return w; }});
    };
    var dist = Infer({${method}, model() {
      var u = randomInteger(3);
      var l = listener(u);
      var w = sample(l);
      observe(listener(w), 1);
      return [u, w];
    }});
    map(function(v) { return Math.exp(dist.score(v)); }, [[0, 0], [1, 1], [2, 1]])`;
  const { value: exact } = await run(model("method: 'enumerate'"), { seed: 1 });
  const { value: found } = await run(model("method: 'MCMC', samples: 8000, burn: 100"), { seed: 1 });
  (exact as number[]).forEach((p, i) => {
    // Some 8 steps for one that counts.
    expect(Math.abs((found as number[])[i] - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / (8000 / 8)));
  });
});
