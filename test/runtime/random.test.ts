import { describe, expect, test } from 'vitest';
import { RandomStream } from '../../src/runtime/random.ts';
import { philox } from '../../src/tensor/philox.ts';
import { normalCdf } from '../../src/tensor/special/normal.ts';
import { TAIL } from '../../src/tensor/ziggurat.ts';

const hex = (words: Int32Array) => [...words].map((w) => (w >>> 0).toString(16).padStart(8, '0')).join(' ');

describe('philox', () => {
  // Known answers published with the Random123 library.
  test.each([
    [[0, 0, 0, 0], [0, 0], '6627e8d5 e169c58d bc57ac4c 9b00dbd8'],
    [[-1, -1, -1, -1], [-1, -1], '408f276d 41c83b0e a20bc7c6 6d5451fd'],
    [
      [0x243f6a88, 0x85a308d3 | 0, 0x13198a2e, 0x03707344],
      [0xa4093822 | 0, 0x299f31d0],
      'd16cfe09 94fdcceb 5001e420 24126ea1',
    ],
  ])('counter %j', ([c0, c1, c2, c3], [k0, k1], expected) => {
    // Often enough to change to WebAssembly, whichever test comes first.
    for (let i = 0; i < 300; i++) expect(hex(philox(c0, c1, c2, c3, k0, k1))).toBe(expected);
  });
});

describe('RandomStream', () => {
  test('the same seed gives the same numbers, another seed others', () => {
    const draws = (seed: number) => {
      const stream = RandomStream.fromSeed(seed).begin();
      return [stream.uniform(), stream.uniform(), stream.uniform()];
    };
    expect(draws(1)).toEqual(draws(1));
    expect(draws(1)).not.toEqual(draws(2));
    expect(draws(0.5)).not.toEqual(draws(0));
  });

  test('a choice that draws more numbers does not shift the next one', () => {
    const greedy = RandomStream.fromSeed(7);
    greedy.begin();
    for (let i = 0; i < 100; i++) greedy.gaussian();
    const modest = RandomStream.fromSeed(7);
    modest.begin().uniform();
    expect(greedy.begin().uniform()).toBe(modest.begin().uniform());
  });

  test('children depend on occurrence and index, not on what their siblings drew', () => {
    const parent = RandomStream.fromSeed(3);
    const occurrence = parent.occurrence();
    const alone = parent.child(occurrence, 5).begin().uniform();
    for (let i = 0; i < 5; i++) parent.child(occurrence, i).begin().uniform();
    expect(parent.child(occurrence, 5).begin().uniform()).toBe(alone);
    expect(parent.child(parent.occurrence(), 5).begin().uniform()).not.toBe(alone);
  });

  test('uniform numbers are uniform: Kolmogorov–Smirnov at 100,000', () => {
    const n = 100_000;
    const stream = RandomStream.fromSeed(11);
    const draws = Float64Array.from({ length: n }, () => stream.begin().uniform()).sort();
    let distance = 0;
    draws.forEach((u, i) => {
      expect(u > 0 && u < 1).toBe(true);
      distance = Math.max(distance, (i + 1) / n - u, u - i / n);
    });
    // P(sqrt(n) D > 2.2) = 1.2e-4
    expect(distance * Math.sqrt(n)).toBeLessThan(2.2);
  });

  test('gaussian numbers have the moments of a standard normal', () => {
    const n = 200_000;
    const stream = RandomStream.fromSeed(5).begin();
    const powers = [0, 0, 0, 0];
    for (let i = 0; i < n; i++) {
      const x = stream.gaussian();
      powers.forEach((_, k) => {
        powers[k] += x ** (k + 1) / n;
      });
    }
    const [m1, m2, m3, m4] = powers;
    // Standard errors of the raw moments: sqrt(Var(x^k) / n) with Var = 1, 2, 15, 96.
    expect(Math.abs(m1)).toBeLessThan(5 * Math.sqrt(1 / n));
    expect(Math.abs(m2 - 1)).toBeLessThan(5 * Math.sqrt(2 / n));
    expect(Math.abs(m3)).toBeLessThan(5 * Math.sqrt(15 / n));
    expect(Math.abs(m4 - 3)).toBeLessThan(5 * Math.sqrt(96 / n));
  });

  test('gaussian numbers are normal, the tails included: Kolmogorov–Smirnov at 300,000', () => {
    const n = 300_000;
    const stream = RandomStream.fromSeed(17);
    const draws = Float64Array.from({ length: n }, () => stream.begin().gaussian()).sort();
    let distance = 0;
    for (let i = 0; i < n; i++) {
      const p = normalCdf(draws[i]);
      distance = Math.max(distance, (i + 1) / n - p, p - i / n);
    }
    // P(sqrt(n) D > 2.2) = 1.2e-4
    expect(distance * Math.sqrt(n)).toBeLessThan(2.2);
    // The ziggurat draws what is beyond its lowest layer in another way; so many of both sides, within 4.5 deviations.
    const expected = 2 * n * normalCdf(-TAIL);
    const found = draws.filter((x) => Math.abs(x) > TAIL);
    expect(Math.abs(found.length - expected)).toBeLessThan(4.5 * Math.sqrt(expected));
    expect(found.some((x) => x < 0) && found.some((x) => x > 0)).toBe(true);
  });

  test('pairs of gaussian numbers survive another stream drawing in between', () => {
    const alone = RandomStream.fromSeed(5).begin();
    const expected = Array.from({ length: 6 }, () => alone.gaussian());
    const one = RandomStream.fromSeed(5).begin();
    const other = RandomStream.fromSeed(6).begin();
    const otherAlone = RandomStream.fromSeed(6).begin();
    for (const x of expected) {
      expect(one.gaussian()).toBe(x);
      expect(other.gaussian()).toBe(otherAlone.gaussian());
    }
  });

  test('a stream restarted for another iteration is that iteration’s', () => {
    const parent = RandomStream.fromSeed(3);
    const occurrence = parent.occurrence();
    const reused = parent.child(occurrence, 0);
    reused.begin().gaussian();
    const draws = (stream: RandomStream) => [stream.begin().gaussian(), stream.gaussian(), stream.begin().uniform()];
    expect(draws(reused.restart(7))).toEqual(draws(parent.child(occurrence, 7)));
  });

  test('integers cover their range evenly', () => {
    const n = 60_000;
    const counts = [0, 0, 0, 0, 0, 0];
    const stream = RandomStream.fromSeed(13);
    for (let i = 0; i < n; i++) counts[stream.begin().integer(6)]++;
    const chiSquare = counts.reduce((sum, c) => sum + (c - n / 6) ** 2 / (n / 6), 0);
    // 5 degrees of freedom: P(> 25.7) = 1e-4
    expect(chiSquare).toBeLessThan(25.7);
  });
});
