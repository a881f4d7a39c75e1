/** What a run leaves besides its output, and where programs and results come from and go to. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from './built.ts';
import { Command, finished } from './command.ts';

let waymark: Command;

beforeAll(() => {
  waymark = new Command('pictures');
});

afterAll(() => waymark.remove());

const place = (name: string): string => join(waymark.folder, name);
const read = (name: string): string => readFileSync(place(name), 'utf8');

describe('pictures', () => {
  const PROGRAM = `viz(['a', 'b', 'a'], {title: 'Letters'});
Optimize({model: function() { return gaussian(0, 1); }, steps: 20, verbose: false});
Infer({method: 'MCMC', samples: 50, model: function() { return gaussian(0, 1); }})`;

  test('--html writes a page, --svg the charts, and the terminal has text', async () => {
    const file = waymark.write('draws.wppl', PROGRAM);
    const { code, stdout } = await waymark.run('run', file, '--seed', '1', '--html', 'p.html', '--svg', 'charts');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Letters\n {2}"a"/);
    const page = read('p.html');
    for (const word of ['draws.wppl', 'Run with seed 1.', 'Letters', 'ELBO by step', 'Traces', '50 samples']) {
      expect([word, page.includes(word)]).toEqual([word, true]);
    }
    expect(readdirSync(place('charts'))).toEqual([
      ...['01-letters.svg', '02-posterior.svg', '03-forest.svg', '04-trace.svg', '05-elbo-curve.svg'],
    ]);
  });

  test('a failure is on the page too', async () => {
    const { code } = await waymark.run('run', waymark.write('fails.wppl', 'display(1);\nnull.x'), '--html', 'f.html');
    expect(code).toBe(1);
    expect(read('f.html').includes('Cannot read properties of null')).toBe(true);
  });

  test('what cannot be is said before anything runs', async () => {
    const file = waymark.write('draws.wppl', PROGRAM);
    expect((await waymark.run('run', file, '--html', 'no/p.html')).stderr).toBe(
      '--html no/p.html cannot be written: there is no folder no.\n',
    );
  });
});

describe('stdin and stdout', () => {
  test('run - takes the program from stdin, a module if it is one', async () => {
    expect(await waymark.feed('var x = 20;\nx + 1', 'run', '-')).toEqual({ code: 0, stdout: '21\n', stderr: '' });
    const module = "import { sum } from 'waymark';\nconst xs: number[] = [1, 2];\nexport default sum(xs);\n";
    expect(await waymark.feed(module, 'run', '-')).toEqual({ code: 0, stdout: '3\n', stderr: '' });
    const { code, stderr } = await waymark.feed('1 +', 'run', '-');
    expect(code).toBe(1);
    expect(stderr).toContain('stdin.wppl:1:');
  });

  test('--json - writes the result alone to stdout', async () => {
    const file = waymark.write('says.wppl', "display('shown'); console.log('logged'); 3");
    const { code, stdout, stderr } = await waymark.run('run', file, '--json', '-');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ ok: true, value: 3, outputs: ['shown'] });
    expect(stderr).toBe('logged\n');
    const failed = await waymark.run('run', waymark.write('fails.wppl', 'null.x'), '--json', '-', '--sandbox');
    expect(JSON.parse(failed.stdout)).toMatchObject({ ok: false, error: { file: 'fails.wppl', line: 1 } });
  });

  test('what is drawn is written as data', async () => {
    const code =
      "viz(['a', 'b']); viz(Infer({method: 'enumerate', model() { return flip(0.25); }})); viz.scatter([1, 2], [3, 4])";
    const { stdout } = await waymark.feed(code, 'run', '-', '--json', '-');
    expect(JSON.parse(stdout).outputs).toEqual([
      ['a', 'b'],
      {
        dist: 'Marginal',
        support: [true, false],
        probs: [expect.closeTo(0.25, 12), expect.closeTo(0.75, 12)],
        logZ: expect.closeTo(0, 12),
      },
      [
        [1, 2],
        [3, 4],
      ],
    ]);
  });
});

describe('colour', () => {
  const ESCAPE = '\u001b[';

  test.each([
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [{}, false],
  ])('with %j', async (env, coloured) => {
    const file = waymark.write(
      'mixed.wppl',
      "display(Infer({method: 'enumerate', model: function() { return flip(); }})); nul",
    );
    const { stdout, stderr } = await waymark.with(env).run('run', file);
    expect([stdout.includes(ESCAPE), stderr.includes(ESCAPE)]).toEqual([coloured && stdout !== '', coloured]);
    expect(stderr.replaceAll(new RegExp(`${ESCAPE.replace('[', '\\[')}\\d+m`, 'g'), '')).toContain(
      'nul is not defined.',
    );
  });
});

describe('--watch', () => {
  test('runs again when the program or its data change', async () => {
    waymark.write('numbers.json', '[1, 2]');
    const file = waymark.write('watched.wppl', "sum(loadData('numbers.json'))");
    const child = waymark.start('run', file, '--watch');
    const ended = finished(child);
    let text = '';
    child.stdout?.on('data', (part) => {
      text += part;
    });
    let told = '';
    child.stderr?.on('data', (part) => {
      told += part;
    });
    const until = async (holds: () => boolean): Promise<void> => {
      while (!holds()) await once(child.stderr!, 'data');
    };
    await until(() => told.includes('Watching 2 files'));
    expect(text).toBe('3\n');
    told = '';
    waymark.write('numbers.json', '[10, 20, 30]');
    await until(() => told.includes('Watching'));
    expect(told).toContain('numbers.json has changed');
    expect(text).toBe('3\n60\n');
    told = '';
    waymark.write('watched.wppl', "null.x + sum(loadData('numbers.json'))");
    await until(() => told.includes('Watching'));
    expect(told).toContain('Cannot read properties of null');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
  });
});

describe('Ctrl-C during Optimize without --params', () => {
  const long = (options: string): string => `
var model = function() { factor(-modelParam({name: 'a', mu: 1e9, sigma: 0})); };
Optimize(model, {steps: 1e9, optMethod: {sgd: {stepSize: 1}}, onStep: function(i) { if (i === 2) { display('going'); } }${options}})`;

  async function interrupted(code: string) {
    const child = waymark.start('run', waymark.write('long.wppl', code), '--seed', '1');
    const ended = finished(child);
    await once(child.stdout!, 'data');
    child.kill('SIGINT');
    return ended;
  }

  test('keeps the parameters beside', async () => {
    const { code, stderr } = await interrupted(long(''));
    expect(code).toBe(130);
    expect(stderr).toBe(
      'The run was interrupted.\nThe parameters as they were then are in long.unfinished.params: go on from them with --params long.unfinished.params.\n',
    );
    const next = await waymark.feed("param({name: 'a'}).data[0]", 'run', '-', '--params', 'long.unfinished.params');
    expect(Number(next.stdout)).toBeLessThan(1e9);
  });

  test('writes the checkpoint, which can be gone on from', async () => {
    rmSync(place('long.unfinished.params'), { force: true });
    const { code, stderr } = await interrupted(long(", checkpoint: {file: 'long.checkpoint', every: 1e8}"));
    expect(code).toBe(130);
    expect(stderr).toMatch(
      /^The run was interrupted\.\nThe optimisation as it was after step \d+ is in long\.checkpoint: go on with it by --resume\.\n$/,
    );
    expect(existsSync(place('long.unfinished.params'))).toBe(false);
    expect(existsSync(place('long.checkpoint'))).toBe(true);
  });
});

describe('check', () => {
  test('reports type errors where TypeScript is installed', async () => {
    mkdirSync(place('typed/node_modules'), { recursive: true });
    symlinkSync(join(root, 'node_modules/typescript'), place('typed/node_modules/typescript'));
    writeFileSync(place('typed/wrong.ts'), "const n: number = 'text';\nexport default n;\n");
    writeFileSync(place('typed/right.ts'), 'const n: number = 3;\nexport default n;\n');
    const { code, stderr } = await waymark.run('check', 'typed/wrong.ts', 'typed/right.ts');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Type 'string' is not assignable to type 'number'\. \(TS2322\)\n\ntyped\/wrong\.ts:1:7\n/);
    expect(stderr).not.toContain('right.ts');
    const silent = { code: 0, stdout: '', stderr: '' };
    expect(await waymark.run('check', 'typed/wrong.ts', '--no-types')).toEqual(silent);
    expect(await waymark.run('check', 'typed/right.ts')).toEqual(silent);
    // A project's own settings are in force.
    writeFileSync(place('typed/tsconfig.json'), '{"compilerOptions": {"noUnusedLocals": true}}');
    writeFileSync(place('typed/right.ts'), 'const n: number = 3;\nexport default 4;\n');
    expect((await waymark.run('check', 'typed/right.ts')).stderr).toContain("'n' is declared but");
  });
});

describe('init', () => {
  test('makes a project whose model runs and whose test passes', async () => {
    const { code, stdout } = await waymark.run('init', 'Mein Modell');
    expect(code).toBe(0);
    expect(stdout).toContain('npm install\n');
    const folder = place('Mein Modell');
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name).toBe('mein-modell');
    // As npm would install it.
    const installed = join(folder, 'node_modules/waymark');
    mkdirSync(installed, { recursive: true });
    for (const name of ['bin', 'dist']) symlinkSync(join(waymark.home, name), join(installed, name));
    symlinkSync(join(root, 'package.json'), join(installed, 'package.json'));
    const project = waymark.within(folder);
    const ran = await project.run('run', 'model.ts', '--seed', '1');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/slope +1\.0|slope +0\.9/);
    const tested = await project.node('--test');
    expect(tested.stdout).toMatch(/# pass 1\n# fail 0/);
    expect((await waymark.run('init', 'Mein Modell')).stderr).toBe(
      'Mein Modell/package.json is there already. Give a new folder: waymark init my-model.\n',
    );
  });
});
