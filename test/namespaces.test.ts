/** Namespaces of the command are plain objects where that means the same (`build/namespace-plugin.ts`). */
import { expect, test } from 'vitest';
import { withPlainNamespaces } from '../build/namespace-plugin.ts';

const RUNTIME = `
const __exportAll = (all) => {
  const target = {};
  for (const name in all) Object.defineProperty(target, name, { get: all[name], enumerable: true });
  return Object.defineProperty(target, Symbol.toStringTag, { value: 'Module' });
};
`;

/** What `names` is at the end of a chunk, and whether it is a plain object. */
function made(chunk: string): { names: Record<string, unknown>; isPlain: boolean } {
  const code = withPlainNamespaces(RUNTIME + chunk);
  const names = new Function(`${code}\nreturn names;`)();
  return { names, isPlain: !code.slice(RUNTIME.length).includes('__exportAll') };
}

test('a namespace of what is there before it is a plain object with the same fields', () => {
  const { names, isPlain } = made(`
    var a = 1;
    const b = 2;
    var names = /* @__PURE__ */ __exportAll({ a: () => a, "b c": () => b, f: () => f });
    function f() { return 3; }
  `);
  expect(isPlain).toBe(true);
  expect({ ...names, f: (names.f as () => number)() }).toEqual({ a: 1, 'b c': 2, f: 3 });
  expect(Object.prototype.toString.call(names)).toBe('[object Module]');
  expect(Object.getOwnPropertySymbols({ ...names })).toEqual([]);
  expect(Object.isFrozen(names)).toBe(true);
});

test.each([
  ['gets its value later', 'var names = __exportAll({ a: () => a }); var a = 1;'],
  ['may change', 'let a = 0; var names = __exportAll({ a: () => a }); a = 1;'],
  ['is computed', 'var x = 1; var names = __exportAll({ a: () => x * 1 });'],
])('a namespace of what %s stays as it is', (_, chunk) => {
  const { names, isPlain } = made(chunk);
  expect(isPlain).toBe(false);
  expect(names.a).toBe(1);
});
