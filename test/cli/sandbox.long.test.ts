/** `waymark run --sandbox`: programs that try to get out of it. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Command } from './command.ts';

let waymark: Command;
/** Beside the program's folder: out of bounds. */
let outside: string;
let secret: string;

beforeAll(() => {
  waymark = new Command('sandbox');
  outside = mkdtempSync(join(tmpdir(), 'waymark-outside-'));
  secret = join(outside, 'secret.txt');
  writeFileSync(secret, 'hidden');
});

afterAll(() => {
  waymark.remove();
  rmSync(outside, { recursive: true });
});

const run = (file: string, ...args: string[]) =>
  waymark.run('run', file, '--sandbox', '--seed', '1', '--quiet', ...args);

/** Each gives something if it gets out, and throws if it does not. `S` is the path of the secret, `O` its folder. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  'reads a file': 'fs.readFileSync(S)',
  'reads by a path that goes up': `fs.readFileSync(import.meta.dirname + '/../' + S)`,
  'reads by bytes of a path': 'fs.readFileSync(Buffer.from(S))',
  'opens a file': 'fs.openSync(S)',
  'looks at a file': 'fs.statSync(S)',
  'lists a folder': 'fs.readdirSync(O)',
  'reads later': 'await fs.promises.readFile(S)',
  'makes a link to it': `fs.symlinkSync(S, F + '/link') ?? fs.readFileSync(F + '/link')`,
  'copies it': `fs.copyFileSync(S, F + '/copy')`,
  'writes beside the program': `fs.writeFileSync(F + '/written', '') ?? 'written'`,
  'writes elsewhere': `fs.writeFileSync(O + '/written', '') ?? 'written'`,
  'removes a file': `fs.rmSync(S) ?? 'removed'`,
  'removes itself': `fs.rmSync(F + '/attempt.mjs') ?? 'removed'`,
  'starts a process': `require('child_process').execSync('cat ' + S)`,
  'starts another Node': `require('child_process').fork(F + '/attempt.mjs')`,
  'starts a worker of a cluster': `require('cluster').fork()`,
  'starts a thread without limits': `new Worker('', {eval: true, execArgv: []})`,
  'has hooks in a thread without limits': `require('module').register('data:text/javascript,0') ?? 'registered'`,
  'inspects the main thread': `new (require('inspector').Session)().connectToMainThread() ?? 'connected'`,
  'inspects its own thread': `new (require('inspector').Session)().connect() ?? 'connected'`,
  'uses what Node keeps to itself': `process.binding('spawn_sync')`,
  'loads native code': `process.dlopen({exports: {}}, F + '/x.node') ?? 'loaded'`,
  'writes a report': `process.report.writeReport(O + '/report.json')`,
  'reads a report': `process.report.getReport().environmentVariables`,
  'writes its heap when it is full': `require('v8').setHeapSnapshotNearHeapLimit(1) ?? 'set'`,
  'has reports written of failures': `(process.report.reportOnFatalError = true)`,
  'has reports written elsewhere': `(process.report.directory = O)`,
  'changes the times of a file that it may read': `(await (await fs.promises.open(F + '/attempt.mjs')).utimes(1, 1)) ?? 'changed'`,
  'slows another process down': `require('os').setPriority(process.ppid, 1) ?? 'slowed'`,
  'writes its heap': `require('v8').writeHeapSnapshot(O + '/heap')`,
  'opens a database': `new (require('node:sqlite').DatabaseSync)(O + '/db')`,
  'has a system interface': `new (require('wasi').WASI)({version: 'preview1', preopens: {'/': '/'}})`,
  'signals another process': 'process.kill(process.ppid, 0)',
  'signals it in another way': 'process._kill(process.ppid, 0)',
  'changes V8': `require('v8').setFlagsFromString('--allow-natives-syntax') ?? 'changed'`,
  'changes V8 by an import': `(await import('node:v8')).setFlagsFromString('--allow-natives-syntax') ?? 'changed'`,
  'changes V8 through Waymark': `optimising.after('1 --allow-natives-syntax', () => {}) ?? (0, eval)('%DebugPrint(0)')`,
  'gives itself permissions': `process.permission = {has: () => true}, fs.readFileSync(S)`,
  'reads the environment': `process.env.WAYMARK_TEST_SECRET ?? fs.readFileSync('/proc/self/environ')`,
};

describe('a program that', () => {
  test('tries all ways out finds none', async () => {
    const attempts = Object.entries(ATTEMPTS).map(
      ([name, code]) =>
        `try { found[${JSON.stringify(name)}] = String(${code}); } catch (error) { refused.push(error.code ?? error.message); }`,
    );
    waymark.write(
      'attempt.mjs',
      `import fs from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
const require = createRequire(import.meta.url);
const [S, O, F] = [${JSON.stringify(secret)}, ${JSON.stringify(outside)}, ${JSON.stringify(waymark.folder)}];
const B = ${JSON.stringify(join(waymark.home, 'dist'))};
const found = {};
const refused = [];
const library = await import(B + '/' + fs.readdirSync(B).find((name) => /^library-[^.]+[.]js$/.test(name)));
const optimising = Object.values(library).find((one) => one?.looping);
if (!optimising) throw new Error('The build has another form.');
${attempts.join('\n')}
export const results = { found, refused };
`,
    );
    waymark.write('escape.js', "import { results } from './attempt.mjs';\nexport default results;\n");
    process.env.WAYMARK_TEST_SECRET = 'hidden';
    const { code, stderr } = await run('escape.js', '--json', 'found.json');
    delete process.env.WAYMARK_TEST_SECRET;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { value } = JSON.parse(readFileSync(join(waymark.folder, 'found.json'), 'utf8'));
    expect(value.found).toEqual({});
    expect(value.refused).toHaveLength(Object.keys(ATTEMPTS).length);
    expect(readdirSync(outside)).toEqual(['secret.txt']);
    expect(readFileSync(secret, 'utf8')).toBe('hidden');
    expect(existsSync(join(waymark.folder, 'attempt.mjs'))).toBe(true);
  });

  test('does the same without a sandbox succeeds: the attempts are real', async () => {
    waymark.write(
      'plain.js',
      `import fs from 'node:fs';\nexport default fs.readFileSync(${JSON.stringify(secret)}, 'utf8');\n`,
    );
    expect(await waymark.run('run', 'plain.js')).toEqual({ code: 0, stdout: 'hidden\n', stderr: '' });
    expect((await run('plain.js')).code).toBe(1);
  });

  test('loads data from elsewhere is told why not, unless they are named', async () => {
    writeFileSync(join(outside, 'data.json'), '[1, 2]');
    waymark.write('data.wppl', `sum(loadData(${JSON.stringify(join(outside, 'data.json'))}))`);
    expect((await run('data.wppl')).stderr).toMatch(/^loadData cannot read .*: the sandbox does not allow to read /);
    expect(await run('data.wppl', '--allow-read', outside)).toEqual({ code: 0, stdout: '3\n', stderr: '' });
    expect((await run('data.wppl', '--allow-read', join(outside, 'data.json'))).stdout).toBe('3\n');
    rmSync(join(outside, 'data.json'));
  });
});

describe('a program in a sandbox', () => {
  test('computes as others do: deep recursion, data, gradients, parameters, JSON', async () => {
    waymark.write('numbers.json', '[1, 2]');
    waymark.write(
      'usual.wppl',
      `var depth = function(n) { return n === 0 ? 0 : 1 + depth(n - 1); };
var model = function() { factor(-0.5 * modelParam({name: 'a', mu: 10, sigma: 0})); };
Optimize(model, {steps: 1, optMethod: {sgd: {stepSize: 1}}});
[depth(50000), sum(loadData('numbers.json')), T.get(getParams().a, 0), expectation(Infer({model() { return flip(0.5) + 0; }}))]`,
    );
    mkdirSync(join(waymark.folder, 'out'));
    const names = () => readdirSync(join(waymark.folder, 'out')).sort();
    for (const [value, expected] of [
      [9.5, '[50000, 3, 9.5, 0.5]\n'],
      [9, '[50000, 3, 9, 0.5]\n'],
    ] as const) {
      const ended = await run('usual.wppl', '--json', 'out/o.json', '--params', 'out/p.json');
      expect(ended).toEqual({ code: 0, stdout: expected, stderr: '' });
      expect(JSON.parse(readFileSync(join(waymark.folder, 'out/p.json'), 'utf8')).a.data).toEqual([value]);
      expect(names()).toEqual(['o.json', 'p.json']);
    }
    // What was learned before a failure is kept beside the file, as ever.
    waymark.write('fails.wppl', `setParams({a: 7}); null.x`);
    const { stderr } = await run('fails.wppl', '--params', 'out/p.json');
    expect(stderr).toContain('The parameters as they were then are in out/p.unfinished.json.');
    expect(names()).toEqual(['o.json', 'p.json', 'p.unfinished.json']);
  });

  test('draws charts, which load nothing, on a page that runs nothing of the program', async () => {
    const drawing = waymark.write('draws.wppl', "viz([1, 2, 2]); display('<script>alert(1)</script>'); flip(0.5)");
    const place = (name: string): string => join(waymark.folder, name);
    const { code } = await run(drawing, '--html', place('page.html'), '--svg', place('charts'));
    expect(code).toBe(0);
    const page = readFileSync(place('page.html'), 'utf8');
    expect(page).toContain('<svg');
    expect(page).toContain('&lt;script&gt;alert(1)');
    expect(readdirSync(place('charts'))).toEqual(['01-chart.svg']);
    const table = join(outside, 'table.csv');
    writeFileSync(table, 'a\nnobody-sees-this\n');
    const spec = { data: { url: table }, mark: 'bar', encoding: { x: { field: 'a', type: 'nominal' } } };
    const chart = (data: object): string => JSON.stringify({ kind: 'chart', text: '', spec: { ...spec, data } });
    const both = `display(${chart({ values: [{ a: 'everybody' }] })}); display(${chart(spec.data)}); 1`;
    await run(waymark.write('reads.wppl', both), '--html', place('read.html'));
    const drawn = readFileSync(place('read.html'), 'utf8');
    expect(drawn).toContain('everybody');
    expect(drawn).not.toContain('nobody-sees-this');
    rmSync(table);
  });

  test('that comes from stdin reads nothing but what is named', async () => {
    waymark.write('numbers.json', '[1, 2]');
    const sum = (...args: string[]) =>
      waymark.feed(`sum(loadData('numbers.json'))`, 'run', '-', '--sandbox', '--quiet', ...args);
    expect((await sum()).stderr).toMatch(/^loadData cannot read .*: the sandbox does not allow to read /);
    expect(await sum('--allow-read', 'numbers.json')).toEqual({ code: 0, stdout: '3\n', stderr: '' });
  });

  test('writes checkpoints where it may', async () => {
    const code = `Optimize(function() { factor(-modelParam({name: 'a'})); }, {steps: 2, checkpoint: ${JSON.stringify(join(outside, 'c'))}}); 1`;
    waymark.write('checkpoint.wppl', code);
    expect(await run('checkpoint.wppl', '--allow-write', outside)).toEqual({ code: 0, stdout: '1\n', stderr: '' });
    expect(readdirSync(outside).sort()).toEqual(['c', 'secret.txt']);
    rmSync(join(outside, 'c'));
  });

  test('has no link that leads out', async () => {
    const folder = join(waymark.folder, 'linked');
    mkdirSync(folder);
    waymark.write('linked/p.wppl', '1');
    symlinkSync(secret, join(folder, 'notes.txt'));
    const { stderr } = await run('linked/p.wppl');
    expect(stderr).toMatch(
      /^--sandbox: .*notes.txt is a link to .*secret.txt, which the program may not read\. Remove/,
    );
    expect((await run('linked/p.wppl', '--allow-read', outside)).stdout).toBe('1\n');
  });

  test.each([
    [['--allow-read', 'x'], '--allow-read is for programs in a --sandbox.\n'],
    [['--sandbox', '--allow-read', 'nowhere'], '--allow-read: there is no file or folder nowhere.\n'],
    [['--sandbox', '--allow-write', 'nowhere'], '--allow-write: there is no folder nowhere.\n'],
    [['--sandbox', '--watch'], '--sandbox and --watch: a program in a sandbox runs once.\n'],
    [['--sandbox', '--ranks', '2'], '--sandbox is for a program that runs alone: leave out --ranks.\n'],
    [['--sandbox', '--threads', '2'], '--sandbox and --threads: a program in a sandbox has one thread.\n'],
  ])('is not started with %j', async (args, stderr) => {
    waymark.write('one.wppl', '1');
    expect(await waymark.run('run', 'one.wppl', ...args)).toEqual({ code: 1, stdout: '', stderr });
  });
});
