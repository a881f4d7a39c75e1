/** `Math` of programs: JavaScript's, of tensors entry by entry, and WebPPL's additions, in every text of a program. */
import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/index.ts';
import { Tensor } from '../../src/tensor/tensor.ts';

const valueIn = async (code: string): Promise<unknown> => (await run(code, { seed: 1 })).value;

/** Expressions of x, and what they give for x = 0.5. */
const EXPRESSIONS: readonly [string, number | boolean][] = [
  ['Math.sum([x, 2, x])', 3],
  ['Math.sum([])', 0],
  ['Math.logGamma(x)', Math.log(Math.sqrt(Math.PI))],
  ['Math.sigmoid(x)', 1 / (1 + Math.exp(-0.5))],
  ['Math.add(x, 1) + Math.sub(x, 1) + Math.mul(x, 3) + Math.div(x, 2) + Math.neg(x) + Math.plus(x)', 2.75],
  ['Math.gt(x, 0) && Math.lt(x, 1) && Math.geq(x, 0.5) && Math.leq(x, 0.6)', true],
  ['Math.eq(x, x) && Math.peq(x, x) && !Math.neq(x, x) && !Math.pneq(x, x)', true],
  ['Math.isFinite(x) && !Math.isNaN(x)', true],
  ['Math.max(x, 0.25) + Math.min(x, 1, 2) + Math.pow(x, 2) + Math.abs(-x) + Math.PI', 1.75 + Math.PI],
  ['sum(map(Math.exp, [x, 0]))', Math.exp(0.5) + 1],
];

describe('of a number', () => {
  test.each(EXPRESSIONS)('%s', async (text, expected) => {
    const given = typeof expected === 'number' ? `${text}` : `(${text}) ? 1 : 0`;
    const close = Number(expected);
    expect(await valueIn(`var x = 0.5; ${given}`)).toBeCloseTo(close, 12);
    const model = 'function() { var k = flip(0.5); var x = k ? 0.5 : 0.75; condition(x < 0.6); return';
    for (const method of ["'importance', samples: 20", "'rejection', samples: 20", "'enumerate'"]) {
      const code = `expectation(Infer({method: ${method}, model: ${model} ${given} }}))`;
      expect(await valueIn(code)).toBeCloseTo(close, 9);
    }
    const chain = `expectation(Infer({method: 'MCMC', samples: 20, burn: 20, model: ${model} ${given} }}))`;
    expect(await valueIn(chain)).toBeCloseTo(close, 9);
    const lifted = `expectation(Infer({method: 'MCMC', kernel: {HMC: {steps: 2, stepSize: 0.1}}, samples: 3,
      model: function() { var x = uniform(0.5, 0.5000001); return ${given} }}))`;
    expect(await valueIn(lifted)).toBeCloseTo(close, 5);
  });
});

describe('of a tensor', () => {
  test('entry by entry', async () => {
    const value = (await valueIn(
      'var t = Vector([0, 1]); [Math.exp(t), Math.sigmoid(t), Math.max(t, 0.5), Math.pow(2, t)]',
    )) as Tensor[];
    expect(value.map((one) => one instanceof Tensor && [...one.data])).toEqual([
      [1, Math.E],
      [0.5, 1 / (1 + Math.exp(-1))],
      [0.5, 1],
      [1, 2],
    ]);
  });

  test('parameters of one entry', async () => {
    const code = 'setParams({p: Vector([0.5])}); var q = getParams().p; [Math.sigmoid(q) < 1, Math.exp(q)]';
    const [below, exp] = (await valueIn(code)) as [boolean, Tensor];
    expect(below).toBe(true);
    expect([...exp.data]).toEqual([Math.exp(0.5)]);
  });

  test('no number is made of several entries without a word', async () => {
    await expect(valueIn('var t = Vector([0, 1]); Number(t)')).rejects.toThrow('A tensor of dims [2, 1] is no number.');
    await expect(valueIn('Math.max(Vector([0, 1]), Vector([1, 2, 3]))')).rejects.toThrow(
      'Math.max needs tensors of the same dims, or with 1 where they differ, got [2, 1] and [3, 1].',
    );
    await expect(valueIn("Math.pow(Vector([0, 1]), 'a')")).rejects.toThrow('Math.pow combines a tensor with numbers');
  });
});

test('gradients of WebPPL’s additions', async () => {
  const code = `Optimize({steps: 1, optMethod: {sgd: {stepSize: 1}}, model: function() {
      var x = param({name: 'x', init: constF(Tensor([1], [0.5]))});
      factor(Math.sum([x, x]) + Math.logGamma(x) + Math.add(x, Math.neg(Math.mul(3, x))));
    }}); getParams().x`;
  const moved = (await valueIn(code)) as Tensor | number;
  const at = typeof moved === 'number' ? moved : moved.data[0];
  // The derivative is 2 + ψ(1/2) − 2, and the optimiser goes up.
  expect(at - 0.5).toBeCloseTo(-1.9635100260214235, 9);
});
