/** The training step of `vae.ts` in PyTorch, if there is one. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Built into `node_modules/.cache/waymark-bench`. */
const script = fileURLToPath(new URL('../../../bench/engine/vae_torch.py', import.meta.url));

/** Pythons to try: the one in front may be another than the system's, which has the system's packages. */
const pythons = [process.env.PYTHON, 'python3', '/usr/bin/python3'].filter((name) => name !== undefined);

/** Milliseconds of a step on so many threads; null if no Python has PyTorch. */
export function torchStep(threads: number): { readonly version: string; readonly milliseconds: number } | null {
  const env = { ...process.env, OPENBLAS_NUM_THREADS: String(threads), OMP_NUM_THREADS: String(threads) };
  for (const python of pythons) {
    const { status, stdout } = spawnSync(python, [script], { encoding: 'utf8', env });
    if (status !== 0) continue;
    const [version, milliseconds] = stdout.trim().split(' ');
    return { version, milliseconds: Number(milliseconds) };
  }
  return null;
}
