import { expect, test } from 'vitest';
import { ShareTrial } from '../../src/tensor/wasm/share-trial.ts';

/** Does so many runs, which take what `timeOf` says; how many of them were shared. */
function runs(trial: ShareTrial, count: number, timeOf: (isShared: boolean, run: number) => number): number {
  let shared = 0;
  for (let run = 0; run < count; run++) {
    const { isShared } = trial;
    if (isShared) shared++;
    trial.took(timeOf(isShared, run));
  }
  return shared;
}

test('work is shared where that takes less time', () => {
  const trial = new ShareTrial();
  expect(runs(trial, 10, (isShared) => (isShared ? 1 : 2))).toBe(5);
  expect(runs(trial, 64, (isShared) => (isShared ? 1 : 2))).toBe(64);
});

test('and is not where others slow it down, or save next to nothing', () => {
  for (const alone of [1, 1.5, 2.05]) {
    const trial = new ShareTrial();
    runs(trial, 10, (isShared) => (isShared ? 2 : alone));
    expect(runs(trial, 64, () => 2)).toBe(0);
  }
});

test('one interruption decides nothing', () => {
  const trial = new ShareTrial();
  runs(trial, 10, (isShared, run) => (run === 4 ? 500 : isShared ? 1 : 2));
  expect(trial.isShared).toBe(true);
});

test('it is tried again from time to time, and less often if nothing has changed', () => {
  const trial = new ShareTrial();
  const slowly = (isShared: boolean): number => (isShared ? 3 : 2);
  const shared = runs(trial, 10_000, slowly);
  expect(shared).toBeGreaterThanOrEqual(20);
  expect(shared).toBeLessThan(60);
  // Others have time again.
  expect(runs(trial, 20_000, (isShared) => (isShared ? 1 : 2))).toBeGreaterThan(10_000);
});
