import { expect, test } from 'vitest';
import { argv, globalStore } from '../../src/library/index.ts';
import { loadProgram } from '../../src/program/load.ts';
import { machine, startRun } from '../../src/runtime/machine.ts';
import { quietRun } from '../program/quiet-run.ts';

const CODE = `
  import { argv, flip, globalStore, Infer } from 'waymark';
  globalStore.seen = [];
  const model = () => {
    globalStore.seen = [...globalStore.seen, flip(0.5)];
    return globalStore.seen.length;
  };
  export default [Infer(model).support(), globalStore.seen, argv.n, Object.keys(argv)];`;

test('modules import globalStore and argv', async () => {
  const program = await loadProgram({ code: CODE, language: 'ts' });
  expect(program.run({ ...quietRun(1), args: ['--n', '3'] })).toEqual([[1], [], 3, ['_', 'n']]);
});

test('outside of compiled programs they are those of the run', () => {
  startRun({ ...quietRun(1), args: ['a.csv', '--fast'] });
  expect({ ...argv }).toEqual({ _: ['a.csv'], fast: true });
  globalStore.n = 1;
  expect(machine.store).toEqual({ n: 1 });
  expect('n' in globalStore).toBe(true);
  expect(Object.keys(globalStore)).toEqual(['n']);
  delete globalStore.n;
  expect(machine.store).toEqual({});
});
