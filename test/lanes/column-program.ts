/**
 * Random programs for methods whose executions run side by side: small, of all control flow that they know, and with what
 * JavaScript makes of values that differ.
 */
import { hostNumber, hostStatement, hostTruth, THINGS } from './column-hosts.ts';

/** A generator of whole numbers, so that a program's number says all about it. */
export class Dice {
  constructor(private state: number) {}

  below(n: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * n);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }
}

class Writer {
  private readonly dice: Dice;
  private names = 0;
  /** Names in scope, by what they stand for. */
  private numbers: string[] = ['0.5', '2', '-1'];
  private truths: string[] = ['true'];
  private words: string[] = ["'left'"];
  private lists: string[] = ['table'];
  private things: string[] = ['left', 'held', 'held'];
  private depth = 0;

  constructor(number: number) {
    this.dice = new Dice(number * 2654435761 + 12345);
    for (let i = 0; i < 5; i++) this.dice.below(2);
  }

  program(): string {
    const model = this.block(4 + this.dice.below(4), (names) => `  return ${this.result(names)};`);
    return `var table = [0.3, -1.2, 2.5];
${THINGS}
var wander = function(x, n) {
  if (n <= 0) { return x; }
  var step = gaussian(x, 0.5);
  ${this.dice.pick(['observe(Gaussian({mu: step, sigma: 2}), n);', 'factor(-Math.abs(step) / 10);', ''])}
  return flip(0.6) ? wander(step, n - 1) : step;
};
var kept = mem(function(i) { return gaussian(i, 1); });
var classify = function(x) {
  if (x > 1) { return 'high'; }
  if (x < -1) {
    return flip(0.5) ? 'low' : 'middle';
  }
  var y = gaussian(x, 1);
  return y > 0 ? 'middle' : 'low';
};
Infer({$, model() {
  var held = flip(0.4) ? left : right;
${model}
}});`;
  }

  private name(): string {
    return `v${++this.names}`;
  }

  /** Statements, with what they declare out of scope afterwards. */
  private block(count: number, end: (names: Writer) => string): string {
    const { numbers, truths, words, lists, things } = this;
    this.numbers = [...numbers];
    this.truths = [...truths];
    this.words = [...words];
    this.lists = [...lists];
    this.things = [...things];
    const lines = Array.from({ length: count }, () => this.statement());
    lines.push(end(this));
    Object.assign(this, { numbers, truths, words, lists, things });
    return lines.filter((line) => line !== '').join('\n');
  }

  private result({ numbers, truths, words, lists, things }: Writer): string {
    const last = <T>(items: T[]): T => items[items.length - 1];
    return `{x: ${last(numbers)}, yes: ${last(truths)}, word: ${last(words)}, all: ${last(lists)}, old: ${this.dice.pick(numbers)}, thing: ${last(things)}.at, hosts: [${hostNumber(this.dice, this)}, ${hostTruth(this.dice, this)}]}`;
  }

  private statement(): string {
    const { dice } = this;
    const choice = dice.below(this.depth > 1 ? 9 : 17);
    switch (choice) {
      case 0:
      case 1:
        return this.declare(
          'numbers',
          `gaussian(${this.number()}, ${dice.pick(['0.5', '1', `1 + Math.abs(${this.number()})`])})`,
        );
      case 2:
        return this.declare(
          'truths',
          dice.pick([
            'flip(0.3)',
            'flip(0.8)',
            `flip(${this.truth()} ? 0.9 : 0.2)`,
            `${this.truth()} ? flip(0.1) : flip(${this.truth()} ? 0.4 : 0.7)`,
          ]),
        );
      case 3:
        return this.declare(
          'numbers',
          dice.pick([`uniform(0, 1 + Math.abs(${this.number()}))`, 'poisson(2)', 'beta(2, 3)']),
        );
      case 4:
        return this.declare(
          'words',
          dice.pick([
            `classify(${this.number()})`,
            "categorical({ps: [0.2, 0.8], vs: ['a', 'b']})",
            `${this.truth()} ? 'yes' : 'no'`,
          ]),
        );
      case 5:
        return `  observe(Gaussian({mu: ${this.number()}, sigma: ${dice.pick(['1', '3'])}}), ${dice.pick(['0', '1.5'])});`;
      case 6:
        return this.declare('numbers', `${dice.pick(this.lists)}[randomInteger(3)]`);
      case 7:
        return this.declare('truths', `${this.number()} ${dice.pick(['<', '>=', '===', '!=='])} ${this.number()}`);
      case 8:
        return this.declare(
          'numbers',
          `${this.truth()} ? ${dice.pick([
            `gaussian(0, 1) : ${this.number()}`,
            `gaussian(${this.number()}, 1) : gaussian(${this.number()}, 2)`,
            `${this.number()} : ${this.number()}`,
            `wander(${this.number()}, 2) : ${this.number()}`,
          ])}`,
        );
      case 9:
        return this.declare(
          'lists',
          dice.pick([
            `map(function(x) { return gaussian(x, 1); }, ${dice.pick(this.lists)})`,
            `repeat(3, function() { return uniform(-1, ${dice.pick(['1', '2'])}); })`,
            `[${this.number()}, ${this.number()}, ${this.number()}]`,
          ]),
        );
      case 10:
        return this.branch();
      case 11:
        return this.declare(
          'numbers',
          dice.pick([
            `sum(${dice.pick(this.lists)})`,
            `wander(${this.number()}, 3)`,
            `{a: ${this.number()}}.a`,
            `(function() { let t = ${this.number()}; map(function(x) { t += gaussian(x, 1); }, ${dice.pick(this.lists)}); return t; })()`,
            `kept(${dice.pick(['1', '2', 'randomInteger(3)'])})`,
            `sample(${this.truth()} ? Gaussian({mu: 1, sigma: 1}) : Uniform({a: 0, b: 1}))`,
            this.controlled(),
            this.controlled(),
            this.changing(),
            this.keyed(),
            this.ragged(),
            this.ragged(),
            this.looping(),
            this.looping(),
            this.sorted(),
            this.tensors(),
          ]),
        );
      case 12:
        return `  condition(${this.truth()} || ${this.number()} > -3);`;
      case 13:
        return this.declare(
          'things',
          dice.pick([
            `${this.truth()} ? ${dice.pick(this.things)} : ${dice.pick(this.things)}`,
            'uniformDraw(things)',
            `choose(${this.truth()})`,
            'things[randomInteger(3)]',
            `things.reduce(function(a, c) { return ${this.truth()} ? a : c; })`,
          ]),
        );
      case 14:
      case 15:
        return this.declareAs('numbers', (name) => hostStatement(dice, name, this));
      default:
        return `  factor(${this.truth()} ? -0.3 : ${dice.pick(['0', '-1'])});`;
    }
  }

  /** A number by way of statements that decide something. */
  private controlled(): string {
    const [x, y, z] = [this.number(), this.number(), this.number()];
    const [one, other] = [this.truth(), this.truth()];
    const list = this.dice.pick(this.lists);
    const inside = (statements: string): string => `(function() { ${statements} })()`;
    return this.dice.pick([
      inside(
        `switch (true) { case ${one}: return ${x}; case ${other}: return gaussian(${y}, 1); default: return ${z}; }`,
      ),
      inside(`let t = ${x}; switch (${one}) { case ${other}: t += ${y}; case false: t += uniform(0, 1); } return t;`),
      inside(`try { if (${one}) { throw ${x}; } return gaussian(${y}, 1); } catch (e) { return e + 1; }`),
      inside(
        `let t = 0; try { t = wander(${x}, 2); if (t > ${y}) { throw {t}; } } catch ({t: u}) { t = -u; } finally { t += 1; } return t;`,
      ),
      inside(`let t = 0; try { factor(${one} ? 0 : -0.5); t = ${x}; } finally { t += gaussian(${y}, 1); } return t;`),
      inside(`let t = ${one} ? 0 : ${x}; t ||= gaussian(${y}, 1); t &&= t / 2; return t;`),
      inside(
        `let t = 0; for (const x of ${list}) { if (x > ${x}) { break; } if (${one}) { continue; } t += x; } return t;`,
      ),
      inside(`let n = 0; while (n < 3 && (n < ${x} || ${one})) { n += 1; } return n;`),
      inside(`let t = ${x}; if (${one}) { t = ${y}; } else { t -= 1; } return t;`),
      `((${one} ? {v: ${x}, f: function(t) { return gaussian(t, 1); }} : undefined)?.${this.dice.pick(['v', `f(${y})`])} ?? ${z})`,
      `({a: ${x}, ...(${one} && {b: ${y}})}.b ?? ${z})`,
      `Math.max(...[${x}, ...(${one} ? [${y}] : [])])`,
    ]);
  }

  /** A number by way of lists, objects and variables that are changed, by some or by all. */
  private changing(): string {
    const [x, y, z] = [this.number(), this.number(), this.number()];
    const [one, other] = [this.truth(), this.truth()];
    const list = this.dice.pick(this.lists);
    const inside = (statements: string): string => `(function() { ${statements} })()`;
    return this.dice.pick([
      inside(`const xs = []; for (const x of ${list}) { xs.push(gaussian(x, 1)); } xs[1] += ${x}; return sum(xs);`),
      inside(`const xs = [${x}, ${y}]; if (${one}) { xs[0] = ${z}; } xs.push(xs[0]); return xs[2] + xs.length;`),
      inside(`const xs = [${x}]; if (${one}) { xs.push(${y}); } return xs[xs.length - 1];`),
      inside(`const o = {n: 0, m: ${x}}; ${list}.forEach(function(x) { if (x > ${y}) { o.n++; o.m -= x; } }); return o.n + o.m;`),
      inside(`const o = {n: ${x}}; const p = ${one} ? o : {n: ${y}}; if (${other}) { o.n = ${z}; } return o.n - p.n;`),
      inside(`let [s, t] = [0, ${x}]; for (let i = 0; i < 3; i++) { if (t > ${y}) { s++; } else { t = gaussian(t, 1); s -= i; } } return s + t;`),
      inside(`let s = 0; if (${one}) { s++; if (${other}) { s = ${x}; } } else { s += 2; } return s * 2;`),
      inside(`const f = function(n) { const xs = []; xs.push(n); if (${one}) { return xs; } xs.push(${x}); return xs; }; return f(1).length + f(${y})[0];`),
    ]); // biome-ignore format: a table
  }

  /** A number by way of Maps, Sets and objects whose keys differ. */
  private keyed(): string {
    const [x, y] = [this.number(), this.number()];
    const one = this.truth();
    const [list, thing, word] = [this.dice.pick(this.lists), this.dice.pick(this.things), this.dice.pick(this.words)];
    const inside = (statements: string): string => `(function() { ${statements} })()`;
    return this.dice.pick([
      inside(`const counts = new Map(); for (let i = 0; i < 4; i++) { const k = categorical({vs: ['a', 'b', 'c'], ps: [1, 2, 1]}); counts.set(k, (counts.get(k) ?? 0) + 1); } return Math.max(...counts.values()) + (counts.get('a') ?? ${x});`),
      inside(`const seen = new Set(); for (const x of ${list}) { if (x > ${x}) { seen.add(Math.floor(x)); } } if (seen.has(0)) { seen.delete(0); } return seen.size;`),
      inside(`const counts = {}; for (const w of [${word}, 'left', ${word}]) { counts[w] = (counts[w] || 0) + 1; } return counts.left + Object.keys(counts).length;`),
      inside(`const xs = [0, 0, 0]; for (let i = 0; i < 3; i++) { xs[randomInteger(3)] += ${x}; } xs[randomInteger(3)]++; return xs[0] - xs[2];`),
      inside(`const xs = [1, 2, 3, 4]; for (let i = 0; i < 3; i++) { const j = i + randomInteger(4 - i); [xs[i], xs[j]] = [xs[j], xs[i]]; } return xs[0] * xs[3];`),
      inside(`const met = new Map([[left, 1], [right, ${x}]]); met.set(${thing}, ${y}); if (${one}) { met.delete(right); } let t = met.size; for (const [thing, n] of met) { t += thing.at * n; } return t;`),
      inside(`const s = new Set([${thing}, left]); const t = new Set(); if (${one}) { t.add(${thing}); } return s.size + t.size + (t.has(left) ? 1 : 0);`),
    ]); // biome-ignore format: a table
  }

  /** A number by way of lists that are of different lengths, or have other items. */
  private ragged(): string {
    const [x, y] = [this.number(), this.number()];
    const one = this.truth();
    const list = this.dice.pick(this.lists);
    const inside = (statements: string): string => `(function() { ${statements} })()`;
    return this.dice.pick([
      `${list}.filter(function(x) { return x > ${x}; }).map(function(x) { return gaussian(x, 1); }).reduce(function(a, b) { return a + b; }, ${y})`,
      inside(`const xs = ${list}.filter(function() { return flip(0.5); }); let t = 0; for (const x of xs) { t += gaussian(x, 1); } return t + xs.length;`),
      inside(`const xs = []; while (xs.length < 4 && flip(0.6)) { xs.push(gaussian(${x}, 1)); } if (xs.length > 1) { xs.shift(); } return sum(xs) + xs.length;`),
      inside(`let xs = [${x}]; for (let i = 0; i < 3; i++) { if (flip(0.5)) { xs = [...xs, ${y} + i]; } } return Math.max(0, ...xs) + xs.length;`),
      inside(`let xs = [1]; if (${one}) { xs = xs.concat([${x}, 2]); } let t = 0; for (let i = 0; i < xs.length; i++) { t += xs[i]; } return t;`),
      `(things.filter(function(thing) { return flip(0.5) || thing.at > ${x}; }).find(function(thing) { return thing.at > 1; }) ?? left).at`,
      `things.filter(function(thing) { return thing.at > ${x}; }).flatMap(function(thing) { return thing.xs; }).length`,
      inside(`const xs = ${list}.filter(function(x) { return x > ${x}; }); return xs.some(function(x) { return x > ${y}; }) ? xs.length : -xs.findIndex(function(x) { return flip(0.5) && x > 0; });`),
      `${list}.every(function(x) { return flip(0.7) && x < ${x}; }) ? 1 : [...${list}.filter(function(x) { return x > ${y}; })].sort(function(a, b) { return a - b; }).length`,
      inside(`const items = ${list}.map(function(x, i) { return {x: x, i: i}; }).filter(function(item) { return item.x > ${x}; }); const [first] = items.concat([{x: ${y}, i: 9}]); return first.x + first.i;`),
      inside(`const words = ${list}.filter(function(x) { return x > ${x}; }).map(function(x) { return x > 0 ? 'p' : 'n'; }); return \`\${words.join('')}\${${one}}\`.length + (words.includes('p') ? 1 : 0);`),
    ]); // biome-ignore format: a table
  }

  /** A number by way of loops that executions leave at different times. */
  private looping(): string {
    const [x, y] = [this.number(), this.number()];
    const one = this.truth();
    const inside = (statements: string): string => `(function() { ${statements} })()`;
    return this.dice.pick([
      inside(`const n = poisson(2); let t = ${x}; for (let i = 0; i < n; i++) { t += gaussian(i, 1); } return t;`),
      inside('let [t, n] = [0, 0]; while (t < 2 && n < 6) { t += exponential(1); n++; } return n + t;'),
      inside(`let t = ${x}; for (let i = 0; i < 4; i++) { t = gaussian(t, 1); if (t > ${y}) { break; } if (${one}) { t -= 1; continue; } t *= 0.5; } return t;`),
      inside('let [s, k] = [0, 0]; do { s += uniform(0, 1); k++; if (s > 1.5) { break; } } while (flip(0.6) && k < 5); return s - k;'),
      inside(`const n = randomInteger(4); let t = 0; for (let i = 0; i < n; i++) { let m = 0; while (m < 3 && flip(0.5)) { m++; } if (m === 2) { continue; } t += m + ${x}; } return t;`),
      inside(`let t = 1; for (let i = 0; i < 3; i++) { switch (randomInteger(3)) { case 0: continue; case 1: t += ${x}; break; default: t -= 1; } t *= 2; } return t;`),
      inside(`const n = randomInteger(3); const fs = []; let t = 0; for (let i = 0; i < n; i++) { t += [1, 2].map(function(v) { return v * i + gaussian(${x}, 1); })[1]; } return t;`),
      inside(`let t = ${x}; let i = 0; while (true) { if (i >= 3 || t > 4) { break; } t += flip(0.5) ? 1 : -1; observe(Gaussian({mu: t, sigma: 3}), i); i++; } return t;`),
    ]); // biome-ignore format: a table
  }

  /** A number by way of a list that is put in order. */
  private sorted(): string {
    const [x, y] = [this.number(), this.number()];
    const list = this.dice.pick(this.lists);
    return this.dice.pick([
      `[...${list}].sort(function(a, b) { return a - b; })[1]`,
      `[${x}, ${y}, 0].sort()[0]`,
      `${list}.slice().reverse()[0]`,
      `map(function(v) { return v * ${x}; }, ${list}).sort(function(a, b) { return b - a; })[2]`,
    ]);
  }

  /** A number by way of tensors. */
  private tensors(): string {
    const [x, y, z] = [this.number(), this.number(), this.number()];
    const vector = this.dice.pick([
      `Vector([${x}, ${y}, 1])`,
      `T.tanh(Vector([${x}, ${y}, ${z}]))`,
      `(${this.truth()} ? Vector([${x}, 1, 2]) : T.mul(Vector([1, 2, ${y}]), 0.5))`,
      `T.dot(Matrix([[1, ${x}, 0], [0, 1, 2], [${y}, 0, 1]]), Vector([1, ${z}, 2]))`,
      `sample(Dirichlet({alpha: Vector([1, 2, 1 + Math.abs(${x})])}))`,
    ]);
    return this.dice.pick([
      `T.get(${vector}, ${this.dice.pick(['0', '2', 'randomInteger(3)'])})`,
      `T.sumreduce(T.add(${vector}, ${z}))`,
      `sample(Discrete({ps: T.softmax(T.tanh(${vector}))}))`,
    ]);
  }

  private branch(): string {
    this.depth++;
    const side = (): string => this.block(1 + this.dice.below(2), () => '');
    const text = `  if (${this.truth()}) {\n${side()}\n  }${this.dice.below(2) === 0 ? '' : ` else {\n${side()}\n  }`}`;
    this.depth--;
    return text;
  }

  private declare(kind: 'numbers' | 'truths' | 'words' | 'lists' | 'things', value: string): string {
    return this.declareAs(kind, (name) => `var ${name} = ${value};`);
  }

  private declareAs(
    kind: 'numbers' | 'truths' | 'words' | 'lists' | 'things',
    write: (name: string) => string,
  ): string {
    const name = this.name();
    const text = `  ${write(name)}`;
    this[kind].push(name);
    return text;
  }

  thing(): string {
    return this.dice.pick(this.things);
  }

  list(): string {
    return this.dice.pick(this.lists);
  }

  number(): string {
    const { dice, numbers } = this;
    switch (dice.below(8)) {
      case 3:
        return hostNumber(dice, this);
      case 0:
        return `(${dice.pick(numbers)} ${dice.pick(['+', '-', '*'])} ${dice.pick(numbers)})`;
      case 1:
        return `Math.${dice.pick(['sin', 'tanh', 'abs', 'floor'])}(${dice.pick(numbers)})`;
      case 2:
        return `(${this.truth()} ? ${dice.pick(numbers)} : ${dice.pick(numbers)})`;
      default:
        return dice.pick(numbers);
    }
  }

  truth(): string {
    const { dice, numbers, truths, words } = this;
    switch (dice.below(8)) {
      case 4:
        return hostTruth(dice, this);
      case 0:
        return `(${dice.pick(numbers)} > ${dice.pick(numbers)})`;
      case 1:
        return `(${dice.pick(words)} === ${dice.pick(["'low'", "'a'", "'left'"])})`;
      case 2:
        return `(${dice.pick(truths)} ${dice.pick(['&&', '||'])} flip(0.7))`;
      case 3:
        return `!${dice.pick(truths)}`;
      default:
        return dice.pick(truths);
    }
  }
}

/** The text of a program; `$` stands for the method and its options. */
export function columnProgram(number: number): string {
  return new Writer(number).program();
}
