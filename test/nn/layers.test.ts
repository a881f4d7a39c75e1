import { describe, expect, test } from 'vitest';
import { machine } from '../../src/runtime/machine.ts';
import type { Tensor } from '../../src/tensor/tensor.ts';
import { exactGradient } from '../optimize/exact-elbo.ts';
import { gradientMoments, modelOf } from '../optimize/gradient-samples.ts';
import { failure, runProgram } from '../optimize/run-optimize.ts';

const valuesOf = async (code: string): Promise<{ dims: readonly number[]; data: number[] }> => {
  const { dims, data } = (await runProgram(code)).value as Tensor;
  return { dims, data: [...data] };
};

/** Initial values 0.1, 0.2, … in order. */
const COUNTING =
  'var counting = function(dims) { return Tensor(dims, mapN(function(i) { return (i + 1) / 10; }, product(dims))); };\n';

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

describe('layers by hand', () => {
  test('linear, bias, affine', async () => {
    const x = 'Vector([1, 2, 3])';
    const linear = await valuesOf(`${COUNTING} linear('l', {in: 3, out: 2, init: counting})(${x})`);
    expect(linear).toEqual({ dims: [2, 1], data: [expect.closeTo(1.4, 12), expect.closeTo(3.2, 12)] });
    expect(await valuesOf(`bias('b', {out: 3, initb: 0.5})(${x})`)).toEqual({ dims: [3, 1], data: [1.5, 2.5, 3.5] });
    const affine = await valuesOf(`${COUNTING} affine('a', {in: 3, out: 2, init: counting, initb: 1})(${x})`);
    expect(affine.data).toEqual([expect.closeTo(2.4, 12), expect.closeTo(4.2, 12)]);
    const applied = await valuesOf(`linear(Vector([1, 2]), Matrix([[1, 2], [3, 4]]), Vector([10, 20]))`);
    expect(applied).toEqual({ dims: [2, 1], data: [15, 31] });
  });

  test('a stack of them, the last first', async () => {
    const { data } = await valuesOf(
      `${COUNTING} stack([sigmoid, affine('b', {in: 2, out: 1, init: counting}), relu, affine('a', {in: 1, out: 2, init: counting})])(Vector([3]))`,
    );
    expect(data[0]).toBeCloseTo(sigmoid(0.1 * 0.3 + 0.2 * 0.6), 12);
  });

  test('rnn', async () => {
    const code = (rest: string): string =>
      `${COUNTING} rnn('r', {hdim: 1, xdim: 1, ctor: function(name, o) { return affine(name, {in: o.in, out: o.out, init: counting}); }${rest}})(Vector([0.5]), Vector([2]))`;
    expect((await valuesOf(code(''))).data[0]).toBeCloseTo(Math.tanh(0.1 * 0.5 + 0.2 * 2), 12);
    expect((await valuesOf(code(', output: sigmoid'))).data[0]).toBeCloseTo(sigmoid(0.45), 12);
  });

  test('gru', async () => {
    const { data } = await valuesOf(
      `${COUNTING} gru('g', {hdim: 1, xdim: 1, ctor: function(name, o) { return affine(name, {in: o.in, out: o.out, init: counting}); }})(Vector([0.5]), Vector([2]))`,
    );
    const gate = sigmoid(0.1 * 0.5 + 0.2 * 2);
    const candidate = Math.tanh(0.1 * gate * 0.5 + 0.2 * 2);
    expect(data[0]).toBeCloseTo((1 - gate) * 0.5 + gate * candidate, 12);
  });

  test('lstm: the state is memory and hidden state', async () => {
    const { dims, data } = await valuesOf(`
      setParams(mapObject(function(name, value) { return Matrix([[0.1, 0.2]]); }, {
        lforgetw: 0, linputw: 0, loutputw: 0, lcandidatew: 0}));
      lstm('l', {hdim: 2, xdim: 1})(Vector([0.7, 0.5]), Vector([2]))`);
    const sum = 0.1 * 0.5 + 0.2 * 2;
    const memory = sigmoid(sum + 1) * 0.7 + sigmoid(sum) * Math.tanh(sum);
    expect(dims).toEqual([2, 1]);
    expect(data[0]).toBeCloseTo(memory, 12);
    expect(data[1]).toBeCloseTo(sigmoid(sum) * Math.tanh(memory), 12);
  });

  test('conv2d and maxPool', async () => {
    const image = 'Tensor([1, 3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9])';
    const convolved = await valuesOf(
      `${COUNTING} conv2d('c', {in: 1, out: 1, size: 2, init: counting, initb: 1})(${image})`,
    );
    const patch = (a: number, b: number, c: number, d: number): unknown =>
      expect.closeTo(1 + 0.1 * a + 0.2 * b + 0.3 * c + 0.4 * d, 12);
    expect(convolved.dims).toEqual([1, 2, 2]);
    expect(convolved.data).toEqual([patch(1, 2, 4, 5), patch(2, 3, 5, 6), patch(4, 5, 7, 8), patch(5, 6, 8, 9)]);
    const padded = await valuesOf(
      `${COUNTING} conv2d('c', {in: 1, out: 2, size: [1, 3], stride: 2, padding: 1, init: counting})(${image})`,
    );
    expect(padded.dims).toEqual([2, 3, 2]);
    expect(padded.data.slice(2, 4)).toEqual([
      expect.closeTo(0.2 * 4 + 0.3 * 5, 12),
      expect.closeTo(0.1 * 5 + 0.2 * 6, 12),
    ]);
    expect(await valuesOf(`maxPool({size: 2, stride: 1})(${image})`)).toEqual({ dims: [1, 2, 2], data: [5, 6, 8, 9] });
    expect(await valuesOf(`maxPool({size: 3})(${image})`)).toEqual({ dims: [1, 1, 1], data: [9] });
  });

  test('layerNorm', async () => {
    const { data } = await valuesOf(`layerNorm('n', {in: 3})(Vector([1, 2, 6]))`);
    const deviation = Math.sqrt(14 / 3 + 1e-5);
    expect(data).toEqual([-2, -1, 3].map((x) => expect.closeTo(x / deviation, 12)));
  });

  test('embedding', async () => {
    const code = `${COUNTING} embedding('e', {in: 3, out: 2, init: counting})(1)`;
    expect(await valuesOf(code)).toEqual({ dims: [2, 1], data: [0.3, 0.4] });
  });

  test('xavier and he have the spread they promise', async () => {
    const spread = async (init: string, dims: string): Promise<number> => {
      const { data } = await valuesOf(`param({name: 'w', dims: ${dims}, init: ${init}})`);
      return Math.sqrt(data.reduce((sum, x) => sum + x * x, 0) / data.length);
    };
    // 20,000 numbers: the error of a deviation is half a percent.
    expect((await spread('xavier', '[100, 200]')) / Math.sqrt(2 / 300)).toBeCloseTo(1, 1.3);
    expect((await spread('he', '[100, 200]')) / Math.sqrt(2 / 200)).toBeCloseTo(1, 1.3);
    expect((await spread('he', '[50, 16, 5, 5]')) / Math.sqrt(2 / 400)).toBeCloseTo(1, 1.3);
  });
});

describe('networks in the style of the paper', () => {
  test('mlp', async () => {
    const { value } = await runProgram(`var net = nn.mlp(2, [{nOut: 3, activation: nn.tanh}, {nOut: 1}], 'net');
      [nneval(net, Vector([1, 2])), getParams(), nnEval(net, Vector([1, 2]))]`);
    const [out, params, again] = value as [Tensor, Record<string, Tensor>, Tensor];
    expect(Object.keys(params).sort()).toEqual(['net.0b', 'net.0w', 'net.1b', 'net.1w']);
    const w = params['net.0w'].data;
    const hidden = [0, 1, 2].map((i) => Math.tanh(w[2 * i] + 2 * w[2 * i + 1]));
    const v = params['net.1w'].data;
    expect(out.data[0]).toBeCloseTo(
      hidden.reduce((sum, h, i) => sum + h * v[i], 0),
      12,
    );
    expect([...again.data]).toEqual([...out.data]);
  });

  test('sequence, convolution, maxpool, layernorm, embedding, constantparams', async () => {
    const { value } = await runProgram(`
      var net = nn.sequence([nn.convolution({in: 1, out: 2, size: 3}, 'c'), nn.maxpool({size: 2}), nn.linear(8, 4, 'l'), nn.layernorm({in: 4}, 'n')]);
      [nneval(net, zeros([1, 6, 6])).dims, nneval(nn.embedding({in: 5, out: 3}, 'e'), 4).dims, nneval(nn.constantparams([7], 'k')).dims]`);
    expect(value).toEqual([[4, 1], [3, 1], [7, 1]]); // biome-ignore format: dims
  });

  test('recurrent units take [state, input], or one vector with the input first', async () => {
    const { value } = await runProgram(`var unit = makeGRU(2, 1, 'g');
      [nneval(unit, [Vector([1, 2]), Vector([3])]), nneval(unit, Vector([3, 1, 2])), nneval(makeRNN(2, 1, 'r'), Vector([3, 1, 2])), nneval(makeLSTM(2, 1, 'l'), Vector([3, 1, 2]))]`);
    const [a, b, c, d] = value as Tensor[];
    expect([...a.data]).toEqual([...b.data]);
    expect(c.dims).toEqual([2, 1]);
    expect(d.dims).toEqual([2, 1]);
  });
});

describe('gradients reach all parameters', () => {
  const X = 'Vector([0.3, -0.8])';
  const cases: [string, string][] = [
    ['affine', `affine('n', {in: 2, out: 3})(${X})`],
    ['affine, in the model', `affine('n', {in: 2, out: 3, param: modelParam})(${X})`],
    ['mlp', `nneval(nn.mlp(2, [{nOut: 3, activation: nn.sigmoid}, {nOut: 2, activation: nn.softplus}, {nOut: 2, activation: nn.relu}], 'n'), ${X})`],
    ['mlp in the model', `nnevalModel(nn.mlp(2, [{nOut: 3, activation: nn.tanh}], 'n'), ${X})`],
    ['rnn', `rnn('n', {hdim: 3, xdim: 2})(Vector([1, 2, 3]), ${X})`],
    ['gru', `gru('n', {hdim: 3, xdim: 2})(Vector([1, 2, 3]), ${X})`],
    ['lstm', `lstm('n', {hdim: 4, xdim: 2})(Vector([1, 2, 3, 4]), ${X})`],
    ['conv2d', `conv2d('n', {in: 1, out: 2, size: 2, stride: 2, padding: 1})(Tensor([1, 3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9]))`],
    ['maxPool after conv2d', `maxPool({size: 2})(conv2d('n', {in: 1, out: 2, size: 2})(Tensor([1, 3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9])))`],
    ['layerNorm', `layerNorm('n', {in: 3})(affine('m', {in: 2, out: 3})(${X}))`],
    ['embedding', `embedding('n', {in: 4, out: 3})(2)`],
    ['linear(x, W, b)', `linear(${X}, param({name: 'W', dims: [3, 2]}), param({name: 'b', dims: [3, 1]}))`],
  ]; // biome-ignore format: a table

  test.each(cases)('%s', async (_name, expression) => {
    const model = await modelOf(`var model = function() {
      var out = ${expression};
      factor(T.sumreduce(T.mul(out, out)) + T.sumreduce(T.sin(out)));
    }; model`);
    const { params } = machine;
    gradientMoments(model, params, {}, 2, { warmUp: 0 });
    expect(params.size).toBeGreaterThan(0);
    const { gradients } = gradientMoments(model, params, {}, 2, { warmUp: 0 });
    for (const [name, slopes] of exactGradient(model, params)) {
      const { mean } = gradients.get(name)!;
      // Networks compute in single precision, whose numbers are 1e-7 of their size apart.
      for (let i = 0; i < slopes.length; i++) {
        expect(Math.abs(mean[i] - slopes[i])).toBeLessThan(5e-6 * Math.max(1, Math.abs(slopes[i])));
      }
    }
  });
});

describe('mistakes', () => {
  const cases: [string, string][] = [
    ["affine({in: 2, out: 3})", "affine takes a name first, as in affine('name', {…}); got an object with in, out."],
    ["affine('n', {in: 2})", 'affine: out must be an integer of at least 1, got undefined.'],
    ["affine('n', {in: 2, outs: 3})", "affine has no option 'outs'; it takes in, out, param, init, initb. Did you mean 'out'?"],
    ["affine('n', {in: 2, out: 3})(Vector([1]))", "linear 'nw' takes a vector of length 2, got one of length 1."],
    ["affine('n', {in: 2, out: 3})(7)", "linear 'nw' takes a tensor, got number."],
    ["gru('n', {hdim: 2, xdim: 1})(Vector([1]), Vector([1]))", "gru 'n' takes a vector of length 2, got one of length 1."],
    ["lstm('n', {hdim: 3, xdim: 1})", 'lstm: hdim must be even, half memory and half hidden; got 3.'],
    ["conv2d('n', {in: 1, out: 1, size: 0})", 'conv2d: size must be an integer of at least 1, or [height, width]; got 0.'],
    ["conv2d('n', {in: 1, out: 1, size: 2, stride: 0})", 'conv2d: stride must be an integer of at least 1, got 0.'],
    ["conv2d('n', {in: 2, out: 1, size: 2})(zeros([1, 3, 3]))", "conv2d 'n' takes an image of dims [2, height, width], got dims [1, 3, 3]."],
    ["conv2d('n', {in: 1, out: 1, size: 4})(zeros([1, 3, 3]))", "conv2d 'n' takes an image of dims [1, height, width] of at least 4 × 4, got 3 × 3."],
    ["maxPool({size: 2})(Vector([1, 2]))", 'maxPool takes an image of dims [channels, height, width], got dims [2, 1].'],
    ["layerNorm('n', {in: 2})(Vector([1]))", "layerNorm 'n' takes a vector of length 2, got one of length 1."],
    ["embedding('n', {in: 3, out: 2})(3)", "embedding 'n' takes a whole number from 0 to 2, got 3."],
    ["nn.mlp(2, [{nOut: 3}])", 'nn.mlp needs a name as its last argument, by which its parameters are kept; got undefined.'],
    ["nn.mlp(2, [], 'n')", 'nn.mlp takes layers such as [{nOut: 3, activation: nn.sigmoid}, {nOut: 2}], got an array of length 0.'],
    ["nn.mlp(2, [3], 'n')", 'nn.mlp takes layers such as [{nOut: 3, activation: nn.sigmoid}, {nOut: 2}], got an array of length 1.'],
    ["nn.mlp(2, [{nOut: 3}, {nout: 3}], 'n')", "nn.mlp: layer 1 has no option 'nout'; it takes nOut, activation. Did you mean 'nOut'?"],
    ["nn.mlp(2, [{nOut: 3, activaton: nn.tanh}], 'n')", "nn.mlp: layer 0 has no option 'activaton'; it takes nOut, activation. Did you mean 'activation'?"],
    ["nn.mlp(2, [{}], 'n')", 'nn.mlp: layer 0: nOut must be an integer of at least 1, got undefined.'],
    ["nn.mlp('n', [{nOut: 3}], 'n')", 'nn.mlp takes the length of its input first, an integer of at least 1; got the string "n".'],
    ["nn.mlp(2, [{nOut: 3, activation: 'tanh'}], 'n')", 'nn.mlp: layer 0: activation must be a function such as nn.sigmoid, got the string "tanh".'],
    ["nneval(3, Vector([1]))", 'nneval takes a network first, such as nn.mlp(…) makes; got 3.'],
    ["nneval(makeGRU(2, 1, 'g'), Vector([1]))", "makeGRU 'g' takes [state, input], or one vector of 1 + 2 numbers; got 1 numbers."],
    ["nn.constantparams(3, 'n')", "nn.constantparams takes dims first, as in nn.constantparams([3], 'name'); got 3."],
    ["nn.sequence(nn.linear(1, 2, 'n'))", 'nn.sequence takes an array of networks, got an object with name, build.'],
    ["nn.sequence([nn.relu, 3])", 'nn.sequence takes networks, and functions such as nn.relu between them; got 3.'],
    ["xavier([3])", 'xavier makes matrices, dims such as [out, in]; got an array of length 1.'],
  ]; // biome-ignore format: a table

  test.each(cases)('%s', async (code, message) => {
    expect(await failure(code)).toBe(message);
  });
});
