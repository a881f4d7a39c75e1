/** Runs an inference side by side and one by one. */
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

/** What it found either way, and how it says it ran. */
export async function both(code: string, seed: number, language: 'wppl' | 'ts' = 'wppl') {
  const said: string[] = [];
  const file = `program.${language}`;
  const engine = { explainBatching: true };
  const together = await found(code, { seed, engine, file, warn: (message) => said.push(message) });
  const alone = await found(code, { seed, engine: { sequential: true }, file, warn: () => {} });
  return { together, alone, how: said.filter((message) => message.startsWith('How')).join('\n') };
}
