/** Runs an inference side by side and one by one. */
import { meter } from '../../src/lanes/columns/meter.ts';
import { type RunOptions, run } from '../../src/program/run.ts';

/** What an inference found, or the error it ended with. */
async function found(code: string, options: RunOptions): Promise<unknown> {
  try {
    const { value } = await run(code, options);
    const { samples, weights, logZ, diagnostics } = value as Record<string, unknown>;
    return { samples, weights, logZ, diagnostics };
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

/** What it found either way, and how it says it ran. Side by side is not given up where it does not pay, unless that is asked for. */
export async function both(code: string, seed: number, language: 'wppl' | 'ts' = 'wppl', isPatient = true) {
  const said: string[] = [];
  const file = `program.${language}`;
  const engine = { explainBatching: true };
  meter.isPatient = isPatient;
  const together = await found(code, { seed, engine, file, warn: (message) => said.push(message) });
  meter.isPatient = false;
  const alone = await found(code, { seed, engine: { sequential: true }, file, warn: () => {} });
  return { together, alone, how: said.filter((message) => message.startsWith('How')).join('\n') };
}
