import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ended, Folder, HOW_TO_INSTALL, type Launcher, launchers, PROGRAMS, start, THREADS } from './ranks.ts';

if (launchers.length === 0) console.warn(HOW_TO_INSTALL);

let folder: Folder;
beforeAll(() => {
  folder = new Folder();
});
afterAll(() => folder.remove());

const results = new Map<string, string>();

/** What `--json` has of a program; what was found before is not run again. */
async function result(launcher: Launcher | undefined, ranks: number, program: string, seed = 3): Promise<string> {
  const key = `${launcher?.name} ${ranks} ${program} ${seed}`;
  const known = results.get(key);
  if (known !== undefined) return known;
  const out = join(folder.path, `${key.replaceAll(/\W/g, '-')}.json`);
  const file = join(PROGRAMS, program);
  const args = ['run', file, '--seed', String(seed), '--precision', 'double', '--quiet', '--json', out];
  const { code, stderr } = await ended(start(launcher, ranks, args, folder.path));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const text = readFileSync(out, 'utf8');
  results.set(key, text);
  return text;
}

const numbersIn = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(numbersIn)
      : [];

/** Entries [name, parameters, …] of two results agree to this relative difference. */
function expectAlike(one: string, other: string, tolerance: number): void {
  const [a, b] = [one, other].map((text) => JSON.parse(text).value as [string, unknown, unknown][]);
  expect(b.map(([name]) => name)).toEqual(a.map(([name]) => name));
  a.forEach(([name, ...learned], i) => {
    const [numbers, others] = [numbersIn(learned), numbersIn(b[i].slice(1))];
    expect(others.length, name).toBe(numbers.length);
    numbers.forEach((number, k) => {
      const difference = Math.abs(number - others[k]);
      expect(difference, `${name}: ${number} and ${others[k]}`).toBeLessThanOrEqual(
        tolerance * Math.max(1, Math.abs(number)),
      );
    });
  });
}

const preamble = ({ rank }: Launcher): string => `import process from 'node:process';
import {threadId} from 'node:worker_threads';
import {condition, flip, Gaussian, gaussian, getParams, Infer, mapData, modelParam, observe, Optimize} from 'waymark';
const rank = ${rank};
`;

const OPTIMISATION = `Optimize(() => {
  const a = modelParam({name: 'a', mu: START, sigma: 0});
  mapData({data: Array.from({length: 20}, (_, i) => i - 1)}, (y) => { observe(Gaussian({mu: a, sigma: 1}), VALUE); });
}, {steps: STEPS});`;

/** What fails, the exit code, and what is told once; nothing but what launchers say of an exit. */
const FAILURES: readonly (readonly [string, string, number, string | undefined])[] = [
  [
    'an error',
    `if (rank === 1) throw new Error('the second one');\nInfer({method: 'forward'}, () => flip(0.5));`,
    1,
    'the second one\n',
  ],
  ['an exit', `if (rank === 1) process.exit(3);\nInfer({method: 'forward'}, () => flip(0.5));`, 3, undefined],
  [
    'an error of a particle',
    `Infer({method: 'SMC', particles: 2000}, () => {
  const x = gaussian(0, 1);
  observe(Gaussian({mu: x, sigma: 1}), 1);
  if (rank === 1) throw new Error('of this island');
});`,
    1,
    'of this island\n',
  ],
  [
    'a number that is none',
    OPTIMISATION.replace('START', '0').replace('STEPS', '5').replace('VALUE', 'Math.sqrt(y)'),
    1,
    'for datum 0, NaN under Gaussian',
  ],
  [
    'a difference between parameters',
    OPTIMISATION.replace('START', 'rank === 1 ? 0.5 : 0').replace('STEPS', '200').replace('VALUE', 'y'),
    1,
    'the ranks have different parameters.',
  ],
];

/** What launchers say where a rank has ended with an exit code. */
const OPEN_MPI_SAYS = /-{20,}\nPrimary job[\s\S]*?aborted\.\n-{20,}\n/g;
const LAUNCHERS_SAY = /-{20,}[\s\S]*?-{20,}\n/g;

describe.each([...launchers, THREADS])('$name', (launcher) => {
  test.each([1, 2, 4])('inference on %i ranks gives the numbers of one process', async (ranks) => {
    expect(await result(launcher, ranks, 'inference.wppl')).toBe(await result(undefined, 1, 'inference.wppl'));
  });

  test.each([2, 4])('islands of particles on %i ranks give the numbers of one process', async (ranks) => {
    const alone = await result(undefined, 1, 'islands.wppl');
    const out = join(folder.path, `islands-${launcher.name}-${ranks}.json`);
    const args = ['run', join(PROGRAMS, 'islands.wppl'), '--seed', '3', '--explain-batching', '--json', out];
    const { code, stderr } = await ended(start(launcher, ranks, args, folder.path));
    expect(code, stderr).toBe(0);
    expect(readFileSync(out, 'utf8')).toBe(alone);
    // They were divided, but for a few that are perhaps made sooner one by one.
    const told = stderr.match(/ ran: .*/g) ?? [];
    expect(told).toHaveLength(19);
    const together = told.filter((line) => line.includes('side by side') && !line.includes('one by one'));
    expect(together.length).toBeGreaterThanOrEqual(15);
    expect(together.filter((line) => !line.endsWith(`, divided among ${ranks} ranks`))).toEqual([]);
  });

  test.each([2, 4])('200 steps on %i ranks learn what one process learns', async (ranks) => {
    expectAlike(
      await result(undefined, 1, 'optimisation.wppl'),
      await result(launcher, ranks, 'optimisation.wppl'),
      1e-6,
    );
  });

  test('ranks train the network that one process trains', async () => {
    expectAlike(await result(undefined, 1, 'amortized.wppl'), await result(launcher, 3, 'amortized.wppl'), 1e-3);
  });

  test('the same number of ranks gives the same bits', async () => {
    const first = await result(launcher, 2, 'optimisation.wppl');
    results.delete(`${launcher.name} 2 optimisation.wppl 3`);
    expect(await result(launcher, 2, 'optimisation.wppl')).toBe(first);
  });

  test.skipIf(launcher === THREADS)('programs of a batch are divided, and answered in order', async () => {
    const line = (id: number): string => JSON.stringify({ id, code: `display(${id}); gaussian(${id}, 1)`, seed: id });
    const input = [
      ...Array.from({ length: 11 }, (_, i) => line(i)),
      'no JSON',
      JSON.stringify({ id: 'x', code: 'y.z', seed: 1 }),
    ];
    const text = `${input.join('\n')}\n`;
    const alone = await ended(start(undefined, 1, ['batch'], folder.path), text);
    const shared = await ended(start(launcher, 3, ['batch'], folder.path), text);
    expect(shared).toEqual(alone);
  });

  test.each(FAILURES)('%s ends all ranks, and is told once', async (name, body, code, message) => {
    const file = join(folder.path, `${name.replaceAll(' ', '-')}.ts`);
    writeFileSync(file, `${preamble(launcher)}${body}\n`);
    const end = await ended(start(launcher, 3, ['run', file, '--seed', '1'], folder.path));
    expect(end.code, end.stderr).toBe(code);
    expect(end.stdout.replaceAll(OPEN_MPI_SAYS, '')).toBe('');
    if (message === undefined) expect(end.stderr.replaceAll(LAUNCHERS_SAY, '').trim()).toBe('');
    else expect(end.stderr.split(message)).toHaveLength(2);
  });

  test('Ctrl-C ends all ranks, with one word about it', async () => {
    const file = join(folder.path, 'long.ts');
    writeFileSync(
      file,
      // What has nothing to save yet ends without a word, so the signal comes after a step.
      `${preamble(launcher)}${OPTIMISATION.replace('STEPS', "1e9, onStep: (step) => { if (step === 1) console.log('begun'); }").replace('START', '0').replace('VALUE', 'y')}\n`,
    );
    const child = start(launcher, 2, ['run', file, '--quiet'], folder.path);
    const end = ended(child);
    await once(child.stdout!, 'data');
    const ranks = ranksOf(child.pid as number);
    process.kill(child.pid as number, 'SIGINT');
    expect((await end).stderr.match(launcher === THREADS ? /interrupted/g : /This job is being ended/g)).toHaveLength(
      1,
    );
    expect(ranks).toHaveLength(launcher === THREADS ? 1 : 2);
    await vi.waitFor(() => expect(ranks.filter(isThere)).toEqual([]), { timeout: 30_000, interval: 200 });
  });

  test('ranks that go different ways are told so', async () => {
    const file = join(folder.path, 'apart.ts');
    writeFileSync(
      file,
      `${preamble(launcher)}export default rank === 1 ? 1 : Infer({method: 'forward', samples: 10}, () => flip(0.5)).samples.length;\n`,
    );
    const { stderr } = await ended(start(launcher, 2, ['run', file], folder.path));
    expect(stderr).toContain(
      'The ranks have gone different ways: rank 0 is about to draw samples, and rank 1 to end the program',
    );
  });

  test('each rank reads its rows', async () => {
    const ys = Array.from({ length: 19 }, (_, i) => Math.sin(i));
    copyFileSync(join(PROGRAMS, 'shard.wppl'), join(folder.path, 'shard.wppl'));
    writeFileSync(join(folder.path, 'rows.csv'), `x,y\n${ys.map((y, i) => `"row\n${i}",${y}`).join('\n')}\n`);
    writeFileSync(join(folder.path, 'rows.jsonl'), ys.map((y) => `${2 * y}\n`).join(''));
    writeFileSync(join(folder.path, 'labels.idx'), Uint8Array.from([0, 0, 8, 1, 0, 0, 0, 17, ...ys.slice(2).keys()]));
    // Seven columns of three numbers between 0 and 1, as floats.
    const images = new DataView(new ArrayBuffer(12 + 4 * 21));
    [0x00000d02, 7, 3].forEach((word, i) => void images.setUint32(4 * i, word));
    for (let i = 0; i < 21; i++) images.setFloat32(12 + 4 * i, ys[i % 19] ** 2);
    writeFileSync(join(folder.path, 'images.idx'), images);
    const values = await Promise.all(
      [undefined, launcher].map(async (one) => {
        const { code, stdout, stderr } = await ended(
          start(one, 3, ['run', 'shard.wppl', '--seed', '1', '--json', '-'], folder.path),
        );
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        return stdout;
      }),
    );
    expectAlike(values[0], values[1], 1e-9);
  });

  test('a killed rank ends the job, and --resume goes on with another number of ranks', {
    timeout: 600_000,
  }, async () => {
    const own = new Folder();
    copyFileSync(join(PROGRAMS, 'checkpoint.wppl'), join(own.path, 'checkpoint.wppl'));
    const args = ['run', 'checkpoint.wppl', '--seed', '5'];
    const kept = join(own.path, 'kept.ckpt');
    const alone = await ended(start(undefined, 1, [...args, '--json', '-'], own.path));
    expect(alone).toMatchObject({ code: 0 });
    rmSync(kept);
    const random = seeded(7);
    let hits = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const child = start(launcher, 2 + (kill % 2), [...args, '--resume', '--quiet'], own.path);
      const end = ended(child);
      // One in five is killed while it starts, the others some checkpoints later, or while one is written.
      if (kill % 5 > 0) await changes(kept, Math.floor(6 * random()), end);
      await new Promise((resolve) => setTimeout(resolve, (kill % 5 > 0 ? 20 : 1000) * random()));
      const killed = killOneOf(child.pid as number, kill);
      const { code, stdout, stderr } = await end;
      const told = stdout + stderr;
      // A run that goes on has nothing to complain of, whatever the one before has left.
      expect(told).not.toContain('kept.ckpt');
      if (killed && code !== 0) {
        if (launcher !== THREADS) expect(told).toMatch(/killed|signal 9|being ended|has been aborted/i);
        if (existsSync(kept)) hits++;
      }
      // One that was done begins anew the next time.
      if (code === 0) rmSync(kept, { force: true });
    }
    expect(hits).toBeGreaterThan(KILLS / 4);
    const last = await ended(start(launcher, 2, [...args, '--resume', '--quiet', '--json', '-'], own.path));
    expect({ code: last.code, stderr: last.stderr }).toEqual({ code: 0, stderr: '' });
    expect(existsSync(kept)).toBe(true);
    expectAlike(alone.stdout, last.stdout, 1e-6);
    own.remove();
  });

  test.runIf(process.platform === 'linux' && launcher !== THREADS)('a rank whose launcher is gone ends', async () => {
    copyFileSync(join(PROGRAMS, 'checkpoint.wppl'), join(folder.path, 'orphans.wppl'));
    const child = start(launcher, 2, ['run', 'orphans.wppl', '--seed', '5'], folder.path);
    const end = ended(child);
    await once(child.stdout!, 'data');
    const ranks = ranksOf(child.pid as number);
    expect(ranks).toHaveLength(2);
    // Their parent, and the launcher, which may be the same.
    for (const pid of new Set([parentOf(ranks[0]), child.pid as number])) process.kill(pid, 'SIGKILL');
    await end;
    await vi.waitFor(() => expect(ranks.filter(isThere)).toEqual([]), { timeout: 30_000, interval: 200 });
  });
});

const KILLS = 20;

/** Numbers between 0 and 1 that look random, and are the same at every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Resolves when a file has changed so many times and once more, or when there is an end. */
async function changes(file: string, times: number, end: Promise<unknown>): Promise<void> {
  let isOver = false;
  void end.then(() => {
    isOver = true;
  });
  const stamp = (): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  let last = stamp();
  for (let left = times + 1; left > 0 && !isOver; ) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    const now = stamp();
    if (now !== last) left--;
    last = now;
  }
}

/** Kills one of the ranks that a launcher has started; if there are none yet, ends the launcher. Whether a rank was killed. */
function killOneOf(launcher: number, which: number): boolean {
  const ranks = ranksOf(launcher);
  try {
    if (ranks.length > 0) process.kill(ranks[which % ranks.length], 'SIGKILL');
    else process.kill(launcher, 'SIGTERM');
  } catch {
    return false; // It has just ended.
  }
  return ranks.length > 0;
}

/** The processes of ranks that a launcher has started. Threads are in one, which has started itself. */
const ranksOf = (launcher: number): number[] =>
  (commandOf(launcher).includes('--ranks') ? [launcher] : descendants(launcher)).filter((pid) =>
    commandOf(pid).includes('waymark.js'),
  );

const statusOf = (pid: number): string[] => readOr(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
const parentOf = (pid: number): number => Number(statusOf(pid)[1]);
const isThere = (pid: number): boolean => !['', 'Z', 'X'].includes(statusOf(pid)[0] ?? '');

function descendants(pid: number): number[] {
  const children = readOr(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

const commandOf = (pid: number): string => readOr(`/proc/${pid}/cmdline`);

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
