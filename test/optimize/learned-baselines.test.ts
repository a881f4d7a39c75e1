/** Baselines that are learned from data: what they learn, and what it is good for. */
import { expect, test } from 'vitest';
import { BaselineNetwork } from '../../src/optimize/baseline-network.ts';
import { DatumFeatures } from '../../src/optimize/datum-features.ts';
import { Tensor } from '../../src/tensor/tensor.ts';
import { gradientMoments, modelOf, tableOf, totalVariance } from './gradient-samples.ts';

const POINTS = Array.from({ length: 40 }, (_, i) => Float64Array.of(i / 20 - 1));

test('a network learns what weights are, and goes on as it would have where it was saved', () => {
  const weights = POINTS.map(([x]) => 100 + 30 * x * x);
  const network = new BaselineNetwork(1);
  expect(network.knows).toBe(false);
  for (let i = 0; i < 300; i++) network.learn(POINTS, weights);
  const error = Math.max(...POINTS.map((point, i) => Math.abs(network.predict(point) - weights[i])));
  // Their spread is 9.
  expect(error).toBeLessThan(3);
  const again = BaselineNetwork.restored([...network.save()]);
  for (const one of [network, again]) one.learn(POINTS, weights);
  expect(again.predict(POINTS[3])).toBe(network.predict(POINTS[3]));
});

test('data of any kind are numbers, and many numbers are mixed into few', () => {
  const data = [
    { y: 1, seen: [true, false], name: 'a' },
    { y: 3, seen: [false, false], name: 'b' },
  ];
  const features = new DatumFeatures(data);
  expect(features.size).toBe(3);
  expect([...features.of(0)]).toEqual([-1, 1, 0]);
  const image = (of: number): Tensor =>
    new Tensor(
      [200, 1],
      Float64Array.from({ length: 200 }, (_, i) => (i * of) % 7),
    );
  const images = new DatumFeatures([image(1), image(2), image(3)]);
  expect(images.size).toBe(64);
  expect(images.of(0)).not.toEqual(images.of(1));
  expect(new DatumFeatures(['text', null]).size).toBe(0);
});

test('where each step looks at other data, they leave less to chance than running means', async () => {
  const variance = async (rule: string): Promise<number> => {
    const model = await modelOf(`var data = mapN(function(i) { return i % 9; }, 600);
      var model = function() {
        mapData({data: data, batchSize: 10}, function(y) {
          var x = sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}))}), gradient: '${rule}'});
          observe(Gaussian({mu: x ? 0.1 : 0, sigma: 1}), y);
        });
      }; model`);
    const conditions = { warmUp: 200, gradients: 'named' } as const;
    return totalVariance(gradientMoments(model, tableOf({ a: 0.3 }), {}, 100, conditions).gradients);
  };
  expect(await variance('nvil')).toBeLessThan((await variance('score')) / 2);
});
