import { expect, test } from 'vitest';
import { Crowd } from '../../src/tensor/wasm/crowd.ts';

/** Whether the machine is busy after some work, in pieces of a millisecond that had so much of a processor. */
function busyAfter(crowd: Crowd, milliseconds: number, share: number): boolean {
  for (let i = 0; i < milliseconds; i++) crowd.add(1, share);
  return crowd.isBusy;
}

test('a machine is busy while work gets less than its processor, and no longer', () => {
  const crowd = new Crowd();
  expect(busyAfter(crowd, 100, 1)).toBe(false);
  expect(busyAfter(crowd, 60, 0.5)).toBe(true);
  expect(busyAfter(crowd, 60, 0.95)).toBe(false);
  // With the help of others.
  expect(busyAfter(crowd, 60, 1.8)).toBe(false);
});

test('an interruption that is short for the work decides nothing, and neither does little work', () => {
  const crowd = new Crowd();
  for (let i = 0; i < 300; i++) crowd.add(i % 30 === 3 ? 5 : 1, 1);
  expect(crowd.isBusy).toBe(false);
  expect(busyAfter(new Crowd(), 20, 0)).toBe(false);
});
