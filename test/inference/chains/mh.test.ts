import { beforeEach, describe, expect, test } from 'vitest';
import { Bernoulli } from '../../../src/distributions/bernoulli.ts';
import { Gaussian } from '../../../src/distributions/gaussian.ts';
import { Chain } from '../../../src/inference/chains/chain.ts';
import type { MHOptions } from '../../../src/inference/chains/mh.ts';
import { MetropolisHastings } from '../../../src/inference/chains/mh.ts';
import { Entry } from '../../../src/runtime/execution.ts';
import type { Distribution } from '../../../src/runtime/handler.ts';
import { machine } from '../../../src/runtime/machine.ts';
import { condition, factor, observe, sample, setProposalBoundary } from '../../../src/runtime/primitives.ts';
import { expectFrequencies, expectMean, normalised } from '../frequencies.ts';
import { flip, weighted } from '../models.ts';
import { startTestRun } from '../test-run.ts';

const standard: MHOptions = { permissive: false, discreteOnly: false };

function chainOf<T>(model: () => T, options = standard): { chain: Chain<T>; kernel: MetropolisHastings<T> } {
  const entry = new Entry();
  const chain = new Chain(entry, model, entry.streamOf(0), (k) => entry.streamOf(k + 1));
  return { chain, kernel: new MetropolisHastings(chain, options) };
}

/** Starts the chain from an exact draw of the posterior; all factors must be at most 0. */
function startExactly<T>(chain: Chain<T>): void {
  do chain.initialise('test', 1000);
  while (Math.log(chain.random.begin().uniform()) >= chain.current.factorScore);
}

/** What independent chains return after a few steps, each started from an exact draw of the posterior. */
function afterSteps<T>(model: () => T, draws: number, steps: number, options = standard): T[] {
  const { chain, kernel } = chainOf(model, options);
  return Array.from({ length: draws }, () => {
    startExactly(chain);
    for (let i = 0; i < steps; i++) kernel.step();
    return chain.current.value as T;
  });
}

/** Runs something at an address of its own. */
function at<V>(site: number, choose: () => V): V {
  const outer = machine.address;
  machine.address = outer.at(site);
  const value = choose();
  machine.address = outer;
  return value;
}

const die = (sides: number): Distribution<number> =>
  weighted(...Array.from({ length: sides }, (_, i): [number, number] => [i + 1, 1]));

beforeEach(() => void startTestRun(11));

/** Every model of these is left alone by the kernel: started from the posterior, the chain stays there. */
describe('the posterior is invariant', () => {
  const DRAWS = 20_000;

  test.each([1, 3])('when the number of choices varies (%i steps)', (steps) => {
    const p = 0.6;
    const geometric = (n: number): number => (at(n, () => flip(p)) ? geometric(n + 1) : n);
    const model = () => {
      const n = geometric(0);
      factor(-Math.abs(n - 2));
      return Math.min(n, 8);
    };
    const weights = Array.from({ length: 60 }, (_, n) => [n, p ** n * Math.exp(-Math.abs(n - 2))] as const);
    const folded = weights.slice(0, 8).concat([[8, weights.slice(8).reduce((sum, [, w]) => sum + w, 0)]]);
    expectFrequencies(afterSteps(model, DRAWS, steps), normalised(folded));
  });

  test.each([1, 20])('when factors come between choices (%i steps)', (steps) => {
    const seen = [true, false, false];
    const model = () => {
      let state = true;
      return seen.map((s) => {
        state = flip(state ? 0.7 : 0.4);
        observe(Bernoulli({ p: state ? 0.8 : 0.3 }), s);
        factor(state ? -0.5 : 0);
        return state;
      });
    };
    const weights = Array.from({ length: 8 }, (_, k) => {
      const states = [k & 1, k & 2, k & 4].map((bit) => bit > 0);
      const probability = states.reduce((product, state, i) => {
        const p = i === 0 || states[i - 1] ? 0.7 : 0.4;
        const q = state ? 0.8 : 0.3;
        return product * (state ? p * Math.exp(-0.5) : 1 - p) * (seen[i] ? q : 1 - q);
      }, 1);
      return [states, probability] as const;
    });
    expectFrequencies(afterSteps(model, DRAWS, steps), normalised(weights));
    // Scores that were taken over are those that a fresh execution has.
    const { chain, kernel } = chainOf(model);
    chain.initialise('test', 10);
    for (let i = 0; i < 200; i++) {
      kernel.step();
      const { current } = chain;
      const [, joint] = weights.find(([states]) => states.every((state, k) => state === current.value![k]))!;
      expect(current.score).toBeCloseTo(Math.log(joint), 10);
    }
  });

  test.each([1, 4])('when a choice changes its family with another (%i steps)', (steps) => {
    const model = () => {
      const coin = at(1, () => flip(0.4));
      const second = at(2, () => (coin ? flip(0.3) : sample(die(3))));
      const third = coin ? at(3, () => flip(0.5)) : null;
      factor(second === true || second === 2 ? 0 : -1);
      return [coin, second, third];
    };
    const weights: [unknown, number][] = [];
    for (const third of [true, false]) {
      weights.push([[true, true, third], 0.4 * 0.3 * 0.5], [[true, false, third], 0.4 * 0.7 * 0.5 * Math.exp(-1)]);
    }
    for (const n of [1, 2, 3]) weights.push([[false, n, null], 0.2 * (n === 2 ? 1 : Math.exp(-1))]);
    expectFrequencies(afterSteps(model, DRAWS, steps), normalised(weights));
  });

  test('when a value taken over may be impossible', () => {
    const model = () => {
      const sides = at(1, () => flip(0.3)) ? 3 : 6;
      return [sides, at(2, () => sample(die(sides)))];
    };
    const exact = [3, 6].flatMap((sides) =>
      Array.from({ length: sides }, (_, i) => [[sides, i + 1], (sides === 3 ? 0.3 : 0.7) / sides] as [unknown, number]),
    );
    expectFrequencies(afterSteps(model, DRAWS, 3), exact);
  });

  test('with a drift kernel that prefers one direction', () => {
    const upwards = (x: number) => weighted([x, 1], [Math.min(5, x + 1), 3], [Math.max(1, x - 1), 1]);
    const model = () => {
      const x = sample(die(5), { driftKernel: upwards });
      factor(-0.3 * x);
      return x;
    };
    const exact = normalised([1, 2, 3, 4, 5].map((x) => [x, Math.exp(-0.3 * x)] as const));
    expectFrequencies(afterSteps(model, DRAWS, 3), exact);
  });

  test('with a drift kernel on a continuous choice that is not symmetric', () => {
    const model = () => {
      const x = sample(Gaussian({ mu: 0, sigma: 1 }), {
        driftKernel: (previous) => Gaussian({ mu: 1 + 0.5 * previous, sigma: 0.6 + 0.2 * Math.abs(previous) }),
      });
      factor(-0.5 * (x - 1) ** 2);
      return x;
    };
    const values = afterSteps(model, DRAWS, 3);
    expectMean(values, 0.5, 0.5);
    expectMean(
      values.map((x) => (x - 0.5) ** 2),
      0.5,
      2 * 0.25,
    );
  });

  test('with choices of which only the discrete ones are proposed', () => {
    const model = () => {
      const x = at(1, () => sample(Gaussian({ mu: 0, sigma: 1 })));
      const coin = at(2, () => flip(0.5));
      const other = coin ? at(3, () => flip(0.2)) : at(4, () => sample(Gaussian({ mu: 1, sigma: 1 }))) > 1;
      factor(coin === x > 0 ? 0 : -1.5);
      return [x > 0, coin, other];
    };
    const weights: [unknown, number][] = [];
    for (const positive of [true, false]) {
      for (const coin of [true, false]) {
        for (const other of [true, false]) {
          const p = coin ? (other ? 0.2 : 0.8) : 0.5;
          weights.push([[positive, coin, other], 0.25 * p * Math.exp(coin === positive ? 0 : -1.5)]);
        }
      }
    }
    const options = { permissive: false, discreteOnly: true };
    expectFrequencies(afterSteps(model, DRAWS, 3, options), normalised(weights));
  });

  test.each([true, false])('when choices after the proposal boundary are proposed (set always: %s)', (always) => {
    const model = () => {
      const a = at(1, () => flip(0.5));
      if (always || a) setProposalBoundary();
      const b = at(2, () => flip(a ? 0.8 : 0.3));
      const c = b ? at(3, () => flip(0.4)) : null;
      factor(a === c ? 0 : -1);
      return [a, b, c];
    };
    const weights: [unknown, number][] = [];
    for (const a of [true, false]) {
      const p = a ? 0.8 : 0.3;
      weights.push([[a, false, null], 0.5 * (1 - p) * Math.exp(-1)]);
      weights.push([[a, true, true], 0.5 * p * 0.4 * Math.exp(a ? 0 : -1)]);
      weights.push([[a, true, false], 0.5 * p * 0.6 * Math.exp(a ? -1 : 0)]);
    }
    expectFrequencies(afterSteps(model, DRAWS, 3), normalised(weights));
  });

  test('of the annealed target, with factors scaled', () => {
    const { chain, kernel } = chainOf(() => {
      const x = sample(die(3));
      factor(-x);
      return x;
    });
    chain.initialise('test', 10);
    chain.factorScale = 0.5;
    const values = Array.from({ length: 20_000 }, () => {
      for (let i = 0; i < 6; i++) kernel.step();
      return chain.current.value;
    });
    expectFrequencies(values, normalised([1, 2, 3].map((x) => [x, Math.exp(-0.5 * x)] as const)), 10_000);
    expect(chain.current.factorScore).toBe(-(chain.current.value as number));
  });

  test('of a program that also draws on its own', () => {
    // What inference does not see is an auxiliary choice, drawn anew with each proposal.
    const model = () => {
      const hidden = Bernoulli({ p: 0.3 }).sample();
      const coin = flip(0.5);
      factor(coin === hidden ? 0 : -1);
      return [hidden, coin];
    };
    const weights: [unknown, number][] = [
      [[true, true], 0.3],
      [[true, false], 0.3 * Math.exp(-1)],
      [[false, true], 0.7 * Math.exp(-1)],
      [[false, false], 0.7],
    ];
    expectFrequencies(afterSteps(model, DRAWS, 2), normalised(weights));
  });
});

describe('a step', () => {
  test('leaves choices before the boundary alone', () => {
    const { chain, kernel } = chainOf(() => {
      const a = at(1, () => sample(Gaussian({ mu: 0, sigma: 1 })));
      setProposalBoundary();
      const b = at(2, () => sample(Gaussian({ mu: 0, sigma: 1 })));
      return [a, b];
    });
    chain.initialise('test', 1);
    const [a, b] = chain.current.value as number[];
    for (let i = 0; i < 20; i++) kernel.step();
    expect((chain.current.value as number[])[0]).toBe(a);
    expect((chain.current.value as number[])[1]).not.toBe(b);
  });

  test('counts a discrete proposal of the old value as accepted, without executing', () => {
    let executions = 0;
    const { chain, kernel } = chainOf(() => {
      executions++;
      return sample(weighted(['only', 1]));
    });
    chain.initialise('test', 1);
    expect(kernel.step()).toBe(true);
    expect(executions).toBe(1);
  });

  test('has nothing to do in a program without choices', () => {
    const { chain, kernel } = chainOf(() => 'constant');
    chain.initialise('test', 1);
    expect(kernel.step()).toBe(true);
    expect(chain.current.value).toBe('constant');
  });

  test('stops executions at the factor limit', () => {
    let second = 0;
    const { chain, kernel } = chainOf(() => {
      const a = at(1, () => flip());
      factor(a ? -1 : -2);
      second++;
      at(2, () => flip());
      factor(-5);
    });
    chain.reexecution.factorLimit = 1;
    chain.initialise('test', 1);
    for (let i = 0; i < 10; i++) kernel.step();
    expect(second).toBe(0);
    expect(chain.current.length).toBe(1);
    expect(chain.current.finished).toBe(false);
  });

  test('finds choices again in a trace whose structure changed', () => {
    const { chain } = chainOf(() => {
      const first = at(1, () => flip());
      const inserted = first ? at(2, () => sample(Gaussian({ mu: 0, sigma: 1 }))) : 0;
      const last = at(3, () => sample(Gaussian({ mu: 0, sigma: 1 })));
      return { first, inserted, last };
    });
    chain.initialise('test', 1);
    for (const value of [true, false, true]) {
      const { last } = chain.current.value as { last: number };
      chain.propose(0, value);
      chain.accept();
      expect(chain.current.value).toMatchObject({ first: value, last });
      expect(chain.current.length).toBe(value ? 3 : 2);
      const address = machine.address.at(3);
      expect(chain.current.at(address)!.value).toBe(last);
      expect(chain.current.at(machine.address.at(4))).toBeUndefined();
    }
  });

  test('may start from an impossible execution if it is permissive, and leaves it for good', () => {
    const model = () => {
      const coins = [1, 2, 3, 4].map((site) => at(site, () => flip()));
      condition(coins.every((coin) => coin));
      return coins;
    };
    const { chain, kernel } = chainOf(model, { permissive: true, discreteOnly: false });
    chain.initialise('test', 1);
    expect(chain.current.score).toBe(-Infinity);
    for (let i = 0; i < 300; i++) kernel.step();
    expect(chain.current.value).toEqual([true, true, true, true]);
  });
});

describe('a drift kernel', () => {
  const step = (driftKernel: (x: number) => Distribution<number>): boolean => {
    const { chain, kernel } = chainOf(() => sample(Gaussian({ mu: 0, sigma: 1 }), { driftKernel }));
    chain.initialise('test', 1);
    return kernel.step();
  };

  test('must not make choices', () => {
    const drift = (x: number) => Gaussian({ mu: x + sample(Gaussian({ mu: 0, sigma: 1 })), sigma: 1 });
    expect(() => step(drift)).toThrow(
      'A drift kernel must not call sample: it is not part of the model. Make the choice in the model before it, or ' +
        'use the distribution itself (its mean, its score).',
    );
  });

  test('must not add factors', () => {
    const drift = (x: number) => {
      observe(Gaussian({ mu: 0, sigma: 1 }), x);
      return Gaussian({ mu: x, sigma: 1 });
    };
    expect(() => step(drift)).toThrow('A drift kernel must not call factor, condition or observe');
  });

  test('must return a distribution', () => {
    expect(() => step((x) => x as unknown as Distribution<number>)).toThrow(
      /^A drift kernel must return the distribution to propose from, .*; got -?\d/,
    );
  });

  test('that leaves the support is told about, once', () => {
    const { warnings } = startTestRun(3);
    const { chain, kernel } = chainOf(() => sample(die(2), { driftKernel: () => weighted([7, 1]) }));
    chain.initialise('test', 1);
    expect(kernel.step()).toBe(false);
    expect(warnings[0]).toMatch('A drift kernel proposed a value outside the support of Marginal');
  });
});
