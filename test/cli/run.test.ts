import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Command, finished } from './command.ts';

let waymark: Command;

beforeAll(() => {
  waymark = new Command('run');
});

afterAll(() => waymark.remove());

let files = 0;

/** Writes the program and runs it. */
function run(code: string, ...args: string[]) {
  return waymark.run('run', waymark.write(`program${++files}.wppl`, code), ...args);
}

/** Runs the program with --json; the parsed file, and how the process ended. */
async function runJson(code: string, ...args: string[]) {
  const out = `out${files + 1}.json`;
  const ended = await run(code, '--json', out, ...args);
  return { ...ended, json: JSON.parse(readFileSync(join(waymark.folder, out), 'utf8')) };
}

describe('the value', () => {
  test('of a .wppl file is its last expression', async () => {
    expect(await run('var x = 2;\nx + 1')).toEqual({ code: 0, stdout: '3\n', stderr: '' });
  });

  test('of a module is its default export', async () => {
    waymark.write('module.js', "import { sum } from 'waymark';\nexport default sum([1, 2, 3]);\n");
    expect(await waymark.run('run', 'module.js')).toEqual({ code: 0, stdout: '6\n', stderr: '' });
    waymark.write(
      'module.ts',
      "import { Bernoulli, sample } from 'waymark';\nconst x: boolean = sample(Bernoulli({ p: 1 }));\nexport default x;\n",
    );
    expect(await waymark.run('run', 'module.ts')).toEqual({ code: 0, stdout: 'true\n', stderr: '' });
  });

  test('undefined prints nothing', async () => {
    expect(await run('var x = 2;', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await run('', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await run('display("said")')).toEqual({ code: 0, stdout: 'said\n', stderr: '' });
  });

  test('comes after what the program prints, in order', async () => {
    const { stdout } = await run('display(1); console.log("two"); display(3); 4');
    expect(stdout).toBe('1\ntwo\n3\n4\n');
  });
});

describe('executions side by side', () => {
  test('fail as the program fails, also where it is asked how they ran', async () => {
    const code =
      "var f = gru('f', {xdim: 1, hdim: 2});\nInfer({method: 'forward', samples: 1000, model() { return f([zeros([2, 1]), Vector([gaussian(0, 1)])]); }})";
    const [plain, told] = [await run(code), await run(code, '--explain-batching')];
    expect(plain.stderr).toContain('ShapeError: ');
    expect(told.stderr).toContain(plain.stderr.split('\n')[0]);
  });

  /** What is bundled is not what tests import: namespaces are other objects there. */
  test.each([
    ['importance sampling', "Infer({method: 'importance', samples: 3000, guide: true, model})"],
    ['forward sampling', "Infer({method: 'forward', samples: 3000, guide: true, model})"],
    ['particles', "Infer({method: 'SMC', particles: 3000, model})"],
    ['optimisation', 'Optimize({model, steps: 3})'],
  ])('%s with a network for a guide does not fall back to one by one', async (_, inference) => {
    const { stderr, code } = await run(`
      var net = nn.mlp(1, [{nOut: 4, activation: nn.tanh}, {nOut: 2}], 'net');
      var model = function() {
        return map(function(i) {
          return sample(Gaussian({mu: 0, sigma: 1}), {guide() {
            var out = nneval(net, Vector([i]));
            return Gaussian({mu: T.get(out, 0), sigma: softplus(T.get(out, 1))});
          }});
        }, _.range(8));
      };
      ${inference}; 1`);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });
});

describe('randomness', () => {
  const code = 'repeat(5, function() { return gaussian(0, 1); })';

  test('the same seed gives the same output', async () => {
    const [a, b, c] = await Promise.all([run(code, '--seed', '7'), run(code, '--seed=7'), run(code, '--seed', '8')]);
    expect(a.code).toBe(0);
    expect(b).toEqual(a);
    expect(c.stdout).not.toBe(a.stdout);
  });

  test('without a seed, runs differ', async () => {
    const [a, b] = await Promise.all([run(code), run(code)]);
    expect(a.stdout).not.toBe(b.stdout);
  });
});

describe('--json', () => {
  test('writes the value and the outputs', async () => {
    const { code, stdout, json } = await runJson('display({a: [1, undefined]}); display("b"); -Infinity');
    expect(code).toBe(0);
    expect(json).toEqual({
      ok: true,
      value: { number: '-Infinity' },
      outputs: [{ a: [1, { undefined: true }] }, 'b'],
    });
    expect(stdout).toMatch(/-Infinity\n$/);
  });

  test('says undefined where a program has no value', async () => {
    expect((await runJson('var x = 1;')).json).toEqual({ ok: true, value: { undefined: true }, outputs: [] });
  });

  test('distributions', async () => {
    const { json } = await runJson(
      '[Infer({method: "enumerate", model() { return flip(0.25); }}), Gaussian({mu: 0, sigma: 1})]',
    );
    const [marginal, gaussian] = json.value;
    expect(Object.keys(marginal)).toEqual(['dist', 'support', 'probs', 'logZ']);
    expect(marginal.dist).toBe('Marginal');
    expect(marginal.probs[marginal.support.indexOf(true)]).toBeCloseTo(0.25, 12);
    expect(marginal.probs[marginal.support.indexOf(false)]).toBeCloseTo(0.75, 12);
    expect(gaussian).toEqual({ dist: 'Gaussian', params: { mu: 0, sigma: 1 } });
  });

  test.each([
    ['part.wppl', 'var x = 3;', 'The program has printed nothing'],
    ['part.ts', 'const x = 3;\nx + 1;', 'The module has printed nothing: write export default'],
  ])('that is not there is told of, if nothing else is printed: %s', async (file, code, words) => {
    waymark.write(file, code);
    expect((await waymark.run('run', file)).stderr).toContain(words);
    waymark.write(file, `${code}\nconsole.log('something');`);
    expect(await waymark.run('run', file)).toMatchObject({ code: 0, stderr: '' });
  });

  test('an output is recorded as it was', async () => {
    const { json } = await runJson('var xs = [1]; display(xs); xs.push(2); xs');
    expect(json).toMatchObject({ value: [1, 2], outputs: [[1]] });
  });

  test('an error says where', async () => {
    const { code, stdout, stderr, json } = await runJson('var f = function(x) { return x.y.z; };\n  f({})');
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(json).toEqual({
      ok: false,
      error: {
        message: expect.stringContaining('undefined'),
        file: `program${files}.wppl`,
        line: 1,
        column: expect.any(Number),
      },
    });
    expect(stderr).toContain(json.error.message);
    expect(stderr).toContain(`program${files}.wppl:1:`);
  });

  test('a program that does not compile says where', async () => {
    const { code, json } = await runJson('1 +\n* 2');
    expect(code).toBe(1);
    expect(json).toMatchObject({ ok: false, error: { line: 2, column: 1 } });
  });

  test('a value without a JSON form is printed all the same', async () => {
    const { code, stdout, stderr, json } = await runJson('var o = {a: 1}; _.assign(o, {self: o}); display(o); o');
    expect(code).toBe(1);
    expect(stdout.trim().split('\n').length).toBeGreaterThan(1);
    expect(stderr).toContain('value.self is value itself');
    expect(json).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('value.self is value itself') },
    });
  });

  test('a file that cannot be written in the end is an error, and the value is printed', async () => {
    const { code, stdout, stderr } = await run('7', '--json', '/dev/full');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '7\n' });
    expect(stderr).toMatch(/^\/dev\/full could not be written: .*\n$/);
  });
});

describe('errors', () => {
  test('go to stderr, with exit code 1', async () => {
    const { code, stdout, stderr } = await run('display("before");\nerror("no such luck")');
    expect(code).toBe(1);
    expect(stdout).toBe('before\n');
    expect(stderr).toMatch(/^no such luck\n/);
    expect(stderr).toContain(`program${files}.wppl:2:1`);
  });

  test('a thrown value that is no error', async () => {
    waymark.write('throws.js', "throw 'a string';\n");
    const { code, stderr } = await waymark.run('run', 'throws.js');
    expect(code).toBe(1);
    expect(stderr).toContain('a string');
  });

  test('advice is given once, and not at all with --quiet', async () => {
    const code =
      'repeat(3, function() { return Infer({method: "forward", samples: 1, model() { factor(-1); return 1; }}); });\n1';
    const { stdout, stderr } = await run(code);
    expect(stdout).toBe('1\n');
    expect(stderr.trim().split('\n').length).toBe(1);
    expect(stderr).toMatch(/factor/i);
    expect(await run(code, '--quiet')).toEqual({ code: 0, stdout: '1\n', stderr: '' });
  });
});

test('--explain-guides tells what guides each choice, and --explain-batching how data were looked at', async () => {
  waymark.write(
    'guides.ts',
    `import { Beta, Bernoulli, Gaussian, mapData, observe, Optimize, param, sample } from 'waymark';
const model = () => {
  const p = sample(Beta({ a: 1, b: 1 }));
  mapData({ data: [1, 2, 3] }, (y) => {
    const k = sample(Bernoulli({ p }));
    const x = sample(Gaussian({ mu: k ? 1 : 0, sigma: 1 }), { guide: Gaussian({ mu: param({ name: 'm' }) * y, sigma: 1 }) });
    observe(Gaussian({ mu: x, sigma: 1 }), y);
  });
};
Optimize(model, { steps: 3 });
`,
  );
  const { code, stdout, stderr } = await waymark.run('run', 'guides.ts', '--explain-guides', '--explain-batching');
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr.replace(/ at [\d/*[\]]+:/g, ' at …:')).toBe(`Guides of the first execution:
  guides.ts:3:13 at …: Beta is guided by an automatic LogitNormal (pathwise)
  guides.ts:5:15 at …: Bernoulli is guided by an automatic Bernoulli (enumeration, since it has few values), 3 times
  guides.ts:6:15 at …: Gaussian is guided by Gaussian (pathwise), 3 times
How Optimize ran:
  mapData at guides.ts:4:3: 3 data side by side
  steps: 1 compiled, 2 with the program run
`);
  expect((await waymark.run('run', 'guides.ts')).stderr).not.toContain('guides.ts');
});

test('arguments of the program', async () => {
  expect((await run('[argv.n, argv.fast, argv._]', '--', '--n', '3', '--fast', 'x')).stdout).toContain('3');
  expect((await runJson('argv', '--', '--n=3', 'x')).json.value).toMatchObject({ n: 3 });
});

test('--timing tells the phases, on stderr', async () => {
  const { stdout, stderr } = await run('1', '--timing');
  expect(stdout).toBe('1\n');
  expect(stderr).toMatch(
    /^compile: [\d.]+ ms, [\d.]+ ms of CPU\nrun: [\d.]+ ms, [\d.]+ ms of CPU\nprint: [\d.]+ ms, [\d.]+ ms of CPU\nthe whole process: [\d.]+ ms of CPU\n$/,
  );
});

describe('recursion', () => {
  test('100,000 calls deep, directly and through map', async () => {
    const { stdout, stderr } = await run(`
      var direct = function(n) { return n === 0 ? 0 : 1 + direct(n - 1); };
      var mapped = function(n) { return n === 0 ? 0 : 1 + sum(map(function(x) { return mapped(x - 1); }, [n])); };
      direct(100000) + mapped(100000)`);
    expect({ stdout, stderr }).toEqual({ stdout: '200000\n', stderr: '' });
  });

  test('100,000 calls deep within an inference', async () => {
    const { stdout } = await run(`
      var count = function(n) { return n === 0 ? 0 : (flip(1) ? 1 : 0) + count(n - 1); };
      Infer({method: 'forward', samples: 1, model() { return count(100000); }}).support()[0]`);
    expect(stdout).toBe('100000\n');
  });

  test('without end is an error', async () => {
    const { code, stdout, stderr } = await run('var f = function(n) { return 1 + f(n + 1); };\nf(0)');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^The recursion is too deep/);
  });
});

describe('streams', () => {
  test('all of a long output arrives', async () => {
    const { stdout } = await run('display(_.range(200000).join(" ")); "end"');
    expect(stdout.length).toBeGreaterThan(1_200_000);
    expect(stdout).toMatch(/199999\n.*end.*\n$/);
  });

  test('a reader that goes away ends the program quietly', async () => {
    waymark.write('endless.js', 'for (;;) console.log("line");\n');
    const child = waymark.start('run', 'endless.js');
    const ended = finished(child);
    await once(child.stdout!, 'data');
    child.stdout!.destroy();
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('Ctrl-C ends a program that computes', async () => {
    waymark.write('busy.js', 'console.log("started");\nfor (let i = 0; ; i++) if (i < 0) break;\n');
    const child = waymark.start('run', 'busy.js');
    const ended = finished(child);
    await once(child.stdout!, 'data');
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: 130, stdout: 'started\n', stderr: '' });
  });

  test.each(['out.json', '-'])('Ctrl-C of a run with --json %s leaves a result that says so', async (json) => {
    waymark.write('busy.js', 'console.error("started");\nfor (let i = 0; ; i++) if (i < 0) break;\n');
    const child = waymark.start('run', 'busy.js', '--json', json);
    const ended = finished(child);
    await once(child.stderr!, 'data');
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 130, stderr: 'started\nThe run was interrupted.\n' });
    const result = json === '-' ? stdout : readFileSync(join(waymark.folder, json), 'utf8');
    expect(JSON.parse(result)).toEqual({
      ok: false,
      error: { message: 'The run was interrupted.', file: 'busy.js', line: null, column: null },
    });
  });

  test('a program may set its own exit code', async () => {
    waymark.write('exit.js', 'console.log("bye");\nprocess.exit(3);\n');
    expect(await waymark.run('run', 'exit.js')).toEqual({ code: 3, stdout: 'bye\n', stderr: '' });
  });
});
