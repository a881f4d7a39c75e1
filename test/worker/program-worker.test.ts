import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import { ProgramWorker, WorkerError } from '../../src/worker/index.ts';

const file = fileURLToPath(new URL('../../dist/program-worker.js', import.meta.url));
const worker = new ProgramWorker(() => new Worker(file));
afterAll(() => worker.stop());

const OPTIMIZE = `
var model = function() { var m = gaussian(0, 1); observe(Gaussian({mu: m, sigma: 1}), 2); return m; };
Optimize({model: model, steps: 400, verbose: false});
display('done');
param({name: 'p'});
`;

describe('a worker for programs', () => {
  test('gives the value, its text and what was displayed', async () => {
    const seen: string[] = [];
    const result = await worker.run('display("a"); display(2); Infer({model: function() { return flip(0.25); }})', {
      onOutput: ({ text }) => seen.push(text),
    });
    expect(seen).toEqual(['a', '2']);
    expect(result.outputs.map(({ value }) => value)).toEqual(['a', 2]);
    expect(result.value).toMatchObject({ dist: 'Marginal', support: [true, false], probs: [0.25, 0.75] });
    expect(result.text).toContain('0.7500');
  });

  test('draws by the seed, and takes data and parameters', async () => {
    const draw = (seed: number) => worker.run('repeat(3, function() { return uniform(0, 1); })', { seed });
    expect((await draw(1)).value).toEqual((await draw(1)).value);
    expect((await draw(1)).value).not.toEqual((await draw(2)).value);
    expect((await worker.run('loadData("a.csv")[0].x', { files: { 'a.csv': 'x,y\n3,4' } })).value).toBe(3);
    const { params } = await worker.run('param({name: "p"})', { params: { p: 7 } });
    expect(params.p).toEqual({ dims: [1], data: Float64Array.of(7) });
  });

  test('tells how an optimisation goes on', async () => {
    const labels = new Set<string>();
    const points: number[] = [];
    const { outputs } = await worker.run(OPTIMIZE, {
      seed: 1,
      onProgress({ label, trace }) {
        labels.add(label);
        for (const [done] of trace?.points ?? []) points.push(done);
      },
    });
    expect(outputs.map(({ text }) => text)).toEqual(['done']);
    expect([...labels]).toEqual(['Optimize']);
    expect(points.length).toBeGreaterThan(0);
    expect(points).toEqual([...new Set(points)].sort((a, b) => a - b));
  });

  test('says where a program fails', async () => {
    const failure = (code: string) => worker.run(code).catch((error: WorkerError) => error) as Promise<WorkerError>;
    expect(await failure('var x = 1;\nvar y = nope(3);')).toMatchObject({ line: 2, column: 9, file: 'program.wppl' });
    const thrown = await failure('var f = function(x) {\n  return x.a.b;\n};\nf(3)');
    expect(thrown).toBeInstanceOf(WorkerError);
    expect(thrown).toMatchObject({ line: 2, column: 14 });
    expect(thrown.report).toContain('Calls in progress');
  });

  test('is stopped in an endless loop, and runs the next program', async () => {
    const loop = 'var f = function(n) { return f(n + 1); }; display("begins"); f(0)';
    const controller = new AbortController();
    const running = worker.run(loop, { signal: controller.signal, onOutput: () => controller.abort('enough') });
    const waiting = worker.run('1 + 1');
    await expect(running).rejects.toBe('enough');
    expect((await waiting).value).toBe(2);
    const stopped = worker.run(loop, { onOutput: () => worker.stop() });
    await expect(stopped).rejects.toThrow('The worker was stopped.');
    expect((await worker.run('2 + 2')).value).toBe(4);
  });

  test('a thread that ends by itself is an error, and another is started', async () => {
    await expect(worker.run('_top.process.exit(3)')).rejects.toThrow('The thread ended.');
    expect((await worker.run('3')).value).toBe(3);
  });

  test('a signal that was given too late, or before, is heard', async () => {
    await expect(worker.run('1', { signal: AbortSignal.abort('no') })).rejects.toBe('no');
    const controller = new AbortController();
    const first = worker.run('1');
    const second = worker.run('2', { signal: controller.signal });
    controller.abort('not this one');
    await expect(second).rejects.toBe('not this one');
    expect((await first).value).toBe(1);
  });
});
