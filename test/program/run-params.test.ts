import { expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';
import { Tensor } from '../../src/tensor/tensor.ts';

/** Moves the parameter a from wherever it is towards 3, by a step of 0.5 per unit. */
const MOVE = `var model = function() { observe(Gaussian({mu: modelParam({name: 'a', mu: 1, sigma: 0}), sigma: 1}), 3); };
Optimize(model, {steps: 1, optMethod: {sgd: {stepSize: 0.5}}}).a.data[0]`;

test('a run starts with the parameters it is given, and gives back those it ends with', async () => {
  const first = await run(MOVE);
  expect(first.value).toBe(2);
  expect(first.params.a).toBeInstanceOf(Tensor);
  const second = await run(MOVE, { params: first.params });
  expect([second.value, second.params.a.data[0]]).toEqual([2.5, 2.5]);
  expect(first.params.a.data[0]).toBe(2);
  expect((await run(MOVE, { params: { a: 5, other: 1 } })).params).toEqual({
    a: new Tensor([1], Float64Array.of(4)),
    other: new Tensor([1], Float64Array.of(1)),
  });
});

test('programs without parameters have none', async () => {
  expect((await run('1 + 1')).params).toEqual({});
});

test('what is no parameter is refused', async () => {
  await expect(run(MOVE, { params: { a: 'x' } as never })).rejects.toThrow(
    'run: params needs parameters by name, as Optimize returns them: each a tensor, or a number; \'a\' is the string "x".',
  );
  await expect(run(MOVE, { params: { a: new Tensor([2, 1], Float64Array.of(1, 2)) } })).rejects.toThrow(
    "The parameter 'a' has dims [2, 1], and is declared here with [1].",
  );
});
