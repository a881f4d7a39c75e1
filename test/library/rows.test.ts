/** The table of the library's names: each has a row, and nothing else has one. */
import { expect, test } from 'vitest';
import * as samplers from '../../src/distributions/samplers.ts';
import { methodNamed, methodNames } from '../../src/inference/methods.ts';
import { isFamily, libraryRows } from '../../src/library/rows.ts';
import * as api from '../../src/scope.ts';
import '../../src/lifting/linkage.ts';
import { liftedNames } from '../../src/lifting/library.ts';
import * as webppl from '../../src/webppl.ts';

const names = api as unknown as Record<string, unknown>;

/** What the command line and WebPPL add to the API. */
const CONVENIENCES = ['_', '_top', 'assert', 'require'];

test('every name of the library has a row, but for families and what draws from them', () => {
  const described = Object.keys(names).filter((name) => !isFamily(names[name]) && !(name in samplers));
  const rows = [...libraryRows.keys()].filter((name) => !(name in samplers));
  expect(rows.sort()).toEqual([...described, ...CONVENIENCES].sort());
});

test('rows say which names are those of WebPPL', () => {
  const marked = [...libraryRows].filter(([, row]) => row.webppl).map(([name]) => name);
  expect(marked.sort()).toEqual(Object.keys(webppl).sort());
});

test('what is pure is a function or an object, and calls nothing back', () => {
  for (const [name, { pure, calls }] of libraryRows) {
    if (pure)
      expect([name, typeof names[name], calls]).toEqual([name, expect.stringMatching('function|object'), undefined]);
  }
});

test('what calls a function that it is given is a function', () => {
  for (const [name, { calls }] of libraryRows) if (calls !== undefined) expect(typeof names[name]).toBe('function');
});

test('what draws from a family names one', () => {
  for (const [name, { does, of }] of libraryRows) {
    if (does?.startsWith('draws')) expect([name, isFamily(names[of ?? ''])]).toEqual([name, true]);
  }
});

test('methods of inference are all in the table of what they need', () => {
  for (const name of methodNames.texts.keys()) expect(() => methodNamed(name)).not.toThrow();
  for (const { infers } of libraryRows.values()) {
    if (infers !== undefined && infers !== 'any') expect([...methodNames.texts.keys()]).toContain(infers);
  }
});

test('what has a meaning in the graph is a name of the library', () => {
  for (const name of liftedNames) expect([...libraryRows.keys()]).toContain(name);
});
