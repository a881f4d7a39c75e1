/**
 * Times of a step on 1 and 2 ranks (or `-- N` of them): the VAE, a mixture of 100,000 data, and particles of a filter, with the same work in
 * all (strong scaling) and with the same work for each rank (weak). By the clock, which needs a quiet machine with a processor for each
 * rank; and in time of a rank's processor, which ranks that sleep do not spend on waiting, so that it can be measured on a busy machine.
 * Needs an MPI, and GNU time.
 */
import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

const ranks = [1, Number(process.argv[2] ?? 2)];
const waymark = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));
const launcher = ['mpirun', '--allow-run-as-root', '--oversubscribe'];

/** What a run prints, milliseconds per step by the clock, and the milliseconds of processors that it took. */
function run(program, count, args, wait) {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const options = ['--seed', '1', '--quiet', '--threads', '1'];
  const words = [process.execPath, waymark, 'run', file, ...options, '--', ...args.map(String)];
  const command = ['-f', '%U %S', ...(count === 1 ? [] : [...launcher, '-n', String(count)]), ...words];
  const env = { ...process.env, WAYMARK_MPI_WAIT: wait };
  const { status, stdout, stderr } = spawnSync('/usr/bin/time', command, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${program} on ${count} ranks failed:\n${stderr}`);
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { clock: Number(stdout.trim().split('\n').at(-1)), processors: 1000 * (user + system) };
}

/** Steps that are made where so many are timed: see `timed.ts`. */
const made = (steps) => steps + 3 * Math.max(5, Math.round(steps / 10));

function times(program, count, size, steps) {
  const { clock } = run(program, count, [size, steps], 'spin');
  const [short, long] = [steps, 4 * steps].map((some) => run(program, count, [size, some], 'sleep').processors);
  return { clock, processors: (long - short) / (made(4 * steps) - made(steps)) / count };
}

const rows = [
  ['VAE, 128 images in all', 'vae.ts', () => 128, 40],
  ['VAE, 128 images each', 'vae.ts', (count) => 128 * count, 40],
  ['mixture, 100,000 data in all', 'mixture.ts', () => 100_000, 60],
  ['mixture, 100,000 data each', 'mixture.ts', (count) => 100_000 * count, 60],
  ['20,000 particles in all', 'particles.ts', () => 20_000, 6],
  ['20,000 particles each', 'particles.ts', (count) => 20_000 * count, 6],
];
console.log(`load of the machine: ${loadavg()[0].toFixed(1)}`);
for (const [name, program, sizeOn, steps] of rows) {
  const words = ranks.map((count) => {
    const { clock, processors } = times(program, count, sizeOn(count), steps);
    return `${clock.toFixed(2)} ms by the clock, ${processors.toFixed(2)} of a processor on ${count}`;
  });
  console.log(`${name}: ${words.join('; ')}`);
}
