import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runProgram } from './run-optimize.ts';

const folder = fileURLToPath(new URL('../../examples/paper', import.meta.url));
const FILES = readdirSync(folder).filter((name) => name.endsWith('.wppl'));

/** How many steps tell that the objective rises; others are run for just two. */
const ENOUGH: Readonly<Record<string, number>> = {
  'one-latent.wppl': 300,
  'neural-guide.wppl': 300,
  'network-guide.wppl': 300,
  'data.wppl': 60,
  'maximum-likelihood.wppl': 60,
  'regularised.wppl': 60,
  'variational-bayes.wppl': 60,
  'continuous-latent.wppl': 60,
  'discrete-latent.wppl': 60,
  'two-latents-independent.wppl': 60,
  'two-latents-dependent.wppl': 60,
  'mixture-marginalised.wppl': 60,
  'dependency-graph.wppl': 60,
  'vae.wppl': 20,
  'sbn.wppl': 20,
};

/** This one has a network for each document and a guide for each of its words. */
const SLOW = 'lda-document-guide.wppl';

/** The objectives of the steps that a listing takes. */
async function historyOf(file: string, steps: number): Promise<number[]> {
  const code = readFileSync(join(folder, file), 'utf8');
  // The call ends every listing, and none has a callback.
  const watched = code.replace(
    '{steps: argv.steps',
    '{onFinish: function(r) { globalStore.history = r.history; }, steps: argv.steps',
  );
  expect(watched).not.toBe(code);
  const { value } = await runProgram(`${watched};\nglobalStore.history`, { folder, args: ['--steps', String(steps)] });
  return value as number[];
}

const mean = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0) / xs.length;

describe('the listings of the paper', () => {
  test.each(FILES.filter((file) => file !== 'guided-flip.wppl'))('%s', async (file) => {
    const steps = ENOUGH[file] ?? (file === SLOW ? 1 : 2);
    const history = await historyOf(file, steps);
    expect(history).toHaveLength(steps);
    expect(history.every(Number.isFinite)).toBe(true);
    if (file in ENOUGH) expect(mean(history.slice(-steps / 3))).toBeGreaterThan(mean(history.slice(0, steps / 3)));
  });

  test('guided-flip.wppl', async () => {
    const { value } = await runProgram(readFileSync(join(folder, 'guided-flip.wppl'), 'utf8'), { folder });
    // Given x, y has density exp(−(y − μ)² / 2): the posterior in closed form, and the error of 1000 draws.
    const [yes, no] = [0.75 * Math.exp(-(1.5 ** 2) / 2), 0.25 * Math.exp(-(0.5 ** 2) / 2)];
    const p = Math.exp((value as { score(v: boolean): number }).score(true));
    expect(Math.abs(p - yes / (yes + no))).toBeLessThan(4 * Math.sqrt(0.25 / 1000));
  });
});
