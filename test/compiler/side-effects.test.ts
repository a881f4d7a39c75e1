import { beforeAll, expect, test } from 'vitest';
import { compile, prepareParser } from '../../src/compiler/compile.ts';
import { libraryRows } from '../../src/library/rows.ts';

beforeAll(() => prepareParser('ts'));

const sideEffect = (code: string): string | undefined =>
  compile(code, { file: 'model.ts', language: 'ts', library: libraryRows }).sideEffect?.reason;

test.each([
  'interface Seen { readonly sum: number; map(factor: number): void } export default 1;',
  'type Seen = { readonly sum: number; map: (factor: number) => void }; export default 1;',
  'declare const seen: { sum: number }; export default 1;',
])('types that are named like functions of the library do nothing: %s', (code) => {
  expect(sideEffect(code)).toBeUndefined();
});

test('a function of the library that is given another name may be called by that', () => {
  expect(sideEffect("import { sum } from 'waymark'; const add = sum; export default add;")).toBe(
    'a function of the library is given another name',
  );
});

test.each([
  ['of functions', 'const acts = { up: (x: number) => x + 1, down };', undefined],
  ['of functions by number', 'const acts = [(x: number) => x + 1, down];', undefined],
  ['of something else', 'const acts = { up: [1].push, down };', 'functions of the program change what others see'],
  ['of nothing', 'const acts: any = {};', 'functions of the program change what others see'],
  ['that is set anew', 'let acts = [down]; acts = [];', 'functions of the program change what others see'],
])('a call by a name that is computed changes nothing in a table %s', (_, table, reason) => {
  const code = `const down = (x: number) => x - 1; ${table} const act = (k: any) => acts[k](2); export default act;`;
  expect(sideEffect(code)).toBe(reason);
});
