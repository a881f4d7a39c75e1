/**
 * Time per step on 1 and 2 ranks (or `-- N` of them): the VAE and a mixture of 100,000 data, with the same work in all (strong scaling) and
 * with the same work for each rank (weak). Needs an MPI; run it on a quiet machine with a processor for each rank.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ranks = [1, Number(process.argv[2] ?? 2)];
const waymark = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));
const launcher = ['mpirun', '--allow-run-as-root', '--oversubscribe'];

/** Milliseconds per step. */
function perStep(program, count, args) {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const words = [
    process.execPath,
    waymark,
    'run',
    file,
    '--seed',
    '1',
    '--quiet',
    '--threads',
    '1',
    '--',
    ...args.map(String),
  ];
  const [command, ...rest] = count === 1 ? words : [...launcher, '-n', String(count), ...words];
  const { status, stdout, stderr } = spawnSync(command, rest, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} on ${count} ranks failed:\n${stderr}`);
  return Number(stdout.trim().split('\n').at(-1));
}

const rows = [
  ['VAE, 128 images in all', 'vae.ts', () => [128, 40]],
  ['VAE, 128 images each', 'vae.ts', (count) => [128 * count, 40]],
  ['mixture, 100,000 data in all', 'mixture.ts', () => [100_000, 60]],
  ['mixture, 100,000 data each', 'mixture.ts', (count) => [100_000 * count, 60]],
];
for (const [name, program, args] of rows) {
  const times = ranks.map((count) => perStep(program, count, args(count)));
  const words = times.map((ms, i) => `${ms.toFixed(2)} ms on ${ranks[i]}`).join(', ');
  console.log(`${name}: ${words} (${(times[0] / times[1]).toFixed(2)} times as fast)`);
}
