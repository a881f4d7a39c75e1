import { describe, expect, test } from 'vitest';
import { failure, numbersOf, runProgram } from '../optimize/run-optimize.ts';

/** Layers by what makes them, given a name and whether they are flipped. */
const LAYERS: Readonly<Record<string, (name: string, flip: boolean, more?: string) => string>> = {
  affine: (name, flip, more = '') => `coupling('${name}', {size: 2, flip: ${flip}${more}})`,
  spline: (name, flip, more = '') => `coupling('${name}', {size: 2, kind: 'spline', flip: ${flip}${more}})`,
  autoregressive: (name, flip, more = '') => `maskedAutoregressive('${name}', {size: 2, flip: ${flip}${more}})`,
};

const layersOf = (kind: string, more = ''): string =>
  `[${[1, 2, 3, 4].map((k) => LAYERS[kind](`c${k}`, k % 2 === 0, more)).join(', ')}]`;

const BASE = 'DiagCovGaussian({mu: Vector([0, 0]), sigma: Vector([1, 1])})';

/** A banana: z1 is near z0² / 2, where the prior has z1 near 0. */
const banana = (guide: string): string => `var model = function() {
    var z = sample(${BASE}, {guide: ${guide}});
    var off = T.get(z, 1) - T.get(z, 0) * T.get(z, 0) / 2;
    factor(-off * off / 0.08);
    return z;
  };`;

/** log ∫ p(z) f(z) dz on a grid. */
function evidence(): number {
  let total = 0;
  const h = 0.02;
  for (let a = -5; a <= 5; a += h) {
    for (let b = -5; b <= 8; b += h) {
      total += (Math.exp(-(a * a + b * b) / 2 - (b - (a * a) / 2) ** 2 / 0.08) / (2 * Math.PI)) * h * h;
    }
  }
  return Math.log(total);
}

const trained = (guide: string, steps: number): string => `${banana(guide)}
  Optimize(model, {steps: ${steps}, clip: 5, optMethod: {adam: {stepSize: 0.01}}, estimator: {ELBO: {samples: 16}},
    onFinish: function(result) { globalStore.bound = listMean(result.history.slice(${Math.floor(steps * 0.8)})); }});`;

describe.each(Object.keys(LAYERS))('a flow of %s layers', (kind) => {
  test('finds a bent posterior, and knows where its values come from', async () => {
    const code = `${trained(`function() { return Flow({base: ${BASE}, layers: ${layersOf(kind)}}); }`, 800)}
      var points = [[0.3, -0.4], [1.5, 0.8], [-6, 2], [-1, -1.2]];
      var results = Infer({method: 'forward', samples: 1, model: function() {
        return map(function(point) {
          var layer = ${LAYERS[kind]('c1', false)};
          var there = function(x, y) { return layer.forward(Vector([x, y])); };
          var at = there(point[0], point[1]);
          var back = layer.inverse(at.value);
          var h = 1e-4;
          var column = function(dx, dy) {
            var above = there(point[0] + dx, point[1] + dy).value;
            var below = there(point[0] - dx, point[1] - dy).value;
            return [T.get(above, 0) - T.get(below, 0), T.get(above, 1) - T.get(below, 1)];
          };
          var first = column(h, 0);
          var second = column(0, h);
          var stretch = Math.log(Math.abs(first[0] * second[1] - first[1] * second[0]) / (4 * h * h));
          return [T.get(back.value, 0) - point[0], T.get(back.value, 1) - point[1], back.logStretch - at.logStretch, stretch - at.logStretch];
        }, points);
      }}).samples[0].value;
      [globalStore.bound, results]`;
    const [bound, results] = (await runProgram(code)).value as [number, number[][]];
    for (const [x, y, stretch, slope] of results) {
      expect(Math.abs(x) + Math.abs(y)).toBeLessThan(1e-6);
      expect(Math.abs(stretch)).toBeLessThan(1e-6);
      expect(Math.abs(slope)).toBeLessThan(1e-5);
    }
    // Independent Gaussians do not come nearer than 0.46.
    expect(bound).toBeGreaterThan(evidence() - 0.4);
    expect(bound).toBeLessThan(evidence() + 0.05);
  });

  test('is the same side by side and one by one, with what a network makes of the data', async () => {
    const code = `var model = function() {
        mapData({data: [[1, 2], [0.5, -1], [2, 0]]}, function(d) {
          var h = T.tanh(affine('net', {in: 2, out: 3})(Vector(d)));
          var z = sample(${BASE}, {guide: Flow({base: ${BASE}, layers: ${layersOf(kind, ', hidden: 4, context: h')}})});
          observe(Gaussian({mu: T.get(z, 0) * T.get(z, 1), sigma: 0.5}), d[0]);
        });
      };
      Optimize(model, {steps: 4, estimator: [{ELBO: 1}, {RWS: {samples: 3}}], optMethod: {adam: {stepSize: 0.05}},
        onFinish: function(result) { globalStore.history = result.history; }});
      [getParams(), globalStore.history]`;
    const learned = async (sequential: boolean): Promise<number[]> => {
      const engine = { sequential, precision: 'double' as const };
      const [params, history] = (await runProgram(code, { engine })).value as [object, number[]];
      return [...history, ...Object.values(numbersOf(params)).flat()];
    };
    const [together, alone] = [await learned(false), await learned(true)];
    together.forEach((x, i) => {
      expect(Math.abs(x - alone[i])).toBeLessThan(1e-8 * Math.max(1, Math.abs(alone[i])));
    });
  });
});

test.each([
  [
    "coupling('c', {size: 1})",
    /^coupling 'c' needs vectors of at least 2 numbers, one to move and one to see; got 1\./,
  ],
  [
    "coupling('c', {size: 2, kind: 'cubic'})",
    /^coupling 'c': kind must be 'affine' or 'spline', got the string "cubic"\./,
  ],
  ["coupling('c', {sise: 2})", /^coupling has no option 'sise'/],
  ['Flow({base: Gamma({shape: 1, scale: 1}), layers: []})', /^Flow: base must be a distribution of vectors/],
  [`Flow({base: ${BASE}, layers: 2})`, /^Flow: layers must be an array of layers such as coupling/],
  [`Flow({base: ${BASE}, layers: [coupling('c', {size: 2}), 3]})`, /^Flow: layers must be .*, got 3 at index 1\./],
  [
    `sample(Flow({base: ${BASE}, layers: [coupling('c', {size: 2}), coupling('d', {size: 3})]}))`,
    /^Flow: layer 1 moves vectors of length 3, and those of the base have length 2\. Give both the same size\./,
  ],
])('%s is an error', async (code, message) => {
  expect(await failure(`Infer({method: 'forward', model: function() { ${code}; return 1; }})`)).toMatch(message);
});
