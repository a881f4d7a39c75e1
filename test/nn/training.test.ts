/** Every layer learns something that it is needed for, in both styles, for all data at once and one by one. */
import { describe, expect, test } from 'vitest';
import { runProgram } from '../optimize/run-optimize.ts';

/** A function to be learned: examples `{x, y}`, and what is to learn them. */
interface Task {
  readonly data: string;
  /** A function's body, which returns a function of x; in WebPPL's style it declares layers. */
  readonly layers: string;
  /** The same in the paper's style. */
  readonly networks: string;
}

/** Bars in a picture: upright ones are worth 1, lying ones −1, wherever they are. */
const PICTURES = `map(function(k) {
  var bar = function(i) { return (k < 4 ? i % 4 : Math.floor(i / 4)) === k % 4 ? 1 : 0; };
  return {x: Tensor([1, 4, 4], mapN(bar, 16)), y: k < 4 ? 1 : -1};
}, range(8))`;

/** Whether the first and the last of three bits are the same. */
const SEQUENCES = `map(function(k) {
  var bits = [k % 2, Math.floor(k / 2) % 2, Math.floor(k / 4)];
  return {x: map(function(bit) { return Vector([2 * bit - 1]); }, bits), y: bits[0] === bits[2] ? 1 : -1};
}, range(8))`;

/** The state after a sequence, and a number from it. */
const LAST = 'return function(xs) { return out(reduce(function(x, h) { return step(h, x); }, zeros([6, 1]), xs)); };';

const recurrent = (layer: string, network: string): Task => ({
  data: SEQUENCES,
  layers: `var step = ${layer}('step', {hdim: 6, xdim: 1, param: modelParam});
    var out = affine('out', {in: 6, out: 1, param: modelParam}); ${LAST}`,
  networks: `var unit = ${network}(6, 1, 'step'); var end = nn.linear(6, 1, 'out');
    var step = function(h, x) { return nnevalModel(unit, [h, x]); };
    var out = function(h) { return nnevalModel(end, h); }; ${LAST}`,
});

const TASKS: Readonly<Record<string, Task>> = {
  'layers of a perceptron: exclusive or': {
    data: '[{x: [0, 0], y: -1}, {x: [0, 1], y: 1}, {x: [1, 0], y: 1}, {x: [1, 1], y: -1}]',
    layers: `return stack([affine('b', {in: 4, out: 1, param: modelParam}), tanh, affine('a', {in: 2, out: 4, param: modelParam}), Vector]);`,
    networks: `var net = nn.mlp(2, [{nOut: 4, activation: nn.tanh}, {nOut: 1}], 'net');
      return function(x) { return nnevalModel(net, Vector(x)); };`,
  },
  // With as many channels as this, enough of them are alive at the start, whatever the seed.
  'convolution and pooling: bars anywhere in a picture': {
    data: PICTURES,
    layers: `var end = affine('end', {in: 24, out: 1, param: modelParam});
      return stack([end, maxPool({size: 3}), relu, conv2d('edges', {in: 1, out: 24, size: 2, param: modelParam})]);`,
    networks: `var net = nn.sequence([nn.convolution({in: 1, out: 24, size: 2}, 'edges'), nn.relu, nn.maxpool({size: 3}), nn.linear(24, 1, 'end')]);
      return function(x) { return nnevalModel(net, x); };`,
  },
  'layer norm: whatever the scale': {
    data: '[{x: [1, 2], y: -0.5}, {x: [2, 1], y: 1}, {x: [1000, 2000], y: -0.5}, {x: [7000, 100], y: 1}]',
    layers: `return stack([affine('end', {in: 2, out: 1, param: modelParam}), layerNorm('norm', {in: 2, param: modelParam}), Vector]);`,
    networks: `var net = nn.sequence([nn.layernorm({in: 2}, 'norm'), nn.linear(2, 1, 'end')]);
      return function(x) { return nnevalModel(net, Vector(x)); };`,
  },
  'embedding: things without an order': {
    data: 'map(function(k) { return {x: k, y: [0.5, -1, 1, -0.5][k]}; }, range(4))',
    layers: `return stack([affine('end', {in: 2, out: 1, param: modelParam}), embedding('things', {in: 4, out: 2, param: modelParam})]);`,
    networks: `var net = nn.sequence([nn.embedding({in: 4, out: 2}, 'things'), nn.linear(2, 1, 'end')]);
      return function(x) { return nnevalModel(net, x); };`,
  },
  'constants: the mean': {
    data: '[{x: 0, y: 0.9}, {x: 1, y: 1.1}]',
    layers: `var c = modelParam({name: 'c', dims: [1, 1]}); return function() { return c; };`,
    networks: `var net = nn.constantparams([1], 'c'); return function() { return nnevalModel(net); };`,
  },
  'rnn: what came first': recurrent('rnn', 'makeRNN'),
  'gru: what came first': recurrent('gru', 'makeGRU'),
  'lstm: what came first': recurrent('lstm', 'makeLSTM'),
};

/** Learns the function, and applies what was learned to the examples. */
async function learned({ data }: Task, body: string, sequential: boolean): Promise<{ y: number; found: number }[]> {
  const { value, warnings } = await runProgram(
    `var data = ${data};
    var make = function() { ${body} };
    var model = function() {
      var f = make();
      mapData({data: data}, function(example) {
        observe(Gaussian({mu: T.get(f(example.x), 0), sigma: 0.3}), example.y);
      });
    };
    var params = Optimize(model, {steps: 400, optMethod: {adam: {stepSize: 0.02}}});
    sample(Infer({method: 'forward', guide: true, params: params, samples: 1}, function() {
      var f = make();
      return map(function(example) { return {y: example.y, found: T.get(f(example.x), 0)}; }, data);
    }))`,
    { engine: { sequential } },
  );
  expect(warnings).toEqual([]);
  return value as { y: number; found: number }[];
}

describe.each(Object.entries(TASKS))('%s', (_name, task) => {
  test.each([
    ['in WebPPL’s style, side by side', task.layers, false],
    ['in WebPPL’s style, one by one', task.layers, true],
    ['in the paper’s style, side by side', task.networks, false],
    ['in the paper’s style, one by one', task.networks, true],
  ])('%s', async (_style, body, sequential) => {
    for (const { y, found } of await learned(task, body, sequential)) expect(Math.abs(found - y)).toBeLessThan(0.25);
  });
});
