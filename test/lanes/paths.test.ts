/** Enumerations that follow paths without executing the program give what they give by executing it. */
import { describe, expect, test } from 'vitest';
import { type RunOptions, run } from '../../src/program/run.ts';

/** Programs whose paths are recorded. */
const RECORDED: Readonly<Record<string, string>> = {
  coins: `
    Infer({$, model() {
      var coins = repeat(11, function() { return flip(0.4); });
      var heads = sum(map(function(c) { return c ? 1 : 0; }, coins));
      condition(heads >= 3);
      return heads;
    }})`,
  'probabilities that depend on choices, 0 and 1 among them': `
    Infer({$, model() {
      var a = flip(0.3);
      var b = flip(a ? 1 : 0.2);
      var c = flip(b ? 0 : 1);
      var d = flip(a && c ? 0.5 : 0.1);
      var rest = repeat(7, function() { return flip(d ? 0.25 : 0.75); });
      observe(Bernoulli({p: b ? 0.9 : 0.4}), true);
      factor(sum(rest) / 3);
      return {a: a, d: d, any: rest[0] || rest[6], n: sum(rest)};
    }})`,
  'numbers, uniform or not': `
    Infer({$, model() {
      var i = randomInteger(15);
      var j = discrete([0.2, 0, 0.8]);
      var k = binomial(0.3, 4);
      var l = categorical({ps: [1, 2, 3], vs: [10, 20, -5]});
      var m = randomInteger(3);
      observe(Gaussian({mu: i + j * k - l, sigma: 1 + m}), 3);
      return [i, k - m];
    }})`,
  'conditions between choices, which leave whole branches out': `
    Infer({$, model() {
      var a = flip(0.5);
      var b = flip(0.5);
      condition(a || b);
      var c = flip(0.5);
      condition(!(a && c));
      var xs = repeat(8, function() { return flip(0.1); });
      condition(sum(xs) < 3);
      return [a, b, c, xs[3]];
    }})`,
  'another way in few places': `
    Infer({$, model() {
      var xs = repeat(11, function() { return flip(0.5); });
      if (sum(xs) === 11) {
        var extra = flip(0.2);
        factor(extra ? 1 : 2);
        return 'all' + extra;
      }
      return 'some';
    }})`,
};

/** What an inference found, or the error it ended with. */
async function found(code: string, options: RunOptions): Promise<unknown> {
  try {
    const { value } = await run(code, options);
    const { logZ } = value as { logZ: number };
    const dist = value as { support(): unknown[]; score(x: unknown): number };
    return { logZ, scores: dist.support().map((one) => [one, dist.score(one)]) };
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

async function both(code: string) {
  const said: string[] = [];
  const recorded = await found(code, { seed: 1, engine: { explainBatching: true }, warn: (text) => said.push(text) });
  const executed = await found(code, { seed: 1, engine: { sequential: true } });
  return { recorded, executed, how: said.join('\n') };
}

const ENUMERATE = "method: 'enumerate'";

test.each(Object.keys(RECORDED))('%s', async (name) => {
  const { recorded, executed, how } = await both(RECORDED[name].replace('$', ENUMERATE));
  expect(recorded).toEqual(executed);
  expect(how).toMatch(/paths compute what was recorded of an execution\.$/);
});

test('a limit on executions', async () => {
  const code = RECORDED.coins.replace('$', `${ENUMERATE}, strategy: 'depthFirst', maxExecutions: 300`);
  const { recorded, executed, how } = await both(code);
  expect(recorded).toEqual(executed);
  expect(how).toContain('paths compute');
});

test('an inference inside another', async () => {
  const code = `
    var inner = function(p) {
      return Infer({method: 'enumerate', model() { return sum(repeat(11, function() { return flip(p); })); }});
    };
    Infer({method: 'enumerate', model() {
      var p = uniformDraw([0.2, 0.5, 0.9]);
      observe(inner(p), 4);
      return p;
    }})`;
  const { recorded, executed, how } = await both(code);
  expect(recorded).toEqual(executed);
  expect(how).toContain('paths compute');
});

/** Programs that are executed along each path, and why. */
const EXECUTED: Readonly<Record<string, readonly [string, string]>> = {
  'values that are no numbers': [
    "return repeat(6, function() { return categorical({vs: ['a', 'b', null, 'd']}); }).length;",
    'a choice is no number',
  ],
  'values that depend on choices': [
    'var n = randomInteger(20) + 20; return repeat(2, function() { return binomial(0.5, n); });',
    'the values of Binomial may depend on choices',
  ],
  'an inner inference that is another on each path': [
    `var n = randomInteger(60), k = randomInteger(60);
     var d = Infer({method: 'enumerate', model() { var y = flip(0.3 + n / 100); factor(y ? k / 10 : 0); return y; }});
     observe(d, true);
     return n + k;`,
    'Infer is called',
  ],
  'a program that often goes another way': [
    'var n = randomInteger(40); return repeat(n % 7 + 6, function() { return flip(0.3); }).length;',
    'because',
  ],
};

test.each(Object.keys(EXECUTED))('each path executes the model: %s', async (name) => {
  const [body, reason] = EXECUTED[name];
  const { recorded, executed, how } = await both(`Infer({${ENUMERATE}, model() { ${body} }})`);
  expect(recorded).toEqual(executed);
  expect(how).toContain('each path executes the model');
  expect(how).toContain(reason);
});

test('an error has its place in the program', async () => {
  const code = `
    Infer({method: 'enumerate', model() {
      var xs = repeat(11, function() { return flip(0.5); });
      observe(Gaussian({mu: 0, sigma: sum(xs)}), 1);
      return xs[0];
    }})`;
  const { recorded, executed, how } = await both(code);
  expect(how).toContain('paths compute');
  expect(recorded).toEqual(executed);
  expect(recorded).toContain('Gaussian: sigma must be');
  expect(recorded).toContain('program.wppl:4:');
});

/** A random program of coins and whole numbers: as many of each as make some hundred paths. */
function randomProgram(number: number): string {
  let state = (number * 2654435761 + 99) >>> 0;
  const below = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const truths = ['true'];
  const numbers = ['1', '2'];
  const lines: string[] = [];
  const truth = (): string => {
    const one = truths[below(truths.length)];
    switch (below(5)) {
      case 0:
        return `!${one}`;
      case 1:
        return `(${one} && ${truths[below(truths.length)]})`;
      case 2:
        return `(${numbers[below(numbers.length)]} > ${numbers[below(numbers.length)]})`;
      default:
        return one;
    }
  };
  const amount = (): string => {
    const one = numbers[below(numbers.length)];
    switch (below(4)) {
      case 0:
        return `(${one} + ${numbers[below(numbers.length)]})`;
      case 1:
        return `(${truth()} ? ${one} : ${numbers[below(numbers.length)]})`;
      default:
        return one;
    }
  };
  for (let i = 0; i < 11; i++) {
    const name = `v${i}`;
    switch (below(6)) {
      case 0:
        lines.push(`var ${name} = randomInteger(3);`);
        numbers.push(name);
        break;
      case 1:
        lines.push(`var ${name} = discrete([1, 2, ${below(3)}]);`);
        numbers.push(name);
        break;
      case 2:
        lines.push(`var ${name} = flip(${truth()} ? ${['0.3', '1', '0.9'][below(3)]} : ${['0.5', '0'][below(2)]});`);
        truths.push(name);
        break;
      default:
        lines.push(`var ${name} = flip(0.${1 + below(9)});`);
        truths.push(name);
    }
    switch (below(8)) {
      case 0:
        lines.push(`condition(${truth()} || ${truth()});`);
        break;
      case 1:
        lines.push(`factor(${amount()} / 3);`);
        break;
      case 2:
        lines.push(`observe(Gaussian({mu: ${amount()}, sigma: 1.5}), ${amount()});`);
        break;
      case 3:
        lines.push(`if (${truth()}) { observe(Bernoulli({p: 0.2}), ${truth()}); }`);
    }
  }
  return `Infer({method: 'enumerate', model() {\n${lines.join('\n')}\nreturn [${truth()}, ${amount()}];\n}})`;
}

describe('random programs', () => {
  test.each([0, 1])('from number %d00 on', async (hundred) => {
    let followed = 0;
    for (let number = 100 * hundred; number < 100 * hundred + 10; number++) {
      const code = randomProgram(number);
      const { recorded, executed, how } = await both(code);
      expect(recorded, code).toEqual(executed);
      if (how.includes('paths compute')) followed++;
    }
    expect(followed).toBeGreaterThan(2);
  });
});
