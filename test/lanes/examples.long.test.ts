import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runProgram, type Told } from '../optimize/run-optimize.ts';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const paper = join(examples, 'paper');
const programsIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.wppl'));

/** Networks compute in double precision here, so that both ways round alike. */
const engine = (sequential: boolean) => ({ sequential, explainBatching: true, precision: 'double' as const });

const close = (a: number, b: number): boolean =>
  Object.is(a, b) || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

const STEPS = 3;

/** How all listings that optimise call for it. */
const OPTIMISES = '{steps: argv.steps';
const textOf = (file: string): string => readFileSync(join(paper, file), 'utf8');

/** Runs a listing for a few steps. */
async function listing(file: string, sequential: boolean): Promise<Told & { history: number[] }> {
  const watched = textOf(file).replace(
    OPTIMISES,
    '{onFinish: function(r) { globalStore.history = r.history; }, steps: argv.steps',
  );
  const told = await runProgram(`${watched};\nglobalStore.history`, {
    folder: paper,
    args: ['--steps', String(STEPS)],
    engine: engine(sequential),
  });
  return { ...told, history: told.value as number[] };
}

describe('the listings of the paper run side by side as one by one', () => {
  test.each(programsIn(paper).filter((file) => textOf(file).includes(OPTIMISES)))('%s', async (file) => {
    const together = await listing(file, false);
    const apart = await listing(file, true);
    expect(together.history).toHaveLength(apart.history.length);
    together.history.forEach((objective, i) => {
      expect(close(objective, apart.history[i]), `step ${i}: ${objective} and ${apart.history[i]}`).toBe(true);
    });
    const explanation = together.warnings.filter((warning) => warning.startsWith('How Optimize ran')).join('\n');
    expect(explanation).not.toBe('');
    expect(explanation).not.toContain('one by one');
    expect(explanation).toMatch(/steps: [1-9]\d* compiled/);
  });
});

/** All numbers in what a program prints and is worth. */
const numbersIn = ({ texts, value }: Told): number[] =>
  [...texts, JSON.stringify(value) ?? ''].flatMap((text) =>
    (text.match(/-?\d+(\.\d+)?(e[+-]?\d+)?/g) ?? []).map(Number),
  );

describe('the examples give the same side by side and one by one', () => {
  test.each(programsIn(examples))('%s', async (file) => {
    const code = readFileSync(join(examples, file), 'utf8');
    const [together, apart] = [false, true].map(async (sequential) =>
      numbersIn(await runProgram(code, { folder: examples, engine: engine(sequential) })),
    );
    const expected = await apart;
    const found = await together;
    expect(found).toHaveLength(expected.length);
    expect(found.length).toBeGreaterThan(0);
    found.forEach((number, i) => {
      // What is printed is rounded.
      expect(Math.abs(number - expected[i])).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(expected[i])));
    });
  });
});
