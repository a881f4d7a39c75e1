import { describe, expect, test } from 'vitest';
import { Address, nowhere } from '../../src/runtime/address.ts';

describe('Address', () => {
  test('equal paths are the same object', () => {
    const root = Address.root();
    expect(root.at(3).index(2).at('x')).toBe(root.at(3).index(2).at('x'));
    expect(root.at(3)).not.toBe(root.at(4));
    expect(root.at(3).index(0)).not.toBe(root.at(3).index(1));
  });

  test('holds with more call sites than the short list keeps', () => {
    const root = Address.root();
    const first = Array.from({ length: 100 }, (_, i) => root.at(i));
    const again = Array.from({ length: 100 }, (_, i) => root.at(99 - i)).reverse();
    expect(again.every((a, i) => a === first[i])).toBe(true);
    expect(new Set(first).size).toBe(100);
  });

  test('indices met out of order are still unique', () => {
    const root = Address.root();
    const seven = root.index(7);
    const all = Array.from({ length: 10 }, (_, i) => root.index(i));
    expect(all[7]).toBe(seven);
    expect(new Set(all).size).toBe(10);
    expect(root.index(7)).toBe(seven);
  });

  test('indices and call sites do not collide', () => {
    const root = Address.root();
    expect(root.index(0)).not.toBe(root.at(0));
    root.index(5);
    expect(root.index(1)).not.toBe(root.at(1));
  });

  test('a second choice at one address in one execution gets its own, the same every time', () => {
    const site = Address.root().at(1);
    const run = (execution: number) => [site.choice(execution), site.choice(execution), site.choice(execution)];
    const first = run(1);
    expect(new Set(first).size).toBe(3);
    expect(run(2)).toEqual(first);
    expect(run(2)[0]).not.toBe(first[0]);
  });

  test('prints as a path', () => {
    expect(Address.root().at(12).at(3).index(0).at('guide').toString()).toBe('12/3[0]/guide');
  });

  test('iterations nowhere are not told apart, but choices and calls are', () => {
    expect(nowhere.index(0)).toBe(nowhere);
    expect(nowhere.index(1)).toBe(nowhere);
    expect(nowhere.at(1)).not.toBe(nowhere);
    const execution = 1_000_000_000;
    const choices = [nowhere.choice(execution), nowhere.choice(execution), nowhere.choice(execution)];
    expect(new Set(choices).size).toBe(3);
    const again = execution + 1;
    expect([nowhere.choice(again), nowhere.choice(again), nowhere.choice(again)]).toEqual(choices);
  });
});
