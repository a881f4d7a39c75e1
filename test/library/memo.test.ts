import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Infer } from '../../src/inference/infer.ts';
import { machine } from '../../src/runtime/machine.ts';
import { condition } from '../../src/runtime/primitives.ts';
import { cache, dp, flip, map, mem, repeat } from '../../src/scope.ts';
import { draw, type RecordedRun, recordedRun } from './run.ts';

let run: RecordedRun;
beforeEach(() => {
  run = recordedRun(11);
});

describe('mem', () => {
  test('remembers by the structure of all arguments', () => {
    const fn = vi.fn((..._args: unknown[]) => draw());
    const f = mem(fn);
    expect(f(1)).toBe(f(1));
    expect(f(1)).not.toBe(f('1'));
    expect(f({ a: 1, b: [2] })).toBe(f({ b: [2], a: 1 }));
    expect(f(1, 2)).toBe(f(1, 2));
    expect(f(1, 2)).not.toBe(f([1, 2]));
    expect(f()).not.toBe(f(undefined));
    expect(f('a,b')).not.toBe(f('a', 'b'));
    expect(fn).toHaveBeenCalledTimes(9);
  });

  test('tells functions apart by identity', () => {
    const f = mem((_g: () => number) => draw());
    const [g, h] = [() => 1, () => 1];
    expect(f(g)).toBe(f(g));
    expect(f(g)).not.toBe(f(h));
  });

  test('remembers undefined too', () => {
    const fn = vi.fn(() => undefined);
    const f = mem(fn);
    f();
    f();
    expect(fn).toHaveBeenCalledTimes(1);
  });

  test('recursion works', () => {
    let calls = 0;
    const fib: (n: number) => number = mem((n: number) => {
      calls++;
      return n < 2 ? n : fib(n - 1) + fib(n - 2);
    });
    expect(fib(60)).toBe(1548008755920);
    expect(calls).toBe(61);
  });

  test('what is drawn for an argument does not depend on who asks first', () => {
    const drawn = (order: string[]) => {
      recordedRun(4);
      const f = mem((_name: string) => draw());
      map((name) => f(name), order);
      return [f('a'), f('b')];
    };
    expect(drawn(['a', 'b'])).toEqual(drawn(['b', 'a']));
    expect(drawn(['a', 'b'])).toEqual(drawn([]));
  });

  test('functions memoised one after the other draw different numbers', () => {
    const make = () => mem((_: number) => draw());
    expect(make()(1)).not.toBe(make()(1));
  });

  test('the address of a memoised choice is that of its argument', () => {
    const seen: unknown[] = [];
    const f = mem((_: number) => seen.push(machine.address));
    const own = machine.address;
    machine.address = own.at('here');
    f(7);
    const g = f;
    Infer({
      method: 'forward',
      samples: 1,
      model: () => {
        machine.address = own.at('elsewhere');
        return g(8);
      },
    });
    expect(String(seen[0])).toBe('mem/7');
    expect(String(seen[1])).toBe('mem/8');
  });

  test('within an execution the same, between executions anew', () => {
    const eyeColour = mem((_person: string) => flip());
    const posterior = Infer({
      method: 'enumerate',
      model: () => [eyeColour('bob'), eyeColour('alice'), eyeColour('bob')],
    });
    expect(posterior.support().length).toBe(4);
    for (const [bob, , again] of posterior.support()) expect(bob).toBe(again);
    expect(Math.exp(posterior.score([true, false, true]))).toBeCloseTo(0.25, 12);
  });

  test('executions that share a memoised function draw independently', () => {
    const f = mem((_: number) => draw());
    const samples = Infer({ method: 'forward', samples: 50, model: () => f(1) }).samples!;
    expect(new Set(samples.map(({ value }) => value)).size).toBe(50);
  });

  test('conditioning on a memoised choice', () => {
    const posterior = Infer({
      method: 'enumerate',
      model: () => {
        const strong = mem((_: string) => flip(0.3));
        condition(strong('a') || strong('b'));
        return strong('a');
      },
    });
    expect(Math.exp(posterior.score(true))).toBeCloseTo(0.3 / (1 - 0.49), 12);
  });

  test('needs a function', () => {
    expect(() => mem(3 as never)).toThrow('mem needs a function, as in mem(fn); got 3 in its place.');
  });
});

describe('cache', () => {
  test('remembers across executions', () => {
    const slow = vi.fn((n: number) => n * n);
    const f = cache(slow);
    Infer({ method: 'forward', samples: 20, model: () => f(3) });
    expect(f(3)).toBe(9);
    expect(slow).toHaveBeenCalledTimes(1);
    expect(run.warnings).toEqual([]);
  });

  test('by the structure of all arguments', () => {
    const fn = vi.fn((...args: unknown[]) => args.length);
    for (const f of [cache(fn), cache(fn, 100)]) {
      fn.mockClear();
      const calls: unknown[][] = [
        [1],
        ['1'],
        [{ a: 1, b: 2 }],
        [1, 2],
        [[1, 2]],
        [],
        [undefined],
        ['a', 'b'],
        ['a,b'],
        [1, 'x', true],
      ];
      for (let again = 0; again < 2; again++) for (const args of calls) f(...args);
      f({ b: 2, a: 1 });
      expect(fn).toHaveBeenCalledTimes(calls.length);
      expect(f.cache.size).toBe(calls.length);
      f.cache.clear();
      expect(f.cache.size).toBe(0);
    }
  });

  test('forgets what was not used for longest', () => {
    const fn = vi.fn((x: number) => x);
    const f = cache(fn, 2);
    f(1);
    f(2);
    f(1);
    f(3);
    expect(fn).toHaveBeenCalledTimes(3);
    f(1);
    expect(fn).toHaveBeenCalledTimes(3);
    f(2);
    expect(fn).toHaveBeenCalledTimes(4);
    expect(f.cache.size).toBe(2);
  });

  test('recursion works, also through dp.cache', () => {
    const fib: (n: number) => number = dp.cache((n: number) => (n < 2 ? n : fib(n - 1) + fib(n - 2)));
    expect(fib(50)).toBe(12586269025);
  });

  test('inference inside is what it is for', () => {
    const literal = vi.fn((p: number) => Infer({ method: 'enumerate', model: () => flip(p) }));
    const listener = cache(literal);
    const outer = Infer({
      method: 'enumerate',
      model: () => {
        const p = flip() ? 0.25 : 0.75;
        return Math.exp(listener(p).score(true));
      },
    });
    expect(outer.support().length).toBe(2);
    Infer({ method: 'forward', samples: 10, model: () => listener(0.25).score(true) });
    expect(literal).toHaveBeenCalledTimes(2);
    expect(run.warnings).toEqual([]);
  });

  test('warns once of choices during an inference, not outside', () => {
    const f = cache(function toss(_: number) {
      return flip();
    });
    f(0);
    expect(run.warnings).toEqual([]);
    Infer({ method: 'forward', samples: 5, model: () => repeat(3, () => f(draw())) });
    expect(run.warnings).toEqual([
      'The cached function toss made a random choice or a factor during an inference, which happens only the first ' +
        'time and is not repeated in later executions. Use mem to remember choices within an execution, and cache for ' +
        'deterministic functions.',
    ]);
  });

  test('asks about a limit when it grows large', () => {
    const f = cache((x: number) => x);
    for (let i = 0; i < 10_000; i++) f(i);
    expect(run.warnings).toEqual([
      'A cached function has been called with 10000 different arguments. If memory becomes short, give a limit: cache(fn, maxSize).',
    ]);
  });

  test('mistakes', () => {
    expect(() => cache(3 as never)).toThrow('cache needs a function, as in cache(fn, maxSize); got 3 in its place.');
    expect(() => cache(() => 1, 0)).toThrow('cache: maxSize must be a whole number of at least 1, got 0.');
  });

  test('an error is not remembered', () => {
    let attempts = 0;
    const f = cache(() => {
      if (attempts++ === 0) throw new Error('not yet');
      return 'done';
    });
    expect(f).toThrow('not yet');
    expect(f()).toBe('done');
  });
});
