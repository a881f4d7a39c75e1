import { beforeEach, describe, expect, test } from 'vitest';
import { map } from '../../src/library/mapping.ts';
import { Iterations } from '../../src/runtime/iteration.ts';
import { machine } from '../../src/runtime/machine.ts';
import { draw, recordedRun } from '../library/run.ts';

beforeEach(() => {
  recordedRun(5);
});

describe('Iterations', () => {
  test('each has an address of its own, and the caller’s comes back', () => {
    const own = machine.address;
    const iterations = new Iterations();
    iterations.enter(0);
    expect(machine.address).toBe(own.index(0));
    iterations.enter(3);
    expect(machine.address).toBe(own.index(3));
    iterations.leave();
    expect(machine.address).toBe(own);
  });

  test('what an iteration draws does not depend on how much the others draw', () => {
    const drawsOf = (counts: number[]) => {
      recordedRun(5);
      return map((count) => Array.from({ length: count }, draw), counts);
    };
    const all = drawsOf([1, 1, 1, 1]);
    const other = drawsOf([9, 1, 0, 1]);
    expect(other[1]).toEqual(all[1]);
    expect(other[3]).toEqual(all[3]);
    expect(other[0][0]).toBe(all[0][0]);
    expect(new Set(all.flat()).size).toBe(4);
  });

  test('the caller’s stream goes on the same whatever happened inside', () => {
    const nextDraw = (count: number) => {
      recordedRun(5);
      map(() => Array.from({ length: count }, draw), [0, 1, 2]);
      return draw();
    };
    expect(nextDraw(0)).toBe(nextDraw(7));
  });

  test('two calls one after the other draw different numbers', () => {
    expect(map(draw, [0, 1])).not.toEqual(map(draw, [0, 1]));
  });

  test('nested iterations are apart too', () => {
    const nested = map(() => map(draw, [0, 1]), [0, 1]);
    expect(new Set(nested.flat()).size).toBe(4);
  });

  test('an iteration that throws leaves the caller’s stream in force', () => {
    const { stream } = machine;
    expect(() =>
      map(() => {
        throw new Error('stop');
      }, [1]),
    ).toThrow('stop');
    expect(machine.stream).toBe(stream);
  });

  test('a stream that was asked for nothing is reused, and one that was is not', () => {
    const seen: unknown[] = [];
    map(
      (x: number) => {
        seen.push(machine.stream);
        if (x === 1) draw();
      },
      [0, 1, 2],
    );
    expect(seen[0]).toBe(seen[1]);
    expect(seen[2]).not.toBe(seen[1]);
  });
});

describe('RandomStream.named', () => {
  test('depends on the name alone, not on what was drawn before', () => {
    const first = machine.stream.named('a').begin().uniform();
    draw();
    expect(machine.stream.named('a').begin().uniform()).toBe(first);
    expect(machine.stream.named('b').begin().uniform()).not.toBe(first);
    expect(machine.stream.child(1, 0).named('a').begin().uniform()).not.toBe(first);
  });

  test('similar names have unrelated streams', () => {
    const firsts = Array.from({ length: 2000 }, (_, i) => machine.stream.named(`x${i}`).begin().uniform());
    expect(new Set(firsts).size).toBe(2000);
    const mean = firsts.reduce((a, b) => a + b) / 2000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(5 / Math.sqrt(12 * 2000));
  });
});
