import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

const evaluate = async (code: string): Promise<unknown> => (await run(code, { seed: 1 })).value;
const repeated = (n: number, text: (i: number) => string, between: string): string =>
  Array.from({ length: n }, (_, i) => text(i)).join(between);

describe('large programs', () => {
  test('an array of 100,000 numbers', async () => {
    const code = `var data = [${repeated(100_000, (i) => (i % 2 ? `-${i}.5` : `${i}`), ', ')}]; [data.length, data[1], data[99998]]`;
    expect(await evaluate(code)).toEqual([100_000, -1.5, 99998]);
  });

  test('nested data with comments, legacy octal numbers and long strings', async () => {
    const rows = repeated(
      5000,
      (i) => `{id: ${i}, // row ${i}\n 'tags': ["a", null, [true]], deep: {x: -${i}e-3}}`,
      ',',
    );
    const code = `var data = [${rows}]; var odd = [010, {"k": "\\101"}]; [data.length, data[4].deep.x, data[9].tags, odd]`;
    expect(await evaluate(code)).toEqual([5000, -0.004, ['a', null, [true]], [8, { k: 'A' }]]);
  });

  test('a sum of 10,000 terms', async () => {
    expect(await evaluate(`var x = 1; ${repeated(10_000, () => 'x', ' + ')}`)).toBe(10_000);
    expect(await evaluate(`var f = [x => x][0]; ${repeated(3000, (i) => `f(${i % 2})`, ' + ')}`)).toBe(1500);
  });

  test('text put together from 10,000 parts', async () => {
    expect(await evaluate(`var x = 1; (${repeated(10_000, (i) => (i % 2 ? 'x' : "'a'"), ' + ')}).length`)).toBe(10_000);
  });

  test('a chain of 1,000 else-ifs, the last of them the value', async () => {
    const chain = repeated(1000, (i) => `if (x === ${i}) { ${i} * 2 }`, ' else ');
    expect(await evaluate(`var x = 999; ${chain} else { -1 }`)).toBe(1998);
  });

  test('2,500 functions', async () => {
    const code = `${repeated(2500, (i) => `var f${i} = function(x) { return ${i === 0 ? 'x' : `f${i - 1}(x) + 1`}; };`, '\n')}\nf999(0)`;
    expect(await evaluate(code)).toBe(999);
  });

  test('nesting that is too deep to read is said to be so', async () => {
    const depth = 200_000;
    await expect(evaluate(`${'['.repeat(depth)}${']'.repeat(depth)}`)).rejects.toThrow(
      'The program is nested too deeply to be compiled.',
    );
  });
});
