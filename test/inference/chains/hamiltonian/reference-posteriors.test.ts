/**
 * Posteriors against reference draws (posteriordb: 10,000 draws each), for two small models. `npm run posteriors` does
 * the same for nine of them, with the data of all.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Posterior } from '../../../../src/inference/algorithm.ts';
import { componentsOf } from '../../../../src/inference/diagnostics/components.ts';
import type { Convergence } from '../../../../src/inference/diagnostics/convergence.ts';
import { runProgram } from './programs.ts';

interface Reference {
  mean: number;
  sd: number;
}

/** Each mean within four Monte Carlo standard errors, each standard deviation within a tenth. */
function expectAgreement(posterior: Posterior<unknown>, reference: Record<string, Reference>): void {
  const draws = posterior.samples!.map(({ value }) => componentsOf(value));
  const { convergence } = posterior.diagnostics as { convergence: Record<string, Convergence> };
  for (const [name, truth] of Object.entries(reference)) {
    const values = draws.map((draw) => draw.get(name) as number);
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    const sd = Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (values.length - 1));
    const error = Math.sqrt(sd ** 2 / convergence[name].bulkEss + truth.sd ** 2 / 10_000);
    expect(Math.abs(mean - truth.mean), `mean of ${name}`).toBeLessThan(4 * error);
    expect(Math.abs(sd / truth.sd - 1), `sd of ${name}`).toBeLessThan(0.1);
    expect(convergence[name].rhat).toBeLessThan(1.01);
  }
}

const folder = new URL('../../../../experiments/posteriors/', import.meta.url);

/** The program of a posterior with its data in place of the file. */
function programWith(name: string, data: object): string {
  const text = readFileSync(new URL(`${name}.wppl`, folder), 'utf8');
  const reading = 'const { data } = loadData(argv.data);';
  expect(text).toContain(reading);
  return text
    .replace(reading, `const data = ${JSON.stringify(data)};`)
    .replace(/\(\{ draws: [^\n]*\n$/, 'posterior;\n');
}

describe('reference posteriors', () => {
  test('eight schools', async () => {
    const data = { J: 8, y: [28, 8, -3, 7, -1, 1, 18, 12], sigma: [15, 10, 16, 11, 9, 11, 10, 18] };
    const { value } = await runProgram(programWith('eight-schools', data), 1);
    expectAgreement(value, {
      'theta[0]': { mean: 6.1505, sd: 5.61586 },
      mu: { mean: 4.41052, sd: 3.3093 },
      tau: { mean: 3.60206, sd: 3.19848 },
    });
  });

  test('mesquite', async () => {
    const data = {
      N: 46,
      canopy_height: [
        1, 1.33, 0.6, 1.2, 1.05, 1, 0.9, 1.3, 0.6, 0.8, 0.6, 0.95, 1.2, 0.7, 1.2, 1.1, 0.64, 1.2, 1.2, 1.3, 1, 0.9, 1,
        0.5, 0.9, 0.6, 1.4, 2.5, 1.4, 1.3, 1.1, 1.5, 0.8, 1.1, 1.3, 0.85, 1.5, 1.2, 1.15, 1.5, 0.7, 1.9, 1.5, 1.5, 1.5,
        0.62,
      ],
      density: [
        1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 5, 9, 1, 1, 1, 3, 1, 3, 7, 1, 2,
        2, 2, 3, 1, 1, 2, 2, 1, 1,
      ],
      diam1: [
        1.8, 1.7, 2.8, 1.3, 3.3, 1.4, 1.5, 3.9, 1.8, 2.1, 0.8, 1.3, 1.2, 1.5, 2.8, 1.4, 1.5, 2.4, 1.9, 2.3, 2.1, 2.4, 1,
        1.3, 1.1, 1.3, 2.5, 5.2, 2, 1.6, 1.4, 3.2, 1.9, 2.4, 2.5, 2.1, 2.4, 2.4, 1.9, 2.7, 1.3, 2.9, 2.1, 4.1, 2.8,
        1.27,
      ],
      diam2: [
        1.15, 1.35, 2.55, 0.85, 1.9, 1.4, 0.5, 2.3, 1.35, 1.6, 0.63, 0.95, 0.9, 0.7, 1.7, 0.85, 0.6, 2.4, 1.55, 1.6,
        1.7, 1.3, 0.4, 0.6, 0.7, 1.2, 2.3, 4, 1.6, 1.6, 1, 1.9, 1.8, 2.4, 1.8, 1.5, 2.2, 1.7, 1.2, 2.5, 1.1, 2.7, 1,
        3.8, 2.5, 1,
      ],
      group: [
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1,
      ],
      total_height: [
        1.3, 1.35, 2.16, 1.8, 1.55, 1.2, 1, 1.7, 0.8, 1.2, 0.9, 1.35, 1.4, 1, 1.7, 1.5, 0.65, 1.5, 1.7, 1.7, 1.5, 1.5,
        1.2, 0.7, 1.2, 0.8, 1.7, 3, 1.7, 1.6, 1.5, 1.9, 1.1, 1.6, 2, 1.25, 2, 1.3, 1.45, 2.2, 0.7, 1.9, 1.8, 2, 2.2,
        0.92,
      ],
      weight: [
        401.3, 513.7, 1179.2, 308, 855.2, 268.7, 155.5, 1253.2, 328, 614.6, 60.2, 269.6, 448.4, 120.4, 378.7, 266.4,
        138.9, 1020.8, 635.7, 621.8, 579.8, 326.8, 66.7, 68, 153.1, 256.4, 723, 4052, 345, 330.9, 163.5, 1160, 386.6,
        693.5, 674.4, 217.5, 771.3, 341.7, 125.7, 462.5, 64.5, 850.6, 226, 1745.1, 908, 213.5,
      ],
    };
    const { value } = await runProgram(programWith('logmesquite', data), 1);
    expectAgreement(value, {
      'beta[0]': { mean: 5.35036, sd: 0.177781 },
      'beta[1]': { mean: 0.39857, sd: 0.293177 },
      'beta[2]': { mean: 1.1492, sd: 0.217872 },
      'beta[3]': { mean: 0.37721, sd: 0.292982 },
      'beta[4]': { mean: 0.390044, sd: 0.32838 },
      'beta[5]': { mean: 0.109251, sd: 0.126834 },
      'beta[6]': { mean: -0.584669, sd: 0.13417 },
      sigma: { mean: 0.34068, sd: 0.0400865 },
    });
  });
});
