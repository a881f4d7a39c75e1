import { expect, test } from 'vitest';
import { Categorical } from '../../src/distributions/index.ts';
import { show } from '../../src/library/show/value.ts';
import { sameValue, valueKey } from '../../src/runtime/values.ts';

interface Cell {
  readonly head: number;
  readonly tail: Cell | null;
}

function cells(count: number): Cell | null {
  let list: Cell | null = null;
  for (let i = count; i > 0; i--) list = { head: i, tail: list };
  return list;
}

function nested(depth: number): unknown[] {
  let list: unknown[] = ['inside'];
  for (let i = 0; i < depth; i++) list = [list];
  return list;
}

/** How many objects a value has around and in what is read of it: what showing it costs. */
function reads(value: object): { readonly watched: object; count(): number } {
  let reads = 0;
  const watch = (object: object): object =>
    new Proxy(object, {
      get(target, key) {
        const field: unknown = Reflect.get(target, key);
        if (key === 'head' || key === 'tail') reads++;
        return typeof field === 'object' && field !== null ? watch(field) : field;
      },
    });
  return { watched: watch(value), count: () => reads };
}

test('a short list is shown whole', () => {
  expect(show(cells(2))).toBe('{ head: 1, tail: { head: 2, tail: null } }');
  expect(show(nested(3))).toBe('[[[["inside"]]]]');
});

test('what is far inside is not shown', () => {
  const text = show(cells(1000));
  expect(text).toContain('head: 50,');
  expect(text).not.toContain('head: 51,');
  expect(text).toContain('tail: {…}');
  expect(show(nested(1000))).toContain('[…]');
});

test('a longer list costs no more to show', () => {
  const [short, long] = [100, 2000].map((count) => {
    const { watched, count: counted } = reads(cells(count) as object);
    show(watched);
    return counted();
  });
  expect(long).toBe(short);
});

test('long lists are values like others', () => {
  const many = 3000;
  expect(sameValue(cells(many), cells(many))).toBe(true);
  expect(sameValue(cells(many), cells(many + 1))).toBe(false);
  const dist = Categorical({ vs: [cells(many), cells(many), cells(many - 1)] });
  expect(dist.support()).toHaveLength(2);
});

test('a value that contains itself far inside has a key', () => {
  const ring: { tail: unknown } = { tail: null };
  let list: unknown = ring;
  for (let i = 0; i < 100; i++) list = { tail: list };
  ring.tail = list;
  expect(valueKey(list)).toBe(valueKey(list));
  expect(show(list)).toContain('{…}');
});

test('a value that is met twice, and not inside itself, is shown twice', () => {
  let shared: unknown = { a: 1 };
  for (let i = 0; i < 40; i++) shared = [shared];
  expect(valueKey([shared, shared])).toBe(valueKey([structuredClone(shared), structuredClone(shared)]));
});
