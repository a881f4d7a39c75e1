/** Programs made up at random, whose inner inferences and calls are recalled, against the same in which nothing is. */
import { expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';
import { RandomStream } from '../../src/runtime/random.ts';

/** Makes a program one that keeps state, in which nothing is recalled. */
const STATE = '\nvar unused = function() { globalStore.x = 1; };\n';

const HEAD = `
var things = [{x: 0, t: [1]}, {x: 1, t: [1]}, {x: 0, t: [1]}];
var slow = function(o, n) { return n === 0 ? o : slow(o, n - 1); };
var fresh = function(o, n) { return n === 0 ? {x: o.x, t: o.t} : fresh(o, n - 1); };
var total = function(o) { return reduce(function(a, b) { return a + b; }, 0, o.t) + o.x; };
`;

/** Writes expressions with the names in sight: `a` and `b` are objects with a number `x` and a list `t` of numbers. */
class Writer {
  private readonly random;

  constructor(
    seed: number,
    private readonly identities: boolean,
  ) {
    this.random = RandomStream.fromSeed(seed).begin();
  }

  private pick(choices: readonly (() => string)[]): string {
    return choices[this.random.integer(choices.length)]();
  }

  number(depth: number): string {
    if (depth === 0) return this.pick([() => '1', () => 'a.x', () => 'b.t[0]', () => '(flip(0.5) ? 1 : 0)']);
    const deeper = depth - 1;
    return this.pick([
      () => `(${this.number(deeper)} + ${this.number(deeper)})`,
      () => `total(${this.object(deeper)})`,
      () => `expectation(inner(${this.object(deeper)}, ${this.object(deeper)}))`,
      () => `apply(make(${this.object(deeper)}).f, [1])`,
      () => `(${this.number(deeper)} > 0 ? ${this.number(deeper)} : ${this.number(deeper)})`,
      () => (this.identities ? `same(${this.object(deeper)})` : `total(${this.object(deeper)})`),
      () =>
        this.identities
          ? `(${this.object(deeper)} === ${this.object(deeper)} ? 1 : 0)`
          : `(_.isEqual(${this.object(deeper)}, ${this.object(deeper)}) ? 1 : 0)`,
    ]);
  }

  object(depth: number): string {
    if (depth === 0) return this.pick([() => 'a', () => 'b', () => 'things[0]', () => 'things[2]']);
    const deeper = depth - 1;
    return this.pick([
      () => `{x: ${this.number(deeper)}, t: [${this.number(deeper)}]}`,
      () => `extend(${this.object(deeper)}, {x: ${this.number(deeper)}})`,
      () => `mirror(${this.object(deeper)}).support()[0]`,
      () => `slow(${this.object(deeper)}, 1)`,
      () => `fresh(${this.object(deeper)}, 1)`,
      () => `(${this.number(deeper)} > 1 ? ${this.object(deeper)} : ${this.object(deeper)})`,
      () => 'uniformDraw(things)',
    ]);
  }

  program(method: string): string {
    const shallow = (): string =>
      this.number(1).replaceAll(/expectation\(inner|make\(|mirror\(|same\(/g, (call) =>
        call === 'make(' ? 'other(' : call === 'same(' ? 'total(' : call === 'mirror(' ? 'again(' : 'expectation(least',
      );
    return `${HEAD}
var least = function(a, b) { return Infer({model() { return a.x + (flip(0.5) ? b.x : 0); }}); };
var again = function(a) { return Infer({model() { return flip(1) ? a : 0; }}); };
var other = function(a) { return {f: function(n) { return n + a.x; }}; };
var inner = function(a, b) { return Infer({model() { var n = ${shallow()}; return n + (flip(0.3) ? ${shallow()} : 1); }}); };
var mirror = function(a) { return Infer({model() { return flip(0.5) ? a : slow(a, 1); }}); };
var same = function(o) { return (mirror(o).support()[0] === o ? 1 : 0) + (fresh(o, 1) !== fresh(o, 1) ? 2 : 0); };
var make = function(a) {
  var b = {x: 1, t: a.t};
  var f = function(n) { return n === 0 ? a.x : g(n - 1); };
  var g = function(n) { return n === 0 ? ${shallow().replaceAll('flip(0.5)', 'true').replaceAll('uniformDraw(things)', 'a')} : f(n - 1); };
  return {f: f};
};
var posterior = Infer({${method}, model() {
  var a = uniformDraw(things);
  var b = ${this.object(2)};
  factor(0.1 * ${this.number(2)});
  return ${this.number(2)};
}});
map(function(v) { return v + ' ' + posterior.score(v).toFixed(9); }, sort(posterior.support())).join(', ')`;
  }
}

const outcome = async (code: string): Promise<unknown> => {
  try {
    return (await run(code, { seed: 1, language: 'wppl', file: 'model.wppl' })).value;
  } catch (error) {
    return String((error as Error).message).split('\n')[0];
  }
};

const METHODS = ["method: 'enumerate'", "method: 'MCMC', samples: 30"];

test.each([0, 1, 2, 3])('recalling changes nothing, %d', async (part) => {
  for (let i = 0; i < 15; i++) {
    const seed = 100 * part + i;
    const code = new Writer(seed, part % 2 === 1).program(METHODS[part >> 1]);
    const recalled = await outcome(code);
    expect(recalled, code).toBe(await outcome(STATE + code));
    expect(typeof recalled, code).toBe('string');
  }
});
