import { expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';
import { machine } from '../../src/runtime/machine.ts';
import { currentDevice, wantedThreads } from '../../src/tensor/devices.ts';

test('an app goes on with its own run, device and parameters after a program has run in it, or failed', async () => {
  const { run: own, stream, params } = machine;
  const engine = { device: 'js', threads: 3 } as const;
  await run('param({name: "a"})', { seed: 1, engine });
  await expect(run('nothing()', { seed: 1, engine })).rejects.toThrow('nothing');
  expect(machine.run).toBe(own);
  expect(machine.stream).toBe(stream);
  expect(machine.params).toBe(params);
  expect([currentDevice(), wantedThreads()]).toEqual(['wasm', undefined]);
});
