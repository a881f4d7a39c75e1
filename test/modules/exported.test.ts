import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { typeOf } from '../../src/cli/export/type-text.ts';
import { around, programText } from '../../src/cli/export/worker-export.ts';
import { type ExportedProgram, start } from '../../src/modules/exported.ts';
import { loadProgram } from '../../src/program/load.ts';
import { run } from '../../src/program/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'waymark-exported-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PRIOR = `import { gaussian } from 'waymark';
  export const prior = () => gaussian(0, 2);`;

/** Control flow, a module of its own, and data of any length. */
const MODEL = `import { flip, Gaussian, map, observe } from 'waymark';
  import { prior } from './prior.ts';
  export default (ys: number[]) => {
    const mu = prior();
    const other = flip(0.3) ? prior() : undefined;
    map((y) => observe(Gaussian({ mu: other ?? mu, sigma: 1 }), y), ys);
    return { mu, two: other !== undefined };
  };`;

test('a program and a network, written down, give what they give here', async () => {
  writeFileSync(join(folder, 'prior.ts'), PRIOR);
  writeFileSync(join(folder, 'model.ts'), MODEL);
  const code = `import { Amortize, withSeed } from 'waymark';
    import model from './model.ts';
    const net = Amortize(model, { example: [0, 1], steps: 10, samples: 64, verbose: false });
    net.save('model.net');
    const loaded = Amortize.load('model.net', model);
    export default withSeed(5, () => loaded.posterior([1, 2, 3], { samples: 50 }));`;
  const { value } = await run(code, { file: join(folder, 'train.ts'), seed: 1, warn() {} });
  const expected = value as { samples: { value: unknown }[]; diagnostics: { ess: number } };

  const program = await loadProgram({ code: around('model.ts'), file: join(folder, 'exported.ts'), language: 'ts' });
  const net = readFileSync(join(folder, 'model.net')).toString('base64');
  // biome-ignore lint/security/noGlobalEval: what is tested is a text
  const written = globalThis.eval(`({${programText(program)}})`) as ExportedProgram;
  const { posterior, posteriors } = start({ ...written, net });
  const found = posterior([1, 2, 3], { samples: 50, seed: 5 });
  expect(found.samples).toEqual(expected.samples.map((sample) => sample.value));
  expect(found.ess).toBe(expected.diagnostics.ess);
  expect(found.weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 10);
  expect(found.summary).toMatchObject({ mu: { mean: expect.any(Number) } });
  const both = posteriors([[1, 2, 3], []], { samples: 50, seed: 5 });
  expect(both[0]).toEqual(found);
  expect(both[1].samples).toHaveLength(50);
  expect(() => posterior([1], { samples: 0 })).toThrow('samples must be');
});

describe('types of values', () => {
  test.each([
    [1, 'number'],
    [[1, 2], 'number[]'],
    [[], 'unknown[]'],
    [[1, 'a'], '(number | string)[]'],
    [[[true]], 'boolean[][]'],
    [{ x: 1, 'a b': ['s'] }, '{ "x": number; "a b": string[] }'],
    [[{ x: 1 }], '{ "x": number }[]'],
    [{}, 'Record<string, never>'],
    [new Map(), 'unknown'],
    [undefined, 'unknown'],
    [null, 'null'],
    [[{ x: 1 }, { y: 1 }], '({ "x": number } | { "y": number })[]'],
  ])('%j', (value, text) => {
    expect(typeOf(value)).toBe(text);
  });
});
