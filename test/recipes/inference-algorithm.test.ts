/** A new inference algorithm is made of nothing but what `waymark/algorithms` offers, and is a method of `Infer` like the others. */
import { expect, test } from 'vitest';
import {
  type Algorithm,
  abandoned,
  addMethod,
  count,
  Entry,
  type Handler,
  Marginal,
  machine,
  SampleBasedMarginal,
  withDefault,
} from '../../src/algorithms.ts';
import { condition, factor, flip, Infer, type InferOptions } from '../../src/index.ts';
import { loadProgram } from '../../src/program/load.ts';
import { startTestRun } from '../inference/test-run.ts';
import { quietRun } from '../program/quiet-run.ts';

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

test('a program that names it is compiled for it, and told of its options', async () => {
  const code = (
    options: string,
  ): string => `var model = function() { var a = flip(0.5); condition(a || flip(0.5)); return a; };
    Math.exp(Infer({model: model, ${options}}).score(true))`;
  const program = await loadProgram({ code: code("method: 'weighting', samples: 4000") });
  const found = program.run(quietRun(2)) as number;
  expect(Math.abs(found - 2 / 3)).toBeLessThan(4 * Math.sqrt(0.25 / 2500));
  const slip = await loadProgram({ code: code("method: 'weighting', sampels: 10") });
  expect(() => slip.run(quietRun(2))).toThrow(
    "weighting has no option 'sampels'; it takes samples. Did you mean 'samples'?",
  );
  const misnamed = await loadProgram({ code: code("method: 'weighing'") });
  expect(() => misnamed.run(quietRun(2))).toThrow(/^Infer has no method 'weighing'; .* Did you mean 'weighting'\?$/);
});

test('what executes columns says so, and its programs have a text for them', async () => {
  const run: Algorithm<object>['run'] = (model) => {
    const value = machine.program.hasColumnText
      ? new Entry().execute(new Weighting(), model, machine.stream)
      : abandoned;
    if (value === abandoned) throw new Error('there is no text for columns');
    return Marginal.fromScores([{ value, score: 0 }]);
  };
  addMethod({ name: 'wide', texts: ['columns'], options: {}, run });
  addMethod({ name: 'narrow', options: {}, run });
  const code = (method: string): string =>
    `Infer({method: '${method}', model: function() { return flip(1); }}).support()`;
  expect((await loadProgram({ code: code('wide') })).run(quietRun(2))).toEqual([true]);
  const narrow = await loadProgram({ code: code('narrow') });
  expect(() => narrow.run(quietRun(2))).toThrow('there is no text for columns');
});
