import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { experiments } from '../../src/reproduce/experiments.ts';
import { inParallel } from '../../src/reproduce/pool.ts';
import { checkpointsOf, isDone, keepResult, readResult } from '../../src/reproduce/results.ts';
import { findSources } from '../../src/reproduce/sources.ts';
import { conditionTasks, dataTask, type Extent } from '../../src/reproduce/task.ts';

let out: string;
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'waymark-reproduce-'));
});
afterEach(() => rmSync(out, { recursive: true }));

const [gmm] = experiments;
const quick = { scale: 'quick' as const };

/** The tasks of all conditions, after data were made. */
function tasks(extent: Extent = quick, data = 'points', seconds = 1) {
  mkdirSync(join(out, 'gmm/runs'), { recursive: true });
  keepResult(dataTask(gmm, out, extent, {}), data, seconds);
  return conditionTasks(gmm, out, extent);
}

describe('results', () => {
  test('what was kept is done, and its checkpoints are gone', () => {
    const [task, next] = tasks();
    expect(isDone(task)).toBe(false);
    for (const file of [task.checkpoint, `${task.checkpoint}-start`, next.checkpoint])
      writeFileSync(file as string, 'state');
    keepResult(task, { history: [1, 2] }, 3);
    expect(isDone(task)).toBe(true);
    expect(checkpointsOf(task)).toEqual([]);
    expect(checkpointsOf(next)).toEqual([next.checkpoint]);
    expect(readResult(task.result)).toMatchObject({ seconds: 3, value: { history: [1, 2] } });
  });

  test('conditions that were named are run alone', () => {
    const names = new Set(
      tasks({ ...quick, only: [gmm.conditions[1].name] }).map(({ label }) => label.split(/: |, /)[1]),
    );
    expect([...names]).toEqual([gmm.conditions[1].name]);
  });

  test('results of other settings are refused, with what differs', () => {
    const [task] = tasks();
    keepResult(task, 1, 1);
    const [shorter] = tasks({ ...quick, steps: 20 });
    expect(() => isDone(shorter)).toThrow(
      `${task.result} belongs to other settings: steps is 200 there, 20 now. Give another folder with --out, or remove this one.`,
    );
    const [other] = tasks(quick, 'other points');
    expect(() => isDone(other)).toThrow('belongs to other settings: its data were others.');
  });

  test('how long anything took is no part of what results belong to', () => {
    const [task] = tasks(quick, 'points', 1);
    keepResult(task, 1, 1);
    expect(tasks(quick, 'points', 2.5).map(({ identity }) => identity)).toEqual(
      tasks().map(({ identity }) => identity),
    );
    expect(isDone(tasks(quick, 'points', 2.5)[0])).toBe(true);
  });

  test('a damaged result is refused', () => {
    const [task] = tasks();
    writeFileSync(task.result, '{"identity": {');
    expect(() => isDone(task)).toThrow(`${task.result} is damaged, or no result of waymark reproduce.`);
    writeFileSync(task.result, '[]');
    expect(() => isDone(task)).toThrow('is damaged');
  });
});

describe('tasks', () => {
  test('every condition in every run, each with its own seed and files', () => {
    const all = tasks();
    expect(all).toHaveLength(gmm.conditions.length * gmm.runs.quick);
    expect(new Set(all.map(({ result }) => result)).size).toBe(all.length);
    const first = all.filter(({ label }) => label.startsWith('gmm: amortized'));
    expect(first.map(({ seed }) => seed)).toEqual([1, 2, 3, 4, 5]);
  });

  test.each(experiments.map((experiment) => [experiment.name, experiment] as const))(
    'the programs of %s are there',
    (_name, experiment) => {
      const data = dataTask(experiment, out, quick, {});
      expect(existsSync(data.program)).toBe(true);
      mkdirSync(join(out, experiment.name), { recursive: true });
      keepResult(data, 'points', 1);
      for (const { program } of conditionTasks(experiment, out, quick)) expect(existsSync(program)).toBe(true);
    },
  );

  test('the longest first, so many at a time', async () => {
    const log: string[] = [];
    let busy = 0;
    let most = 0;
    const perform = async ({ name }: { name: string; duration: number }) => {
      log.push(name);
      most = Math.max(most, ++busy);
      await new Promise((resolve) => setTimeout(resolve, 1));
      busy--;
    };
    const given = [1, 3, 2, 4].map((duration) => ({ name: `t${duration}`, duration }));
    await inParallel(given, 2, perform);
    expect(log).toEqual(['t4', 't3', 't2', 't1']);
    expect(most).toBe(2);
  });
});

describe('sources', () => {
  test('both files of MNIST, or one that is divided', () => {
    writeFileSync(join(out, 't10k-images-idx3-ubyte.gz'), '');
    expect(findSources({ mnist: out }).mnist).toEqual({ train: join(out, 't10k-images-idx3-ubyte.gz') });
    writeFileSync(join(out, 'train-images-idx3-ubyte'), '');
    expect(findSources({ mnist: out }).mnist).toEqual({
      train: join(out, 'train-images-idx3-ubyte'),
      test: join(out, 't10k-images-idx3-ubyte.gz'),
    });
  });

  test.each([
    [{ mnist: 'nowhere' }, '--mnist nowhere: there is no such folder.'],
    [{ corpus: 'nowhere.json' }, '--corpus nowhere.json: there is no such file.'],
  ])('%j is refused', (given, message) => expect(() => findSources(given)).toThrow(message));

  test('a folder without images is refused', () => {
    expect(() => findSources({ mnist: out })).toThrow(
      `--mnist ${out}: there is neither train-images-idx3-ubyte nor t10k-images-idx3-ubyte in it, with or without .gz.`,
    );
  });
});
