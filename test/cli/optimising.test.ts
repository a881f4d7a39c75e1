/** What V8 is told about modules of WebAssembly. */
import { beforeEach, expect, test, vi } from 'vitest';
import { formulaModule } from '../../src/tensor/wasm/host.ts';
import { optimising } from '../../src/v8/optimising.ts';

const told = vi.hoisted(() => [] as string[]);
vi.mock('node:v8', () => ({ setFlagsFromString: (flag: string) => told.push(flag) }));

await import('../../src/cli/v8/optimising.ts');

const EMPTY_MODULE = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);

const AT_ONCE = expect.stringMatching(/^--no-liftoff( --no-wasm-inlining)?$/);
const AS_USUAL = expect.stringMatching(/^--liftoff --wasm-dynamic-tiering( --wasm-inlining)?$/);

beforeEach(() => {
  told.length = 0;
});

test('formulas are optimised later than other modules, whatever happens to them', () => {
  formulaModule(EMPTY_MODULE);
  const budgets = told.map((flag) => Number(/^--wasm-tiering-budget=(\d+)$/.exec(flag)?.[1]));
  expect(budgets).toHaveLength(2);
  expect(budgets[0]).toBeGreaterThan(10 * budgets[1]);
  told.length = 0;
  expect(() => formulaModule(Uint8Array.of(1, 2, 3))).toThrow();
  expect(told[1]).toBe(`--wasm-tiering-budget=${budgets[1]}`);
});

test('what is to be optimised now is called while V8 does nothing else', () => {
  optimising.now(() => told.push('called'));
  expect(told).toEqual([AT_ONCE, 'called', AS_USUAL]);
});

const USUALLY = /^--lazy-feedback-allocation\b/;

test('what learns from the first call gives what it is to give, and ends that when it fails', () => {
  expect(optimising.learning(() => 3)).toBe(3);
  // With or without when V8 optimises, which not all versions of it can be told.
  const learning = [expect.stringMatching(/^--no-lazy-feedback-allocation\b/), expect.stringMatching(USUALLY)];
  expect(told).toEqual(learning);
  expect(() =>
    optimising.learning(() => {
      throw new Error('failed');
    }),
  ).toThrow('failed');
  expect(told.at(-1)).toMatch(USUALLY);
});
