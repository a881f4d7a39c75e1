/** An inference algorithm made of nothing but what `waymark/algorithms` offers. */
import { expect, test } from 'vitest';
import {
  abandoned,
  addMethod,
  count,
  Entry,
  type Handler,
  machine,
  SampleBasedMarginal,
  withDefault,
} from '../src/algorithms.ts';
import { condition, factor, flip, Infer, type InferOptions } from '../src/index.ts';
import { startTestRun } from './inference/test-run.ts';

/** Likelihood weighting. */
class Weighting implements Handler {
  readonly name = 'weighting';
  logWeight = 0;

  sample: Handler['sample'] = (distribution) => distribution.draw(machine.stream.begin());

  factor(score: number): void {
    this.logWeight += score;
  }
}

const weighting = addMethod({
  name: 'weighting',
  options: { samples: withDefault(count(1), 100) },
  run(model, { samples: size }) {
    const entry = new Entry();
    const samples: { value: ReturnType<typeof model>; score: number }[] = [];
    for (let i = 0; i < size; i++) {
      const handler = new Weighting();
      const value = entry.execute(handler, model, entry.streamOf(i));
      if (value !== abandoned && handler.logWeight > -Infinity) samples.push({ value, score: handler.logWeight });
    }
    return new SampleBasedMarginal(samples, { weights: samples.map(({ score }) => score) });
  },
});

test('a method of one’s own', () => {
  startTestRun(3);
  const model = (): boolean => {
    const [a, b] = [flip(0.5), flip(0.5)];
    condition(a || b);
    factor(a ? 0 : -1);
    return a;
  };
  const exact = Math.exp(Infer({ method: 'enumerate', model }).score(true));
  const samples = 4000;
  for (const found of [
    weighting(model, { samples }),
    Infer(model, { method: 'weighting', samples } as unknown as InferOptions),
  ]) {
    // The deviation of a share that some 3,000 samples of nearly equal weight have.
    expect(Math.abs(Math.exp(found.score(true)) - exact)).toBeLessThan(4 * Math.sqrt(0.25 / 2500));
  }
  // @ts-expect-error it has no such option
  expect(() => weighting(model, { sample: 10 })).toThrow("weighting has no option 'sample'");
});
