import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeContainer } from '../../src/io/container.ts';
import { decodeCheckpoint } from '../../src/optimize/checkpoint-format.ts';
import { RandomStream } from '../../src/runtime/random.ts';
import { Command, finished } from '../cli/command.ts';
import { mixture } from './checkpoint-programs.ts';

let waymark: Command;

beforeAll(() => {
  waymark = new Command('checkpoint-kill');
});

afterAll(() => waymark.remove());

const STEPS = 400;
const KILLS = 6;

/** How far the checkpoint has come; 0 if there is none. Never a damaged one: it is replaced as a whole. */
function stepSaved(): number {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(join(waymark.folder, 'run.checkpoint'));
  } catch {
    return 0;
  }
  return decodeCheckpoint(decodeContainer(bytes)).state.step;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Kills the process a while after it has got further. */
async function killLater(child: ChildProcess, delay: number): Promise<void> {
  const before = stepSaved();
  while (stepSaved() <= before && child.exitCode === null) await pause(1);
  await pause(delay);
  child.kill('SIGKILL');
}

test('an optimisation killed again and again ends as if nothing had happened', async () => {
  waymark.write('program.wppl', mixture(`steps: ${STEPS}, checkpoint: {file: 'run.checkpoint', every: 7}`));
  const whole = await waymark.run('run', 'program.wppl', '--seed', '5');
  expect(whole).toMatchObject({ code: 0, stderr: '' });
  rmSync(join(waymark.folder, 'run.checkpoint'));

  const random = RandomStream.fromSeed(11).begin();
  const killedAt = new Set<number>();
  for (let kill = 0; kill < KILLS; kill++) {
    const child = waymark.start('run', 'program.wppl', '--seed', '5', '--resume');
    const ended = finished(child);
    await killLater(child, 20 * random.uniform());
    const { code } = await ended;
    if (code !== null) break;
    killedAt.add(stepSaved());
  }
  // Otherwise the steps are too few for this machine to be interrupted among them.
  expect(killedAt.size).toBeGreaterThanOrEqual(3);
  expect(await waymark.run('run', 'program.wppl', '--seed', '5', '--resume')).toEqual(whole);
  // Finished: it does nothing more, and says the same.
  expect(await waymark.run('run', 'program.wppl', '--seed', '5', '--resume')).toEqual(whole);
  // Nothing is left by those who were killed while they wrote.
  expect(readdirSync(waymark.folder).sort()).toEqual(['program.wppl', 'run.checkpoint']);
});
