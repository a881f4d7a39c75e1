/** Names in types are no names of the library, though they may be called alike. */
import { beforeAll, expect, test } from 'vitest';
import { compile, prepareParser } from '../../src/compiler/compile.ts';
import { libraryNames } from '../../src/program/scope.ts';

beforeAll(() => prepareParser('ts'));

const sideEffectOf = (text: string): unknown =>
  compile(text, { file: 'model.ts', language: 'ts', library: libraryNames }).sideEffect;

test.each([
  'interface Problem { readonly mean: number; map(x: number): number }',
  'export interface Problem { readonly sample: number }',
  'type Problem = { readonly gaussian: number };',
  'declare const sample: (mean: number) => number;',
])('%s', (text) => {
  expect(sideEffectOf(`${text}\nexport default 1;`)).toBeUndefined();
});

test('another name for a function of the library is told', () => {
  expect(
    sideEffectOf("import { gaussian } from 'waymark';\nconst draw = gaussian;\nexport default draw;"),
  ).toBeDefined();
});
