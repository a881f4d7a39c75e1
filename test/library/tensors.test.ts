import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';
import {
  ad,
  concat,
  dims,
  idMatrix,
  Matrix,
  numeric,
  oneHot,
  oneOfK,
  ones,
  relu,
  sigmoid,
  simplex,
  softmax,
  softplus,
  squishToProbSimplex,
  T,
  Tensor,
  tanh,
  tensorToVector,
  Vector,
  zeros,
} from '../../src/scope.ts';

const near = (values: number[]) => values.map((value) => expect.closeTo(value, 12));

describe('constructors', () => {
  test('shapes and entries', () => {
    expect(Vector([1, 2]).dims).toEqual([2, 1]);
    expect([...Vector([true, false]).data]).toEqual([1, 0]);
    expect(
      Matrix([
        [1, 2, 3],
        [4, 5, 6],
      ]),
    ).toEqual(Tensor([2, 3], [1, 2, 3, 4, 5, 6]));
    expect([...zeros([2, 2]).data, ...ones([3]).data]).toEqual([0, 0, 0, 0, 1, 1, 1]);
    expect([...idMatrix(2).data]).toEqual([1, 0, 0, 1]);
    expect(oneHot(1, 3)).toEqual(Vector([0, 1, 0]));
    expect(oneOfK(1, 3)).toEqual(oneHot(1, 3));
    expect(dims(ones([2, 3]))).toEqual([2, 3]);
    expect(concat([Vector([1, 2]), Vector([3])])).toEqual(Vector([1, 2, 3]));
    expect(concat([])).toEqual(Vector([]));
    expect(
      tensorToVector(
        Matrix([
          [1, 2],
          [3, 4],
        ]),
      ),
    ).toEqual(Vector([1, 2, 3, 4]));
    expect(tensorToVector(T.fromScalars([1, 2])).dims).toEqual([2, 1]);
  });

  test('mistakes', () => {
    expect(() => Vector([1, 'a'] as never)).toThrow('Vector needs numbers as its entries, got the string "a".');
    expect(() => Matrix([[1, 2], [3]])).toThrow('Matrix needs rows of one length: row 0 has 2 entries, row 1 has 1.');
    expect(() => Tensor([2, 2], [1])).toThrow('Tensor of dims [2, 2] needs 4 entries, got 1.');
    expect(() => zeros(3 as never)).toThrow(
      'zeros needs its dimensions as an array of whole numbers, such as [3, 1]; got 3. Write [3, 1] for a vector of that length.',
    );
    expect(() => oneHot(3, 3)).toThrow('oneHot(k, n) needs whole numbers with 0 ≤ k < n, got k = 3, n = 3.');
    expect(() => idMatrix(0)).toThrow('idMatrix needs a whole number of at least 1, got 0.');
    expect(() => dims([1] as never)).toThrow('dims needs a tensor, got an array of length 1.');
    expect(() => concat([[1]] as never)).toThrow('concat needs vectors, got an array of length 1 at index 0.');
  });
});

describe('T, entry by entry', () => {
  const v = Vector([0.5, 2]);

  test.each([
    ['neg', (x: number) => -x],
    ['floor', Math.floor],
    ['ceil', Math.ceil],
    ['round', Math.round],
    ['sqrt', Math.sqrt],
    ['exp', Math.exp],
    ['log', Math.log],
    ['abs', Math.abs],
    ['sin', Math.sin],
    ['cos', Math.cos],
    ['tan', Math.tan],
    ['asin', Math.asin],
    ['acos', Math.acos],
    ['atan', Math.atan],
    ['sinh', Math.sinh],
    ['cosh', Math.cosh],
    ['tanh', Math.tanh],
    ['asinh', Math.asinh],
    ['acosh', Math.acosh],
    ['atanh', Math.atanh],
    ['sigmoid', (x: number) => 1 / (1 + Math.exp(-x))],
  ] as const)('%s', (name, f) => {
    const result = T[name](v);
    expect(result.dims).toEqual([2, 1]);
    [0.5, 2].forEach((x, i) => {
      if (Number.isNaN(f(x))) expect(result.data[i]).toBeNaN();
      else expect(result.data[i]).toBeCloseTo(f(x), 12);
    });
  });

  test('logGamma, isNaN, isFinite', () => {
    expect([...T.logGamma(Vector([5])).data]).toEqual(near([Math.log(24)]));
    expect([...T.isNaN(Vector([Number.NaN, 1])).data]).toEqual([1, 0]);
    expect([...T.isFinite(Vector([Infinity, 1])).data]).toEqual([0, 1]);
  });

  test.each([
    ['add', 5, 7],
    ['sub', -1, 1],
    ['mul', 6, 12],
    ['div', 2 / 3, 4 / 3],
    ['pow', 8, 64],
    ['min', 2, 3],
    ['max', 3, 4],
    ['atan2', Math.atan2(2, 3), Math.atan2(4, 3)],
  ] as const)('%s with a number and with a tensor', (name, first, second) => {
    expect([...T[name](Vector([2, 4]), 3).data]).toEqual(near([first, second]));
    expect([...T[name](Vector([2, 4]), Vector([3, 3])).data]).toEqual(near([first, second]));
  });

  test('shapes must agree, but [n] and [n, 1] are both vectors', () => {
    expect(T.add(Vector([1, 2]), T.fromScalars([1, 1]))).toEqual(Vector([2, 3]));
    expect(() => T.add(Vector([1, 2]), Vector([1]))).toThrow(
      'T.add needs as its second operand a number, or a tensor of dims [2, 1] or with 1 where they differ, got a tensor of dims [1, 1].',
    );
    expect(() => T.add(ones([2, 3]), ones([3, 2]))).toThrow(
      'T.add needs as its second operand a number, or a tensor of dims [2, 3]',
    );
    expect(() => T.exp([1] as never)).toThrow(
      'T.exp needs a tensor, got an array of length 1. Make a vector of it with Vector(array).',
    );
  });
});

describe('T, matrices', () => {
  const a = Matrix([
    [4, 2],
    [2, 3],
  ]);

  test('transpose, diagonal, dot', () => {
    expect(T.transpose(Matrix([[1, 2, 3]]))).toEqual(Vector([1, 2, 3]));
    expect(
      T.transpose(
        Matrix([
          [1, 2],
          [3, 4],
        ]),
      ),
    ).toEqual(
      Matrix([
        [1, 3],
        [2, 4],
      ]),
    );
    expect(T.diagonal(Vector([1, 2]))).toEqual(
      Matrix([
        [1, 0],
        [0, 2],
      ]),
    );
    expect(
      T.dot(
        Matrix([
          [1, 2],
          [3, 4],
        ]),
        Vector([5, 6]),
      ),
    ).toEqual(Vector([17, 39]));
    expect(() => T.dot(a, Vector([1]))).toThrow(
      'T.dot needs as many columns on the left as rows on the right: got 2×2 and 1×1.',
    );
  });

  test('determinant and inverse', () => {
    expect(T.determinant(a)).toBeCloseTo(8, 12);
    expect(
      T.determinant(
        Matrix([
          [0, 1],
          [1, 0],
        ]),
      ),
    ).toBe(-1);
    expect(
      T.determinant(
        Matrix([
          [1, 2],
          [2, 4],
        ]),
      ),
    ).toBe(0);
    expect([...T.inverse(a).data]).toEqual(near([3 / 8, -2 / 8, -2 / 8, 4 / 8]));
    const b = Matrix([
      [0, 2, 1],
      [1, 0, 3],
      [2, 1, 0],
    ]);
    expect([...T.dot(b, T.inverse(b)).data]).toEqual(near([1, 0, 0, 0, 1, 0, 0, 0, 1]));
    expect(() =>
      T.inverse(
        Matrix([
          [1, 2],
          [2, 4],
        ]),
      ),
    ).toThrow('T.inverse: the matrix is singular, so it has no inverse.');
    expect(() => T.determinant(Matrix([[1, 2]]))).toThrow('T.determinant needs a square matrix');
  });

  test('cholesky', () => {
    const l = T.cholesky(a);
    expect(l.data[1]).toBe(0);
    expect([...T.dot(l, T.transpose(l)).data]).toEqual(near([4, 2, 2, 3]));
    expect(() =>
      T.cholesky(
        Matrix([
          [1, 2],
          [2, 1],
        ]),
      ),
    ).toThrow('T.cholesky needs a positive definite matrix; this one fails at row 1.');
  });
});

describe('T, entries', () => {
  test('reductions and picking', () => {
    expect(T.sumreduce(Vector([1, 2]))).toBe(3);
    expect([T.allreduce(Vector([1, 0])), T.anyreduce(Vector([1, 0])), T.anyreduce(Vector([0]))]).toEqual([
      false,
      true,
      false,
    ]);
    expect(T.get(Vector([1, 5]), 1)).toBe(5);
    expect(() => T.get(Vector([1, 5]), 2)).toThrow(
      'T.get needs an index from 0 to 1 for a tensor of dims [2, 1], got 2.',
    );
    expect(
      T.toScalars(
        Matrix([
          [1, 2],
          [3, 4],
        ]),
      ),
    ).toEqual([1, 2, 3, 4]);
  });

  test('rearranging', () => {
    expect(T.fromScalars([1, 2]).dims).toEqual([2]);
    expect(T.range(Vector([1, 2, 3, 4]), 1, 3)).toEqual(Tensor([2], [2, 3]));
    expect(T.split(Vector([1, 2, 3]), [1, 2])).toEqual([Tensor([1], [1]), Tensor([2], [2, 3])]);
    expect(T.concat([Vector([1, 2]), Vector([3])])).toEqual(Tensor([3], [1, 2, 3]));
    expect(T.concat(Vector([1, 2]), zeros([1]))).toEqual(Tensor([3], [1, 2, 0]));
    expect(T.reshape(Vector([1, 2, 3, 4]), [2, 2])).toEqual(
      Matrix([
        [1, 2],
        [3, 4],
      ]),
    );
    expect(() => T.reshape(Vector([1]), [2])).toThrow('T.reshape needs dimensions whose product is 1, got [2].');
    expect(() => T.range(Vector([1]), 0, 2)).toThrow(
      'T.range needs whole numbers with 0 ≤ from ≤ to ≤ 1, got 0 and 2.',
    );
  });

  test('a number may come first', () => {
    expect(T.sub(1, Vector([1, 3]))).toEqual(Vector([0, -2]));
    expect(T.div(6, Vector([2, 3]))).toEqual(Vector([3, 2]));
  });

  test('a number is a tensor of one entry, with gradients and without', async () => {
    const calls = [
      'get(x, 0)',
      'toScalars(x)[0]',
      'sumreduce(x)',
      'exp(x)',
      'sub(1, x)',
      'softmax(x)',
      'reshape(x, [1, 1])[0]',
    ];
    const text = `[${calls.map((call) => `T.${call}`).join(', ')}].join()`;
    const { value, outputs } = await run(
      `Optimize({steps: 1, verbose: false, checkGradients: false, model: function() {
        var x = param({name: 'x', mu: 0.5, sigma: 0});
        display(${text});
        factor(x);
      }});
      var x = 0.5;
      ${text}`,
      { seed: 1, warn: () => {} },
    );
    expect(outputs[0].text).toBe(value);
  });

  test('softmax survives large entries', () => {
    expect([...T.softmax(Vector([1000, 1000])).data]).toEqual([0.5, 0.5]);
  });
});

describe('methods', () => {
  const m = Matrix([
    [1, 2],
    [3, 4],
  ]);

  test('are the functions of T', () => {
    expect(Vector([1, 2]).add(1)).toEqual(Vector([2, 3]));
    expect(Vector([1, 2]).mul(Vector([3, 4]))).toEqual(Vector([3, 8]));
    expect(m.dot(Vector([1, 1]))).toEqual(Vector([3, 7]));
    expect(m.transpose().get([0, 1])).toBe(3);
    expect([m.sumreduce(), m.maxreduce(), m.minreduce()]).toEqual([10, 4, 1]);
    expect(Object.keys(m)).not.toContain('add');
  });

  test('and the ways out of tensors', () => {
    expect(Vector([1, 2]).toArray()).toEqual([[1], [2]]);
    expect(T.fromScalars([1, 2]).toArray()).toEqual([1, 2]);
    expect(m.toArray()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(m.toFlatArray()).toEqual([1, 2, 3, 4]);
    expect(m.clone()).toEqual(m);
    expect(() => m.get([2, 0])).toThrow(
      'get needs coordinates within [2, 2], such as get([0, 0]); got an array of length 2.',
    );
  });
});

describe('activations', () => {
  test('take numbers, tensors and arrays', () => {
    expect(sigmoid(0)).toBe(0.5);
    expect(sigmoid(Vector([0]))).toEqual(Vector([0.5]));
    expect(sigmoid([0, 0])).toEqual([0.5, 0.5]);
    expect(softplus(0)).toBeCloseTo(Math.log(2), 12);
    expect(softplus(1000)).toBe(1000);
    expect(softplus(-1000)).toBe(0);
    expect(tanh(1)).toBe(Math.tanh(1));
    expect(relu([-1, 2])).toEqual([0, 2]);
    expect(() => sigmoid('x' as never)).toThrow(
      'sigmoid needs a number, a tensor or an array of numbers, got the string "x".',
    );
  });

  test('onto the simplex', () => {
    expect([...softmax(Vector([0, 0])).data]).toEqual([0.5, 0.5]);
    expect(softmax([Math.log(3), 0])).toEqual(near([0.75, 0.25]));
    expect(squishToProbSimplex(Vector([0])).dims).toEqual([2, 1]);
    expect([...simplex(Vector([Math.log(2), Math.log(2)])).data]).toEqual(near([0.4, 0.4, 0.2]));
    expect(simplex([0])).toEqual([0.5, 0.5]);
    expect(() => simplex(Matrix([[1, 2]]))).toThrow('squishToProbSimplex needs a vector');
    expect(() => softmax(3 as never)).toThrow('softmax needs a vector or an array of numbers, got 3.');
  });
});

describe('ad and numeric', () => {
  test('plain values are what they are', () => {
    expect([ad.lift(3), ad.isLifted(3), ad.value(3)]).toEqual([3, false, 3]);
    expect(ad.valueRec({ a: [1] })).toEqual({ a: [1] });
    expect(ad.tensor).toBe(T);
    expect([ad.scalar.add(1, 2), ad.scalar.exp(0), ad.scalar.PI, ad.scalar.leq(1, 1)]).toEqual([3, 1, Math.PI, true]);
  });

  test('numeric', () => {
    expect(numeric.fact(5)).toBe(120);
    expect(numeric.lnfact(5)).toBeCloseTo(Math.log(120), 12);
    expect(numeric.logaddexp(1, 2)).toBeCloseTo(2.313261687518223, 12);
    expect(numeric._logsumexp([1, 2])).toBeCloseTo(2.313261687518223, 12);
    expect([numeric.sum([1, 2]), numeric.product([2, 3])]).toEqual([3, 6]);
    expect(numeric.LOG_2PI).toBeCloseTo(Math.log(2 * Math.PI), 14);
    expect(() => numeric.fact(-1)).toThrow('numeric.fact needs a whole number of at least 0, got -1.');
  });
});
