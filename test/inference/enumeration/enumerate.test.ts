import { beforeEach, describe, expect, test } from 'vitest';
import { Bernoulli } from '../../../src/distributions/bernoulli.ts';
import { Gaussian } from '../../../src/distributions/gaussian.ts';
import { Infer } from '../../../src/inference/infer.ts';
import type { Distribution } from '../../../src/runtime/handler.ts';
import { machine } from '../../../src/runtime/machine.ts';
import { condition, factor, sample, sampleWithFactor } from '../../../src/runtime/primitives.ts';
import { flip, weighted } from '../models.ts';
import { startTestRun } from '../test-run.ts';

beforeEach(() => void startTestRun(1));

const strategies = ['depthFirst', 'breadthFirst', 'likelyFirst'] as const;

/** The values of the model in the order in which enumerate completes executions, if they are all different. */
function visited<T>(model: () => T, options: object = {}): readonly T[] {
  return Infer({ method: 'enumerate', ...options }, model).support() as readonly T[];
}

const threeFlips = () => [flip(0.9), flip(0.4), flip(0.8)].map(Number).join('');

describe('order', () => {
  test('depth first goes from left to right', () => {
    expect(visited(threeFlips)).toEqual(['111', '110', '101', '100', '011', '010', '001', '000']);
  });

  test('breadth first completes executions in the same order, and short ones first', () => {
    expect(visited(threeFlips, { strategy: 'breadthFirst' })).toEqual(visited(threeFlips));
    const model = () => (flip() ? `long ${flip() ? 1 : 0}` : 'short');
    expect(visited(model, { strategy: 'breadthFirst' })).toEqual(['short', 'long 1', 'long 0']);
  });

  test('likely first completes executions from the likeliest on', () => {
    const order = visited(threeFlips, { strategy: 'likelyFirst' });
    expect(order).toEqual(['101', '111', '100', '110', '001', '011', '000', '010']);
  });

  test('the support is in order of first appearance', () => {
    const result = Infer({ method: 'enumerate' }, () => (flip() ? 'b' : flip() ? 'c' : 'a'));
    expect(result.support()).toEqual(['b', 'c', 'a']);
  });

  test('sampleWithFactor is weighed before the search goes on', () => {
    const model = () => sampleWithFactor(Bernoulli({ p: 0.9 }), (value) => (value ? -10 : 0));
    expect(visited(model, { strategy: 'likelyFirst' })).toEqual([false, true]);
  });

  test('a factor of sampleWithFactor of −Infinity is never run', () => {
    const model = () => sampleWithFactor(weighted([1, 1], [2, 1], [3, 1]), (value) => (value === 2 ? -Infinity : 0));
    for (const strategy of strategies) expect(visited(model, { strategy })).toEqual([1, 3]);
  });

  test('values of probability zero are never run', () => {
    for (const strategy of strategies) expect(visited(() => [flip(1), flip(0)], { strategy })).toEqual([[true, false]]);
  });
});

describe('maxExecutions', () => {
  const geometric = (): number => (flip(0.5) ? 1 + geometric() : 0);

  test('visits the likeliest executions of infinitely many', () => {
    const result = Infer({ method: 'enumerate', maxExecutions: 3 }, geometric);
    expect(result.support()).toEqual([0, 1, 2]);
    expect(Math.exp(result.score(0))).toBeCloseTo(4 / 7, 14);
    expect(Math.exp(result.logZ!)).toBeCloseTo(7 / 8, 14);
  });

  test('counts impossible executions too', () => {
    let runs = 0;
    const model = () => {
      const [a, b] = [flip(), flip()];
      runs++;
      condition(a !== b);
      return [a, b].map(Number).join('');
    };
    const result = Infer({ method: 'enumerate', maxExecutions: 3, strategy: 'depthFirst' }, model);
    expect(runs).toBe(3);
    expect(result.support()).toEqual(['10', '01']);
  });

  test('that find nothing possible say so', () => {
    expect(() =>
      Infer({ method: 'enumerate', maxExecutions: 2, strategy: 'depthFirst' }, () => {
        const [a] = [flip(), flip()];
        condition(!a);
      }),
    ).toThrow(
      'enumerate: none of the first 2 executions is possible (factors of −Infinity, conditions that do not hold). ' +
        'Raise maxExecutions.',
    );
  });
});

describe('a program of many executions', () => {
  test('keeps what is equal on paper equal in numbers', () => {
    const result = Infer({ method: 'enumerate' }, () => {
      let heads = 0;
      for (let i = 0; i < 12; i++) if (flip()) heads++;
      return heads;
    });
    let binomial = 1;
    for (let k = 0; k <= 12; k++) {
      expect(Math.exp(result.score(k))).toBeCloseTo(binomial / 4096, 13);
      binomial = (binomial * (12 - k)) / (k + 1);
    }
    expect(result.logZ).toBeCloseTo(0, 12);
  });

  test('reports progress now and then', () => {
    const { progress } = startTestRun(1);
    const model = () => Array.from({ length: 13 }, () => flip()).length;
    Infer({ method: 'enumerate' }, model);
    // More often on a slow machine.
    expect(progress.filter(([, done]) => done % 4096 === 0)).toEqual([
      ['enumerate', 4096, undefined],
      ['enumerate', 8192, undefined],
    ]);
  });
});

describe('what cannot be enumerated', () => {
  test('is said with the name of the distribution', () => {
    expect(() => Infer({ method: 'enumerate' }, () => sample(Gaussian({ mu: 0, sigma: 1 })))).toThrow(
      'enumerate cannot list the values of this choice: Gaussian is continuous. Use a method that draws samples ' +
        '(MCMC, SMC, rejection), or, if the value is known, observe it instead of sampling.',
    );
    const counts: Distribution<number> = {
      name: 'Counts',
      params: {},
      isContinuous: false,
      draw: () => 0,
      score: () => -1,
    };
    expect(() => Infer({ method: 'enumerate' }, () => sample(counts))).toThrow('Counts has infinitely many values');
    const none = { ...counts, name: 'None', support: () => [] };
    expect(() => Infer({ method: 'enumerate' }, () => sample(none))).toThrow('None has an empty support');
  });

  test('no possible execution', () => {
    for (const strategy of strategies) {
      expect(() =>
        Infer({ method: 'enumerate', strategy }, () => {
          flip();
          condition(false);
        }),
      ).toThrow(
        'enumerate: no execution of this program is possible. Some factor is −Infinity, some condition does not hold ' +
          'or some observed value is outside its distribution’s support, whatever the choices.',
      );
    }
  });

  test.each(strategies)('an endless loop, %s', (strategy) => {
    const only = weighted(['only', 1]);
    expect(() =>
      Infer({ method: 'enumerate', strategy }, () => {
        for (;;) sample(only);
      }),
    ).toThrow(/^enumerate: one execution made 100000 choices without ending, .* Give maxExecutions/);
  });

  test('endless recursion', () => {
    const forever = (): number => (flip() ? 1 + forever() : 0);
    expect(() => Infer({ method: 'enumerate' }, forever)).toThrow(/^enumerate: one execution made \d+ choices without/);
  });

  test('a tree larger than allowed, or a run longer', () => {
    const model = () => Array.from({ length: 25 }, () => flip()).length;
    for (const strategy of strategies) {
      const options = { method: 'enumerate', strategy, maxEnumTreeSize: 100 } as const;
      expect(() => Infer(options, model)).toThrow(
        'enumerate: the program seems to have more than maxEnumTreeSize (100) partial executions. ' +
          'Raise maxEnumTreeSize, or use a method that draws samples (MCMC, SMC, rejection).',
      );
      expect(Infer({ ...options, maxEnumTreeSize: 7 }, () => flip() && flip()).score(true)).toBe(Math.log(0.25));
    }
    expect(() => Infer({ method: 'enumerate', maxRuntimeInMS: 20 }, model)).toThrow(
      'enumerate has taken longer than maxRuntimeInMS (20 ms) and is not finished.',
    );
    const error = Infer({ method: 'enumerate', maxRuntimeInMS: 20, throwOnError: false }, model);
    expect(error).toBeInstanceOf(Error);
  });

  test('a program that is not the same when run again', () => {
    let runs = 0;
    for (const strategy of strategies) {
      expect(() =>
        Infer({ method: 'enumerate', strategy }, () => {
          if (runs++ === 0) return flip() && flip();
          return true;
        }),
      ).toThrow(
        /^enumerate runs the program many times, and with the same choices made it took another way than before/,
      );
      runs = 0;
    }
  });

  test('a weight that is none', () => {
    for (const strategy of strategies) {
      expect(() => Infer({ method: 'enumerate', strategy }, () => factor(Infinity))).toThrow('factor got Infinity');
    }
    expect(() =>
      Infer({ method: 'enumerate' }, () => sampleWithFactor(Bernoulli({ p: 0.5 }), () => Number.NaN)),
    ).toThrow('The function given to sampleWithFactor must return a number as its score, got NaN.');
  });
});

describe('inference inside', () => {
  test('a model is exact', () => {
    const speaker = (state: boolean) =>
      Infer({ method: 'enumerate' }, () => {
        const word = flip(0.3);
        factor(word === state ? 0 : -2);
        return word;
      });
    const listener = Infer({ method: 'enumerate' }, () => {
      const state = flip(0.6);
      factor(speaker(state).score(true));
      return state;
    });
    const says = (state: boolean) => {
      const [yes, no] = [0.3 * Math.exp(state ? 0 : -2), 0.7 * Math.exp(state ? -2 : 0)];
      return yes / (yes + no);
    };
    const expected = (0.6 * says(true)) / (0.6 * says(true) + 0.4 * says(false));
    expect(Math.exp(listener.score(true))).toBeCloseTo(expected, 14);
  });

  test('draws the same where the outer choices are the same', () => {
    for (const strategy of strategies) {
      startTestRun(3);
      const found = new Map<string, Set<number>>();
      Infer({ method: 'enumerate', strategy }, () => {
        const inner = Infer({ method: 'rejection', samples: 20 }, () => flip());
        const before = sampleWithFactor(Bernoulli({ p: 0.5 }), () =>
          Infer({ method: 'rejection', samples: 10 }, () => flip(0.4)).score(true),
        );
        const later = Infer({ method: 'rejection', samples: 20 }, () => flip(before ? 0.5 : 0.4));
        const key = String(before);
        if (!found.has(key)) found.set(key, new Set());
        found.get(key)!.add(inner.score(true) + 100 * later.score(true));
        return flip();
      });
      expect([...found.values()].map((values) => values.size)).toEqual([1, 1]);
    }
  });

  test('leaves nothing behind when the program throws', () => {
    const before = { ...machine };
    expect(() =>
      Infer({ method: 'enumerate' }, () => {
        if (!flip()) throw new Error('from the program');
        return Infer({ method: 'enumerate' }, () => flip());
      }),
    ).toThrow('from the program');
    const { handler, stream, store, memo, address } = before;
    expect(machine).toMatchObject({ handler, stream, store, memo, address });
    expect(() => factor(0)).toThrow('need an inference');
  });

  test('executions do not see each other’s store, nor the caller theirs', () => {
    machine.store.count = 10;
    for (const strategy of strategies) {
      const result = Infer({ method: 'enumerate', strategy }, () => {
        for (let i = 0; i < 3; i++) if (flip()) machine.store.count = (machine.store.count as number) + 1;
        return machine.store.count;
      });
      expect([...result.support()].sort()).toEqual([10, 11, 12, 13]);
      expect(Math.exp(result.score(11))).toBeCloseTo(3 / 8, 14);
    }
    expect(machine.store.count).toBe(10);
  });
});
