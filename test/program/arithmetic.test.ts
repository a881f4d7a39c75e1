import { describe, expect, test } from 'vitest';
import { loadProgram } from '../../src/program/load.ts';
import { Tensor, vector } from '../../src/tensor/tensor.ts';
import { quietRun } from './quiet-run.ts';

const v = vector([1, 2, 3]);
const w = vector([4, 5, 6]);

/** The value of an expression of `v` and `w`, as a compiled program works it out. */
async function evaluate(body: string): Promise<unknown> {
  const program = await loadProgram({ code: `var f = function(v, w, m) { ${body} }; f` });
  const f = program.run(quietRun()) as (...given: unknown[]) => unknown;
  return f(v, w, new Tensor([2, 2], Float64Array.of(1, 2, 3, 4)));
}

describe('operators on tensors work element by element', () => {
  test.each<[string, number[]]>([
    ['v + w', [5, 7, 9]],
    ['w - v', [3, 3, 3]],
    ['2 * v - 1', [1, 3, 5]],
    ['-v / 2', [-0.5, -1, -1.5]],
    ['v ** 2 % 4', [1, 0, 1]],
    ['1 / v', [1, 1 / 2, 1 / 3]],
    ['var u = v; u += 1; u++; u', [3, 4, 5]],
    ['var o = {u: v}; o.u *= w; o.u--; o.u', [3, 9, 17]],
    ['var u = v; u--', [1, 2, 3]],
  ])('%s', async (body, expected) => {
    const value = (await evaluate(body)) as Tensor;
    expect(value).toBeInstanceOf(Tensor);
    expect(value.dims).toEqual([3, 1]);
    expect([...value.data]).toEqual(expected);
  });

  test('and leave the operands alone', async () => {
    await evaluate('var u = v; u += 1; u++; u');
    expect([...v.data]).toEqual([1, 2, 3]);
  });

  test('text with a tensor is text', async () => {
    expect(await evaluate('"v = " + v')).toBe('v = Tensor [3, 1] [[1], [2], [3]]');
  });
});

test('a vector is read by index, also where object and index are computed', async () => {
  expect(await evaluate('var i = 1; [v[0], v[i], v[i + 1], ({v: v}).v[i * 2], v.length, v["rank"]]')).toEqual([
    1, 2, 3, 3, 3, 2,
  ]);
});

describe('tensors of different dims', () => {
  test.each<[string, number[], number[]]>([
    ['m + Vector([10, 20])', [2, 2], [11, 12, 23, 24]],
    ['Matrix([[10, 20]]) - m', [2, 2], [9, 18, 7, 16]],
    ['m * Tensor([2], [10, 20])', [2, 2], [10, 40, 30, 80]],
    ['v * Matrix([[1, 10]])', [3, 2], [1, 10, 2, 20, 3, 30]],
    ['v + Tensor([3], [1, 1, 1])', [3, 1], [2, 3, 4]],
    ['Tensor([3], [1, 1, 1]) + v', [3], [2, 3, 4]],
    ['Tensor([2, 2, 1], [1, 2, 3, 4]) + Matrix([[10, 20]])', [2, 2, 2], [11, 21, 12, 22, 13, 23, 14, 24]],
  ])('%s', async (body, dims, data) => {
    const value = (await evaluate(body)) as Tensor;
    expect({ dims: value.dims, data: [...value.data] }).toEqual({ dims, data });
  });
});

test('rows of a matrix are vectors, those of larger tensors are matrices', async () => {
  const [first, entry, plane] = (await evaluate('[m[0], m[1][0], Tensor([2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8])[1]]')) as [
    Tensor,
    number,
    Tensor,
  ];
  expect([first.dims, [...first.data]]).toEqual([
    [2, 1],
    [1, 2],
  ]);
  expect(entry).toBe(3);
  expect([plane.dims, [...plane.data]]).toEqual([
    [2, 2],
    [5, 6, 7, 8],
  ]);
});

describe('misuse of tensors is an error', () => {
  test.each<[string, string]>([
    ['v + m', "Tensors combined with '+' must have the same dims, or 1 where they differ, got [3, 1] and [2, 2]."],
    ['v - m[0]', "Tensors combined with '-' must have the same dims, or 1 where they differ, got [3, 1] and [2, 1]."],
    ['v[3]', 'Index 3 is outside a vector of length 3.'],
    ['v[-1]', 'Index -1 is outside a vector of length 3.'],
    ['v[0.5]', 'Index 0.5 is outside a vector of length 3.'],
    ['v * [1, 2, 3]', "'*' combines a tensor with a number or a tensor, got an array of length 3."],
    ['undefined + v', "'+' combines a tensor with a number or a tensor, got undefined."],
    ['v - "1"', `'-' combines a tensor with a number or a tensor, got the string "1".`],
    ['m[2]', 'Index 2 is outside the 2 rows of a tensor of dims [2, 2].'],
    ['m[0][2]', 'Index 2 is outside a vector of length 2.'],
  ])('%s', async (body, message) => {
    await expect(evaluate(body)).rejects.toThrow(message);
  });
});
