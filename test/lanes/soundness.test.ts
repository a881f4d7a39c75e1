import { describe, expect, test } from 'vitest';
import { runProgram } from '../optimize/run-optimize.ts';

const STEPS = 12;

interface Told {
  readonly history: readonly number[];
  readonly params: readonly number[];
  readonly texts: readonly string[];
  readonly explanation: string;
}

/** Runs a program that declares `model`; `options` are added to those of Optimize. */
async function run(code: string, options: string, sequential: boolean): Promise<Told> {
  const { value, texts, warnings } = await runProgram(
    `${code}
    Optimize(model, {steps: ${STEPS}, optMethod: {adam: {stepSize: 0.1}}, checkGradients: false,
      onFinish: function(r) { globalStore.history = r.history; }${options === '' ? '' : `, ${options}`}});
    ({history: globalStore.history, params: getParams()})`,
    { engine: { sequential, explainBatching: true, precision: 'double' } },
  );
  const { history, params } = value as { history: number[]; params: Record<string, { data: Float64Array }> };
  return {
    history,
    params: Object.keys(params)
      .sort()
      .flatMap((name) => [...params[name].data]),
    texts,
    explanation: warnings.find((warning) => warning.includes('How Optimize ran')) ?? '',
  };
}

const compiledSteps = ({ explanation }: Told): number => Number(/(\d+) compiled/.exec(explanation)?.[1]);

function expectSame(one: Told, other: Told): void {
  const close = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
  expect(one.history).toHaveLength(other.history.length);
  one.history.forEach((objective, i) => {
    expect(close(objective, other.history[i]), `step ${i}: ${objective} and ${other.history[i]}`).toBe(true);
  });
  expect(one.params.every((value, i) => close(value, other.params[i]))).toBe(true);
  expect(one.texts).toEqual(other.texts);
}

const DATA = 'var data = [0.3, -1.2, 2.5, 0.7];';
/** A model that says what it looks at: `LOOKS` stands for a number. */
const looking = (looks: string): string => `${DATA} var model = function() {
  var m = modelParam({name: 'm', mu: 0.2});
  var z = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(param({name: 'b'}))})});
  mapData({data: data}, function(y) { observe(Gaussian({mu: m + 0.1 * (z ? 1 : 0), sigma: 1 + (${looks})}), y); }); };`;

/** Steps must not be run without the program here. */
const SEEN: Readonly<Record<string, readonly [code: string, options?: string]>> = {
  'a loop whose bound is a parameter': [
    `var model = function() {
      var m = modelParam({name: 'm', mu: 0.5});
      let t = 0;
      for (let i = 0; i < 10 * m; i++) { t = t + 0.1 * m; }
      factor(-(t - 1) * (t - 1) + m); };`,
  ],
  'choices that send each datum another way in a model that changes what is outside': [
    `${DATA} var seen = {n: 0}; var model = function() {
      var m = modelParam({name: 'm'});
      seen.n = seen.n + 1;
      mapData({data: data.concat(data).concat(data)}, function(y) {
        if (flip(0.5)) { observe(Gaussian({mu: m, sigma: 1}), y); } else { factor(-m * m * 0.01 * seen.n); } }); };`,
  ],
  'text printed by the model': [
    `${DATA} var model = function() {
      var m = modelParam({name: 'm'});
      display(m > 0.05 ? 'large' : 'small');
      observe(Gaussian({mu: m, sigma: 1}), 2); };`,
  ],
  'text printed for each datum': [
    `${DATA} var model = function() {
      var m = modelParam({name: 'm'});
      mapData({data: data}, function(y) {
        display(y > 0 ? 'above' : 'below');
        display(y);
        observe(Gaussian({mu: m, sigma: 1}), y); }); };`,
  ],
  'the same text printed for each datum': [
    `${DATA} var model = function() {
      var m = modelParam({name: 'm'});
      mapData({data: data}, function(y) { display('one'); observe(Gaussian({mu: m, sigma: 1}), y); }); };`,
  ],
  'a variable that onStep assigns': [
    `let phase = 0; ${looking('phase > 4 ? 1 : 0')}`,
    'onStep: function(i, x) { phase = i; return false; }',
  ],
  'a field that onStep writes': [
    `var phase = {step: 0}; ${looking('phase.step / 10')}`,
    'onStep: function(i, x) { phase.step = i; return false; }',
  ],
  'a field of another name for the object that onStep writes': [
    `var steps = []; var other = {list: steps}; ${looking('other.list.length / 10')}`,
    'onStep: function(i, x) { steps.push(i); return false; }',
  ],
  'a store that onStep writes': [
    `globalStore.phase = 0; ${looking('globalStore.phase > 4 ? 1 : 0')}`,
    'onStep: function(i, x) { globalStore.phase = i; return false; }',
  ],
  'what a function called by onStep changes': [
    `let phase = 0; var note = function(i) { phase = i; }; ${looking('phase / 10')}`,
    'onStep: function(i, x) { note(i); return false; }',
  ],
  'what a function handed on by onStep changes': [
    `let phase = 0; var note = function(i) { phase = phase + 1; return i; }; ${looking('phase / 10')}`,
    'onStep: function(i, x) { map(note, [1, 2]); return false; }',
  ],
  'a variable that a step size assigns': [
    `let phase = 0; ${looking('phase > 4 ? 1 : 0')}`,
    'optMethod: {adam: {stepSize: function(i) { phase = i; return 0.1; }}}',
  ],
  'a field that a schedule of the program writes': [
    `var phase = {step: 0}; var size = function(i) { phase.step = i; return 0.1; }; ${looking('phase.step / 10')}`,
    'optMethod: {sgd: {stepSize: schedules.warmUp({steps: 3, after: size})}}',
  ],
  'data that onStep adds to': [`${looking('0')}`, 'onStep: function(i, x) { data.push(0.1 * i); return false; }'],
  'data that onStep changes': [`${looking('0')}`, 'onStep: function(i, x) { data[1] = 0.1 * i; return false; }'],
  'a parameter that onStep changes in place': [
    looking('0'),
    'onStep: function(i, x) { getParams().m.data[0] = 1; return false; }',
  ],
  'a local name for data that onStep changes': [
    `${looking('0')}`,
    'onStep: function(i, x) { var own = data; own[1] = 0.1 * i; return false; }',
  ],
};

/** Here they can, as long as the program sees what it saw when they were recorded. */
const GUARDED: Readonly<Record<string, readonly [code: string, options?: string]>> = {
  'a branch on a sampled value': [
    `${DATA} var model = function() {
      var m = modelParam({name: 'm'});
      var z = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: 0.5})});
      if (z) { mapData({data: data}, function(y) { observe(Gaussian({mu: m, sigma: 1}), y); }); }
      else { factor(-m * m); } };`,
  ],
  "a branch on a parameter's value": [
    `${DATA} var model = function() {
      var m = modelParam({name: 'm', mu: 1});
      if (m > 0.7) { factor(-m * m); } else { factor(-(m - 0.2) * (m - 0.2) - 1); } };`,
  ],
  'choices that send each datum another way': [
    `${DATA} var model = function() {
      var m = modelParam({name: 'm'});
      mapData({data: data.concat(data).concat(data)}, function(y) {
        if (flip(0.5)) { observe(Gaussian({mu: m, sigma: 1}), y); } else { factor(-m * m * 0.1); } }); };`,
  ],
  'one of a few ways, by a choice': [
    `${DATA} var model = function() {
      var m = modelParam({name: 'm'});
      var k = sample(Discrete({ps: [1, 1, 2]}), {guide: Discrete({ps: [1, 1, 1]})});
      switch (k) {
        case 0: factor(-m * m); break;
        case 1: mapData({data: data}, function(y) { observe(Gaussian({mu: m, sigma: 1}), y); }); break;
        default: repeat(k + 3, function() { observe(Gaussian({mu: m, sigma: 2}), 1); }); } };`,
  ],
  'an inference inside, by enumeration': [
    `${DATA} var model = function() {
      var m = modelParam({name: 'm'});
      mapData({data: data}, function(y) {
        var post = Infer({method: 'enumerate', model: function() {
          var z = flip(sigmoid(m * y));
          factor(z ? m : 0);
          return z; }});
        factor(post.score(true)); }); };`,
  ],
};

/** Steps can be run without the program here. */
const UNSEEN: Readonly<Record<string, readonly [code: string, options: string]>> = {
  'a callback that prints': [
    looking('0'),
    "onStep: function(i, x) { if (i % 3 === 0) { display(i + ' ' + (x > -1e9)); } return false; }",
  ],
  'a callback that keeps a list': [
    `var seen = []; ${looking('0')}`,
    'onStep: function(i, x) { seen.push(x); display(seen.length); return false; }',
  ],
  'a callback that keeps the best': [
    `let best = -Infinity; var at = {step: 0}; ${looking('0')}`,
    'onStep: function(i, x) { if (x > best) { best = x; at.step = i; display(i); } return false; }',
  ],
  'a callback with a name': [
    `var seen = []; var watch = function(i, x) { seen.push(i); return i === 8; }; ${looking('0')}`,
    'onStep: watch',
  ],
  'a callback that reads parameters': [
    looking('0'),
    'onStep: function(i, x) { display(getParams().m.data[0].toFixed(6)); return false; }',
  ],
  'a step size that is a function': [
    `var size = function(i) { return 0.1 / (i + 1); }; ${looking('0')}`,
    'optMethod: {adam: {stepSize: size}}',
  ],
  'a schedule': [
    looking('0'),
    `optMethod: {sgd: {stepSize: schedules.warmUp({steps: 3, after: schedules.cosine({from: 0.1, to: 0.01, steps: 9})})}}`,
  ],
  'no callback': [looking('0'), ''],
  'a branch on data': [
    `${DATA} var model = function() {
      var m = modelParam({name: 'm'});
      mapData({data: data}, function(y) {
        if (2 * y > 1) { observe(Gaussian({mu: m, sigma: 1}), y); } else { factor(-m * m * 0.1); } }); };`,
    '',
  ],
};

describe('compiled steps behave as the program does', () => {
  test.each(Object.entries(SEEN))('%s', async (_name, [code, options = '']) => {
    const together = await run(code, options, false);
    expectSame(together, await run(code, options, true));
    expect(compiledSteps(together)).toBe(0);
  });

  test.each(Object.entries(GUARDED))('%s', async (_name, [code, options = '']) => {
    const together = await run(code, options, false);
    expectSame(together, await run(code, options, true));
    expect(compiledSteps(together)).toBeGreaterThan(0);
  });

  test.each(Object.entries(UNSEEN))('%s', async (_name, [code, options]) => {
    const together = await run(code, options, false);
    expectSame(together, await run(code, options, true));
    expect(compiledSteps(together)).toBeGreaterThan(5);
  });
});
