import { describe, expect, test } from 'vitest';
import { compile, prepareParser } from '../../src/compiler/compile.ts';
import { libraryRows } from '../../src/library/rows.ts';

const NAMES = ['Optimize', 'display', 'map', 'sum', 'factor', 'getParams', 'setParams', 'globalStore', 'idF', '_'];
const LIBRARY = new Map(NAMES.map((name) => [name, libraryRows.get(name)!]));

/** Whether the compiler says of the callback that a model cannot see what it does. */
function isQuiet(code: string, language: 'wppl' | 'ts' = 'wppl'): boolean {
  const { code: emitted } = compile(code, {
    file: `model.${language}`,
    language,
    library: LIBRARY,
  });
  return emitted.includes('$.quiet(');
}

const MODEL = 'var model = function() { factor(1); };';
const optimise = (callback: string): string => `Optimize(model, {steps: 2, onStep: ${callback}});`;

describe('callbacks that a model cannot see', () => {
  test.each([
    `${MODEL} ${optimise('function(i, x) { display(x); }')}`,
    `${MODEL} ${optimise('(i, x) => i > 3 && x > 2')}`,
    `var seen = []; ${MODEL} ${optimise('function(i, x) { seen.push(x); }')} seen`,
    `var seen = []; ${MODEL} ${optimise('function(i, x) { seen.push(x); }')} display(sum(seen)); seen.length`,
    `var best = {x: 0}; ${MODEL} ${optimise('function(i, x) { if (x > best.x) { best.x = x; } }')} ({best: best})`,
    `let last = 0; ${MODEL} ${optimise('(i, x) => { last = x; }')} last`,
    `var watch = function(i, x) { display(i); }; ${MODEL} ${optimise('watch')}`,
    `function watch(i, x) { display(i); } ${MODEL} ${optimise('watch')}`,
    `${MODEL} ${optimise('function(i, x) { var own = []; own.push(x); var o = {}; o.a = 1; display(own.concat([i])); }')}`,
    `var half = function(x) { return x / 2; }; ${MODEL} ${optimise('function(i, x) { display(half(x)); }')}`,
    `${MODEL} ${optimise('function(i, x) { display(Math.exp(x).toFixed(3)); console.log(JSON.stringify(getParams())); }')}`,
  ])('%s', (code) => expect(isQuiet(code)).toBe(true));
});

describe('callbacks that it may see', () => {
  test.each([
    `let last = 0; var model = function() { factor(last); }; ${optimise('(i, x) => { last = x; }')}`,
    `var seen = []; var model = function() { factor(seen.length); }; ${optimise('function(i, x) { seen.push(x); }')}`,
    `var seen = []; var other = seen; ${MODEL} ${optimise('function(i, x) { seen.push(x); }')}`,
    `var seen = []; var o = {list: seen}; ${MODEL} ${optimise('function(i, x) { seen.push(x); }')}`,
    `var seen = []; var other = seen.valueOf(); ${MODEL} ${optimise('function(i, x) { seen.push(x); }')}`,
    `var seen = []; var other = idF(seen); ${MODEL} ${optimise('function(i, x) { seen.push(x); }')}`,
    `var seen = []; var o = {}; ${MODEL} (o.list = seen, ${optimise('function(i, x) { seen.push(x); }').slice(0, -1)})`,
    `var data = [1]; var seen = data; ${MODEL} ${optimise('function(i, x) { seen.push(x); }')}`,
    `var seen = []; var f = function() { return seen; }; ${MODEL} ${optimise('function(i, x) { seen.push(x); }')}`,
    `${MODEL} ${optimise('function(i, x) { globalStore.x = i; }')}`,
    `${MODEL} ${optimise('function(i, x) { setParams({}); }')}`,
    `${MODEL} ${optimise('function(i, x) { getParams().m.data[0] = 1; }')}`,
    `let n = 0; var count = function() { n = n + 1; }; ${MODEL} ${optimise('function(i, x) { count(); }')}`,
    `let n = 0; var count = function() { n = n + 1; }; ${MODEL} ${optimise('function(i, x) { map(count, [1]); }')}`,
    `var data = [1]; ${MODEL} ${optimise('function(i, x) { var own = data; own[0] = 2; }')}`,
    `var data = [1]; ${MODEL} ${optimise('function(i, x) { _.pull(data, 1); }')}`,
    `var data = {a: 1}; ${MODEL} ${optimise('function(i, x) { delete data.a; }')}`,
    `var data = {a: 1}; ${MODEL} ${optimise('function(i, x) { data.change(); }')}`,
    `var make = function() { return function(i, x) { display(i); }; }; ${MODEL} ${optimise('make()')}`,
    `var seen = []; ${MODEL} Optimize(model, {steps: 2, onStep: function(i, x) { seen.push(x); }, params: seen})`,
  ])('%s', (code) => expect(isQuiet(code)).toBe(false));

  test('what a module exports', async () => {
    await prepareParser('ts');
    const program = (declaration: string): string =>
      `import { Optimize, factor } from 'waymark';
      ${declaration} const seen: number[] = [];
      Optimize(() => factor(1), { steps: 2, onStep: (i: number, x: number) => { seen.push(x); } });`;
    expect(isQuiet(program('export'), 'ts')).toBe(false);
    expect(isQuiet(program(''), 'ts')).toBe(true);
  });
});
