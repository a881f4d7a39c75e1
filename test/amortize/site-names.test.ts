/** A network is for the choices of a program, by their names: other edits leave it as it is, and it does not matter who compiled the program. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compile, prepareParser } from '../../src/compiler/compile.ts';
import { SourceText } from '../../src/compiler/diagnostics.ts';
import { siteNamesOf } from '../../src/compiler/site-names.ts';
import { libraryNames } from '../../src/program/scope.ts';
import { failure, runProgram } from '../optimize/run-optimize.ts';

const folder = mkdtempSync(join(tmpdir(), 'waymark-names-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MODEL = `
  var draw = function(mu) { return gaussian(mu, 1); };
  var model = function(data) {
    var a = flip(0.3) ? draw(1) : draw(-1);
    map(function(y) { observe(Gaussian({mu: a + gaussian(0, 0.1), sigma: 1}), y); }, data);
    return a;
  };`;

const FILE = join(folder, 'model.net');
const TRAIN = `Amortize(model, {example: [0, 1], steps: 2, samples: 8}).save('${FILE}');`;
const LOAD = `var net = Amortize.load('${FILE}', model);
  var p = net.posterior([1, 2], {samples: 20});
  [net.summary().sites.length, p.diagnostics.unseen]`;

describe('a saved network', () => {
  beforeAll(async () => {
    await runProgram(`${MODEL} ${TRAIN} net = 0`.replace('net = 0', '0'));
  });

  test.each([
    ['as it was', MODEL],
    [
      'code before it',
      `var other = function() { return flip(0.5) + gaussian(0, 1); }; var x = map(other, [1, 2]); ${MODEL}`,
    ],
    [
      'a comment and a calculation in the model',
      MODEL.replace(
        'var a',
        '/* a shift */ var s = Math.sqrt(4); var list = map(function(x) { return x; }, [s]); var a',
      ),
    ],
    [
      'functions in another order',
      MODEL.replace(/(.*?var draw.*?\n)(.*)/s, '$2').concat('\n  var draw = function(mu) { return gaussian(mu, 1); };'),
    ],
  ])('still fits: %s', async (_name, text) => {
    const { value } = await runProgram(`${text} ${LOAD}`);
    expect(value).toEqual([4, 0]);
  });

  test('knows the model wherever it is called from', async () => {
    const { value } = await runProgram(`${MODEL}
      var inner = Amortize(function(data) { return model(data); }, {example: [0, 1], steps: 2, samples: 8});
      var data = [1, 2];
      var unseen = function(guide, around) {
        return Infer({method: 'importance', samples: 20, guide: guide, model: around}).diagnostics.unseen;
      };
      var nested = function() { return model(data); };
      [unseen(inner.given(data), function() { return model(data); }),
       unseen(inner.given(data), function() { return nested(); }),
       unseen(Amortize.load('${FILE}', model).given(data), nested)]`);
    expect(value).toEqual([0, 0, 0]);
  });

  test.each([
    ['another family', MODEL.replace('gaussian(mu, 1)', 'laplace(mu, 1)')],
    ['one choice more', MODEL.replace('return a;', 'return a + poisson(3);')],
  ])('is refused: %s', async (_name, text) => {
    expect(await failure(`${text} ${LOAD}`)).toMatch(/does not fit this program.*the program has others/s);
  });
});

test('names say where a call is, and tell calls apart', async () => {
  await prepareParser('js');
  const text = `import { gaussian, map, flip } from 'waymark';
const twice = (f) => f() + f();
export const model = (data) => {
  const mu = gaussian(0, 1);
  const o = { inner: map((y) => gaussian(y, 1) + gaussian(y, 2), data) };
  while (true) { if (flip(0.5)) return twice(() => mu); }
};`;
  const { sites } = compile(text, { file: 'm.js', language: 'js', library: libraryNames });
  const names = siteNamesOf(new SourceText(text, 'm.js'), 'js', sites);
  expect(new Set(names)).toEqual(
    new Set([
      'twice.f',
      'twice.f#2',
      'model.mu=gaussian',
      'model.inner=map',
      'model.map.gaussian',
      'model.map.gaussian#2',
      'model.',
      'model.flip',
      'model.twice',
    ]),
  );
});
