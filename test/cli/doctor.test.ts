import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Command } from './command.ts';

let waymark: Command;
beforeAll(() => {
  waymark = new Command('doctor');
});
afterAll(() => waymark.remove());

describe('waymark doctor', () => {
  test('names versions and devices, with a measured speed for each', async () => {
    const { code, stdout, stderr } = await waymark.run('doctor');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Waymark \d+\.\d+\.\d+ on Node v\d+/);
    expect(stdout).toMatch(/\njs: always there; \d+\.\d GFLOP\/s in float32, \d+\.\d in float64\n/);
    expect(stdout).toMatch(/\nwasm: the default, on one thread; \d+\.\d GFLOP\/s/);
    expect(stdout).toMatch(/\nblas: (not found\. .* install|\S+; \d+\.\d GFLOP\/s)/);
  });

  test('takes no arguments', async () => {
    const { code, stderr } = await waymark.run('doctor', 'now');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'waymark doctor takes no arguments.\n' });
  });
});

describe('--device', () => {
  const program = `var model = function() { var m = modelParam({name: 'm'}); observe(Gaussian({mu: m, sigma: 1}), 3); };
    T.get(Optimize(model, {steps: 50, optMethod: {sgd: {stepSize: 0.5}}}).m, 0)`;

  test('js and wasm give the same to rounding', async () => {
    const file = waymark.write('device.wppl', program);
    const values = await Promise.all(
      ['js', 'wasm'].map(async (device) =>
        Number((await waymark.run('run', file, '--seed', '1', '--device', device)).stdout),
      ),
    );
    expect(values[0]).toBeCloseTo(3, 6);
    expect(values[1]).toBeCloseTo(values[0], 12);
  });
});
