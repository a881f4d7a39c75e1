import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadProgram } from '../../src/program/load.ts';
import { report } from '../../src/program/report.ts';
import { ProgramError, run } from '../../src/program/run.ts';
import { quietRun } from './quiet-run.ts';

async function failure(code: string, file = 'model.wppl'): Promise<ProgramError> {
  const thrown = await run(code, { seed: 1, file }).then(
    () => undefined,
    (error) => error,
  );
  expect(thrown).toBeInstanceOf(ProgramError);
  return thrown;
}

const reportOf = async (code: string, file?: string): Promise<string> => (await failure(code, file)).message;

describe('what a person sees', () => {
  test('of a syntax error', async () => {
    expect(await reportOf('var x = 1;\nvar y = (x + 2;\ny')).toBe(
      `Did not expect ';' here.

model.wppl:2:15
  1 | var x = 1;
  2 | var y = (x + 2;
    |               ^
  3 | y`,
    );
  });

  test('of a refused construct', async () => {
    expect(await reportOf('var o = {\n\tf: function() { return this.x; }\n};\no.f()')).toBe(
      `'this' is not supported.

model.wppl:2:25
  1 | var o = {
  2 | \tf: function() { return this.x; }
    | \t                       ^
  3 | };

Give the function the object as a parameter, or refer to it by name.`,
    );
  });

  test('of an undefined name', async () => {
    expect(await reportOf('var model = function() {\n  return sampel(Bernoulli({p: 0.5}));\n};\nmodel()')).toBe(
      `sampel is not defined. Did you mean 'sample'?

model.wppl:2:10
  1 | var model = function() {
  2 |   return sampel(Bernoulli({p: 0.5}));
    |          ^
  3 | };`,
    );
  });

  test('of a wrong parameter deep in a recursion', async () => {
    expect(
      await reportOf(`var walk = function(n, sigma) {
  if (n === 0) { return 0; }
  var step = sample(Gaussian({mu: 0, sigma: sigma}));
  return step + walk(n - 1, sigma - 1);
};

walk(50, 30)`),
    ).toBe(
      `Gaussian: sigma must be a finite number greater than 0, got 0.

model.wppl:3:21
  2 |   if (n === 0) { return 0; }
  3 |   var step = sample(Gaussian({mu: 0, sigma: sigma}));
    |                     ^
  4 |   return step + walk(n - 1, sigma - 1);

Calls in progress, innermost first:
  walk (model.wppl:3:21)
  walk (model.wppl:4:17)
  … 29 more
  model.wppl:7:1`,
    );
  });

  test("of the program's own error()", async () => {
    expect(
      await reportOf(
        "var check = function(x) {\n  if (x < 0) { error('x must not be negative'); }\n  return x;\n};\ncheck(-1)",
      ),
    ).toBe(
      `x must not be negative

model.wppl:2:16
  1 | var check = function(x) {
  2 |   if (x < 0) { error('x must not be negative'); }
    |                ^
  3 |   return x;

Calls in progress, innermost first:
  check (model.wppl:2:16)
  model.wppl:5:1`,
    );
  });

  test('of a TypeError', async () => {
    expect(await reportOf('var data = {a: 1};\nvar f = function(d) { return d.b.c + 1; };\nf(data)')).toBe(
      `TypeError: Cannot read properties of undefined (reading 'c')

model.wppl:2:34
  1 | var data = {a: 1};
  2 | var f = function(d) { return d.b.c + 1; };
    |                                  ^
  3 | f(data)

Calls in progress, innermost first:
  f (model.wppl:2:34)
  model.wppl:3:1`,
    );
  });

  test('of a thrown string', async () => {
    expect(await reportOf("var f = function() {\n  throw 'no data';\n};\nf()")).toBe(
      `Thrown: no data

model.wppl:2:3
  1 | var f = function() {
  2 |   throw 'no data';
    |   ^
  3 | };

Calls in progress, innermost first:
  f (model.wppl:2:3)
  model.wppl:4:1`,
    );
  });

  test('of a thrown object', async () => {
    expect(await reportOf('throw {code: 3, why: "because"};')).toBe(
      `Thrown: {"code":3,"why":"because"}

model.wppl:1:1
  1 | throw {code: 3, why: "because"};
    | ^`,
    );
  });

  const RAISES = 'get: function() { throw 1; }';

  /** Errors that say other things of themselves than texts. */
  test.each([
    ['var e = new Error("x"); e.stack = 5; throw e;', 'x'],
    [`var e = new Error("x"); Object.defineProperty(e, "stack", {${RAISES}}); throw e;`, 'x'],
    ['var e = new Error("x"); e.name = {}; throw e;', 'x'],
    ['var e = new TypeError("x"); e.message = 5; throw e;', 'TypeError'],
    [`var e = new RangeError("x"); Object.defineProperty(e, "message", {${RAISES}}); throw e;`, 'RangeError'],
    ['var o = Object.create(null); o.o = o; throw o;', 'Thrown: an object without a text'],
  ])('of an error without texts: %s', async (code, said) => {
    const infer = `Infer({method: 'importance', samples: 100, model: function() { flip(0.5); ${code} }})`;
    for (const one of [code, infer]) expect((await reportOf(one)).split('\n')[0]).toBe(said);
  });

  test('of an error inside the callback of a map', async () => {
    expect(await reportOf('var xs = [[1], [2], null];\nmap(function(x) {\n  return x[0];\n}, xs)')).toBe(
      `TypeError: Cannot read properties of null (reading '0')

model.wppl:3:12
  2 | map(function(x) {
  3 |   return x[0];
    |            ^
  4 | }, xs)

Calls in progress, innermost first:
  (anonymous function) (model.wppl:3:12)
  model.wppl:2:1`,
    );
  });

  test('of an operator that does not fit', async () => {
    expect(await reportOf('var x = 3n;\nvar y =\n  x * 2;')).toBe(
      `TypeError: Cannot mix BigInt and other types, use explicit conversions

model.wppl:3:5
  2 | var y =
  3 |   x * 2;
    |     ^`,
    );
  });

  test('of recursion without end', async () => {
    const text = await reportOf(
      'var even = function(n) {\n  return odd(n + 1);\n};\nvar odd = function(n) { return 1 + even(n + 1); };\neven(0)',
    );
    const lines = text.split('\n');
    expect(lines[0]).toBe(
      'The recursion is too deep: calls are nested deeper than the stack allows. Does the recursion end?',
    );
    expect(lines).toContain('  odd (model.wppl:4:36)');
    expect(lines).toContain('  even (model.wppl:2:10)');
    expect(lines.at(-1)).toMatch(/^ {2}… 9\d more$/);
    expect(lines.length).toBeLessThan(15);
  });

  test('of objects that contain themselves, where gradients are taken', async () => {
    const endless =
      'A list or object with choices inside contains itself, so that going through it has no end. Where gradients are taken, ' +
      'that cannot be done here. Have it refer to itself by an index or a name instead.';
    for (const [use, column] of [
      ['_.cloneDeep(o).self.x', 21],
      ['[x, o].indexOf(1)', 24],
      ['_.isEqual(o, {x, self: 1}) ? x : 1', 19],
      ['JSON.stringify(o).length', 24],
    ] as const) {
      const text = await reportOf(`Optimize({steps: 1, verbose: false, model() {
  var x = gaussian(0, 1);
  var o = {x};
  o.self = o;
  factor(${use});
}})`);
      expect(text.split('\n').slice(0, 3), use).toEqual([endless, '', `model.wppl:5:${column}`]);
    }
    const returned = `Infer({method: 'MCMC', kernel: 'HMC', samples: 2, model() {
  var x = gaussian(0, 1);
  var o = {x};
  o.self = o;
  return o;
}})`;
    expect(await reportOf(returned)).toMatch(new RegExp(`^${endless}\n\nmodel.wppl:1:1\n`));
    // A chain that has an end is gone through.
    const chain = `var found = [];
Optimize({steps: 1, verbose: false, model() {
  var x = gaussian(0, 1);
  var head = {x};
  for (var i = 0; i < 600; i++) { head = {i, next: head}; }
  found.push(_.cloneDeep(head).next.i);
  factor(x);
}});
found[0]`;
    expect((await run(chain, { seed: 1, file: 'model.wppl' })).value).toBe(598);
  });

  test('of limits of the host', async () => {
    const thrown = (message: string): string => `var f = function() { throw new RangeError('${message}'); };\nf()`;
    expect(await reportOf(thrown('Map maximum size exceeded'))).toMatch(
      /^More than 16,777,216 different values were to be told apart, .*\n\nmodel.wppl:1:28/,
    );
    expect(await reportOf(thrown('Set maximum size exceeded'))).toContain('Use fewer samples');
    expect(await reportOf(thrown('Array buffer allocation failed'))).toMatch(/^There is not enough memory/);
    expect(await reportOf('new Float64Array(1e300)')).toMatch(/^There is not enough memory/);
    expect(await reportOf("'ab'.repeat(2 ** 29)")).toMatch(/^A text would have more characters/);
  });

  test('of a recursion through several places', async () => {
    expect(
      await reportOf(`var f = function(n) {
  if (n === 0) { error('here'); }
  return n % 3 === 0 ? 2 * f(n - 1) : 1 + f(n - 1);
};
var start = function() { return f(20); };
start()`),
    ).toBe(
      `here

model.wppl:2:18
  1 | var f = function(n) {
  2 |   if (n === 0) { error('here'); }
    |                  ^
  3 |   return n % 3 === 0 ? 2 * f(n - 1) : 1 + f(n - 1);

Calls in progress, innermost first:
  f (model.wppl:2:18)
  f (model.wppl:3:43)
  … 19 more
  start (model.wppl:5:33)
  model.wppl:6:1`,
    );
  });

  test('of an error without a message', async () => {
    expect((await failure('throw new RangeError()')).located.message).toBe('RangeError');
  });

  test('of a long line', async () => {
    const long = `var xs = [${Array.from({ length: 100 }, (_, i) => i).join(', ')}]; missing; 2`;
    expect(await reportOf(long)).toBe(
      `missing is not defined.

model.wppl:1:402
  1 | … 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]; missing; 2
    |                                                    ^`,
    );
  });
});

describe('a call of what is no function is named as the program wrote it', () => {
  test.each<[code: string, message: string]>([
    ['var f = 1; f()', 'f is not a function'],
    ['var f = 1; f(2)', 'f is not a function'],
    ['var o = {a: {}}; o.a.b()', 'o.a.b is not a function'],
    ['var o = {a: {}}; o.a.b(1)', 'o.a.b is not a function'],
    ['var id = [x => x][0]; id(3)()', 'id(3) is not a function'],
    ['var id = [x => x][0]; id({}).go()', 'id({}).go is not a function'],
    ['var id = [x => x][0]; id({}).go(1)', 'id(...).go is not a function'],
    ['var o = {}; var k = "x"; o[k]()', 'o[k] is not a function'],
    ['var o = {}; o?.go()', 'o?.go is not a function'],
  ])('%s', async (code, message) => {
    expect((await failure(code)).located.message).toBe(`TypeError: ${message}`);
  });
});

test('a method that a family of distributions lacks is named, with what to do instead', async () => {
  const advice =
    "has no cdf in closed form. Estimate what you need from draws: Infer({method: 'forward', samples: 10000, model: …}), " +
    'with a model that samples from it.';
  const plain = await failure('var d = Dirichlet({alpha: Vector([1, 2])});\nd.cdf(0.3)');
  expect(plain.located).toMatchObject({ line: 2, hint: `If it is a distribution: d ${advice}` });
  const lifted = await failure(`
    Optimize({steps: 1, verbose: false, model: function() { var d = Dirichlet({alpha: Vector([param({name: 'a', mu: 1}), 2])});
      factor(d.cdf(0.3)); }})`);
  expect(lifted.located).toMatchObject({ line: 3, message: `Dirichlet ${advice}` });
});

describe('places', () => {
  test.each<[code: string, line: number, column: number]>([
    ['var f = function(x) {\n  return (\n    x.y.z\n  );\n};\nf({})', 3, 9],
    ['var f = function() {\n  return error(\n    "x" + 1);\n};\nf()', 2, 10],
    ['var o = {a: {b: function() { error("x"); }}};\no\n  .a\n  .b()', 1, 30],
    ['for (var i = 0; i < 3; i++) {\n  if (i === 1) { error("x"); }\n}', 2, 18],
    ['var f = x => x > 0 ? f(x - 1)\n  : error("x"); f(3)', 2, 5],
    ['var x = "é😀"; /* 😀 */ error("x")', 1, 25],
    ['throw new Error("x")', 1, 7],
    ['var xs = [1, 2];\r\nxs.map(x => {\r\n  throw "x";\r\n})', 3, 3],
    ['var n = null; n[0]', 1, 17],
    ['var [a] = null', 1, 11],
    ['var big = [\n1,\n2,\n3];\nerror("x")', 5, 1],
  ])('%s', async (code, line, column) => {
    const { located } = await failure(code);
    expect([located.line, located.column]).toEqual([line, column]);
  });

  test('names of functions as the program has them', async () => {
    const { located } = await failure(
      `var outer = function() { return helper.go(3); };
       var helper = {go: function(x) { return inner(x); }};
       function inner(x) { return [x].map(y => $odd(y)); }
       var $odd = function(package) { var f = function() { return package(); }; return f(); };
       outer()`,
    );
    expect(located.frames.map(({ name }) => name)).toEqual([
      'f',
      '$odd',
      '(anonymous function)',
      'inner',
      'go',
      'outer',
      '',
    ]);
  });

  test('a caught and thrown again error keeps its place', async () => {
    const { located } = await failure('var f = function() {\n  null.x;\n};\ntry { f(); } catch (e) { throw e; }');
    expect(located.line).toBe(2);
  });

  test('text run with webpplEval is a file of its own', async () => {
    const program = await loadProgram({ code: '1' });
    const settings = quietRun();
    program.run(settings);
    try {
      settings.evaluate?.('var f = function() {\n  error("inside");\n};\nf()');
      expect.unreachable();
    } catch (thrown) {
      expect(program.locate(thrown)).toMatchObject({ message: 'inside', file: 'webpplEval', line: 2, column: 3 });
    }
  });
});

describe('errors in imported modules', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'waymark-report-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('are shown there, with the way to them', async () => {
    writeFileSync(join(folder, 'main.ts'), `import { mean } from './stats.ts';\n\nexport default mean([]);\n`);
    writeFileSync(
      join(folder, 'stats.ts'),
      `import { error } from 'waymark';

export function mean(xs: number[]): number {
  if (xs.length === 0) error('mean of nothing');
  return 0;
}
`,
    );
    const program = await loadProgram(join(folder, 'main.ts'));
    let thrown: unknown;
    try {
      program.run(quietRun());
    } catch (error) {
      thrown = error;
    }
    expect(report(program.locate(thrown)).replaceAll(`${folder}/`, '')).toBe(
      `mean of nothing

stats.ts:4:24
  3 | export function mean(xs: number[]): number {
  4 |   if (xs.length === 0) error('mean of nothing');
    |                        ^
  5 |   return 0;

Calls in progress, innermost first:
  mean (stats.ts:4:24)
  main.ts:3:16`,
    );
  });
});

describe('a misspelt function', () => {
  test.each([
    [
      'T.sofmax(Vector([1]))',
      'TypeError: T.sofmax is not a function',
      "T has no function 'sofmax'. Did you mean 'softmax'?",
    ],
    ['Math.lgo(3)', 'TypeError: Math.lgo is not a function', "Math has no function 'lgo'. Did you mean 'log'?"],
    ['viz.autoo(3)', 'TypeError: viz.autoo is not a function', "viz has no function 'autoo'. Did you mean 'auto'?"],
    ["nn.mpl(3, [], 'n')", 'TypeError: nn.mpl is not a function', "nn has no function 'mpl'. Did you mean 'mlp'?"],
  ])('of the library: %s', async (code, message, hint) => {
    const { located } = await failure(code);
    expect([located.message, located.hint]).toEqual([message, hint]);
  });

  test('of an object of the program that has the name of one of the library', async () => {
    const { located } = await failure('var T = {sum: 1}; T.sun()');
    expect([located.message, located.hint]).toEqual(['TypeError: T.sun is not a function', undefined]);
  });
});
