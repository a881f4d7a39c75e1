/**
 * Random programs, for the law of lanes. Each is a model over a few data, made of choices with and without guides,
 * observations, branches, recursion (along a line and in trees), nested maps and data passes, values built in one branch
 * and used after it, `globalStore`, and at least one form of `random-styles.ts`. What a number stands for stays small, so that objectives stay finite.
 */
import { ExpressionWriter, INDICES, type Kind, type Variable } from './random-expressions.ts';
import { hostStatements } from './random-hosts.ts';
import { modelStatements } from './random-models.ts';
import { generatorOf } from './random-source.ts';
import { controlledBodies, styledStatements } from './random-styles.ts';

/** How deep statements may be inside each other. */
const DEEPEST = 2;

/** The text of the program with this number; its value is the model. */
export function randomProgram(seed: number): string {
  return new ProgramWriter(generatorOf(seed)).program();
}

class ProgramWriter extends ExpressionWriter {
  private names = 0;
  private depth = 0;
  /** Statements that may still be written, so that programs stay small. */
  private fuel = 5;

  program(): string {
    const objects = this.chance(0.4);
    const data = objects
      ? this.times(this.between(3, 4), () => this.datumObject())
      : this.chance(0.3)
        ? this.times(this.between(3, 4), () => `[${this.times(this.between(1, 4), () => this.literal()).join(', ')}]`)
        : this.times(this.between(3, 5), () => this.literal());
    const isRow = data[0].startsWith('[');
    const batch = this.chance(0.25) ? `, batchSize: ${Math.min(3, data.length - 1)}` : '';
    const before = this.preamble();
    const saved = [...this.scope];
    if (objects) {
      this.declare('d.x', 'number');
      this.declare('d.y', 'number');
      this.declare('d.k', 'index');
      this.declare('d.on', 'truth');
      this.declare('d.tag', 'text');
      this.declare('d.row', 'list');
      this.declare('(d.z ?? 0.4)', 'number');
    } else this.declare('d', isRow ? 'list' : 'number');
    this.declare('(i % 3)', 'index');
    const body = [...this.block(this.between(1, 4)), ...this.styled(), ...this.block(1), this.last()];
    this.scope = saved;
    const uses = batch === '' && this.chance(0.15);
    const [open, close] = uses
      ? ['var results = ', `\n  factor(-0.1 * sum(results) * sum(results));`]
      : ['', this.chance(0.2) ? `\n  ${this.observation()}` : ''];
    if (this.chance(0.05)) {
      // What iterations share, and change.
      before.push('let total = 0;');
      body.push(`total += ${this.bounded()};`);
    }
    const returned = uses ? `    return ${this.bounded()};\n` : '';
    return `var data = [${data.join(', ')}];
var model = function() {
${before.map((line) => `  ${line}`).join('\n')}
  ${open}mapData({data: data${batch}}, function(d, i) {
${body.map((line) => `    ${line}`).join('\n')}
${returned}  });${close}
};
model`;
  }

  private datumObject(): string {
    const row = this.times(this.between(1, 6), () => this.literal());
    const tag = this.pick(["'a'", "'b'"]);
    const on = this.pick(['true', 'false']);
    const more = this.chance(0.5) ? `, z: ${this.literal()}` : this.chance(0.3) ? ', z: null' : '';
    return `{x: ${this.literal()}, y: ${this.literal()}, k: ${this.below(INDICES)}, on: ${on}, tag: ${tag}, row: [${row.join(', ')}]${more}}`;
  }

  /** What all data share: parameters, networks, functions, choices. */
  private preamble(): string[] {
    const lines = [
      "var m = modelParam({name: 'm', mu: 0.2});",
      "var ps = [modelParam({name: 'p0', mu: -1}), param({name: 'p1', mu: 0.5}), 0.3];",
      "var v = param({name: 'v', dims: [3, 1], mu: 0.1});",
      "var objects = [{a: param({name: 'a0'}), b: 1}, {a: 0.5, b: m}, {a: -0.5, b: 2}];",
      "var net = nn.mlp(2, [{nOut: 1, activation: nn.tanh}], 'net');",
      'var functions = [function(x) { return x * m; }, function(x) { return tanh(x) + 1; }, function(x) { return x; }];',
      'var walk = function(x, n) { return x > 1 || n === 3 ? x : walk(x + 0.2 + WALK, n + 1); };'.replace(
        'WALK',
        this.pick([
          "sample(Gaussian({mu: 0.5, sigma: 0.3}), {guide: Gaussian({mu: param({name: 'step'}), sigma: 0.3})})",
          '(flip(0.4) ? 0.7 : 0.1)',
          'sample(Uniform({a: 0, b: 1}))',
        ]),
      ),
    ];
    lines.push(
      `var tree = function(x, n) { var leaf = n === 3 || ${this.pick([
        "sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(param({name: 'leaf'}) * x + 0.2)})})",
        'flip(0.3 + 0.2 * n)',
        'x > 0.8 || (n > 0 && flip(0.4))',
      ])}; if (leaf) { return ${this.pick([
        'sample(Gaussian({mu: x, sigma: 1}))',
        "sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'w'}) * x, sigma: 0.7})})",
        'x',
      ])}; } var left = tree(x / 2, n + 1); ${this.pick([
        '',
        'factor(-0.1 * left * left); ',
        'if (left > 1) { return left; } ',
      ])}return tanh(left + tree(x - left, n + 1)); };`,
    );
    lines.push("var named = mem(function(k) { return sample(Gaussian({mu: k === 'g1' ? 1 : 0, sigma: 1})); });");
    lines.push(
      this.chance(0.5)
        ? 'var remembered = mem(function(k) { return sample(Gaussian({mu: 0, sigma: 1})); });'
        : 'var remembered = function(k) { return k === 1 ? 0.5 : 0.1 * k; };',
    );
    this.declare('m', 'number');
    if (this.chance(0.3)) {
      lines.push(`var shared = ${this.choice()};`);
      this.declare('shared', 'number');
    }
    if (this.chance(0.2)) lines.push('globalStore.before = 0.5;');
    return lines;
  }

  private block(count: number): string[] {
    const lines: string[] = [];
    for (let i = 0; i < count && this.fuel > 0; i++) {
      this.fuel--;
      lines.push(...this.statement());
    }
    return lines;
  }

  private lines(count: number): string {
    return this.block(count).join(' ');
  }

  /** Statements in a scope of their own. */
  private inner(count: number): string {
    return this.inside([], () => this.lines(count));
  }

  /** What is written in a scope of its own, with some variables more. */
  private inside(variables: readonly Variable[], write: () => string): string {
    const saved = this.scope;
    this.scope = [...saved, ...variables];
    this.depth++;
    const text = write();
    this.depth--;
    this.scope = saved;
    return text;
  }

  private statement(): string[] {
    const simple: (() => string[])[] = [
      () => this.variable('number', this.choice()),
      () => this.variable('number', this.choice()),
      () => this.variable('truth', this.discreteChoice('truth')),
      () => this.variable('index', this.discreteChoice('index')),
      () => this.variable('text', this.discreteChoice('text')),
      () => [this.observation()],
      () => [`factor(${this.bounded()});`],
      () => this.variable('number', this.number()),
      () => this.variable('pair', this.pair()),
      () => this.variable('list', this.list()),
      () => this.variable('function', this.fn()),
      () => this.store(),
      () => this.variable('number', `walk(${this.bounded()}, ${this.below(3)})`),
      () => this.variable('number', this.inference()),
      () => this.host(),
      () => this.host(),
      () => this.styled(),
      () => this.styled(),
      () => this.styled(),
      () => this.variable('number', `tree(${this.bounded()}, ${this.below(2)})`),
      () => this.variable('number', `(${this.truth()} ? ${this.choice()} : ${this.choice()})`),
      () => this.variable('truth', `(${this.truth()} ${this.pick(['&&', '||'])} ${this.discreteChoice('truth')})`),
    ];
    if (this.depth >= DEEPEST) return this.pick(simple)();
    const compound: (() => string[])[] = [
      () => this.branch(),
      () => this.branch(),
      () => this.effects(),
      () => this.returning(),
      () => this.returning(),
      () => this.switch(),
      () => this.variable('number', this.controlled()),
      () => this.variable('number', this.controlled()),
      () => this.loop(),
      () => this.mapping(),
      () => this.mapping(),
      () => this.repetition(),
      () => this.accumulation(),
      () => this.pass(),
      () => this.each(),
      () => this.iteration(),
    ];
    return this.pick([...simple, ...compound])();
  }

  private variable(kind: Kind, text: string): string[] {
    const name = this.fresh();
    this.declare(name, kind);
    return [`var ${name} = ${text};`];
  }

  /** What JavaScript itself does with values that differ. */
  private host(): string[] {
    const name = this.fresh();
    const line = this.pick(hostStatements(this.asked, name))();
    this.declare(name, 'number');
    return [line];
  }

  /** What people write: one of these is in each program. */
  private styled(): string[] {
    const name = this.fresh();
    const forms = this.chance(0.4) ? styledStatements : modelStatements;
    const line = this.inside([], () => this.pick(forms(this.asked, name))());
    this.declare(name, 'number');
    return [line];
  }

  /** A body may end in a condition: what it gives then is not of one kind. */
  private last(): string {
    if (this.chance(0.2)) return `if (${this.truth()}) { ${this.observation()} }`;
    return this.observation();
  }

  private branch(): string[] {
    const name = this.fresh();
    const test = this.truth();
    const assign = (): string => `${this.inner(2)} ${name} = ${this.number()};`;
    const lines = [`let ${name} = ${this.number()};`, `if (${test}) { ${assign()} }`];
    if (this.chance(0.7)) lines[1] += ` else { ${assign()} }`;
    this.declare(name, 'number');
    return lines;
  }

  /** Branches that only do something. */
  private effects(): string[] {
    const side = (): string => this.inside([], () => `${this.lines(2)} ${this.observation()}`);
    return [`if (${this.truth()}) { ${side()} }${this.chance(0.5) ? ` else { ${side()} }` : ''}`];
  }

  /** A function that returns from its branches. */
  private returning(): string[] {
    const name = this.fresh();
    const x = this.fresh();
    const kind = this.pick<Kind>(['number', 'number', 'truth', 'index', 'pair', 'list', 'text']);
    const values: Partial<Record<Kind, () => string>> = {
      number: () => this.number(),
      truth: () => this.truth(),
      index: () => this.index(),
      pair: () => this.pair(),
      list: () => this.list(),
      text: () => this.text(),
    };
    const returned = (): string => `return ${values[kind]!()};`;
    const side = (): string => this.inside([], () => `${this.lines(1)} ${returned()}`);
    const inner = (): string => `if (${this.truth()}) { ${side()} } ${this.lines(1)}`;
    const body = this.inside([{ name: x, kind: 'number' }], () => {
      const first = this.lines(1);
      const branch = this.pick([
        () => `if (${this.truth()}) { ${side()} }`,
        () => `if (${this.truth()}) { ${side()} } else if (${this.truth()}) { ${side()} }`,
        () => `if (${this.truth()}) { ${this.inside([], inner)} }`,
      ])();
      return `${first} ${branch} ${this.lines(1)} ${returned()}`;
    });
    return [`var ${name} = function(${x}) { ${body} };`, ...this.variable(kind, `${name}(${this.bounded()})`)];
  }

  private switch(): string[] {
    const name = this.fresh();
    const of = this.index();
    const lines = [
      `let ${name} = 0;`,
      `switch (${of}) { case 0: { ${this.inner(1)} ${name} = ${this.number()}; break; }` +
        ` case 1: ${name} = ${this.number()}; ${this.chance(0.5) ? 'break;' : ''}` +
        ` default: ${name} = ${name} + ${this.number()}; }`,
    ];
    this.declare(name, 'number');
    return lines;
  }

  /** A number by way of statements that decide something. */
  private controlled(): string {
    return `(function() { ${this.inside([], () => this.pick(controlledBodies(this.asked))())} })()`;
  }

  private loop(): string[] {
    const name = this.fresh();
    const j = this.fresh();
    const bound = this.chance(0.5) ? this.index() : '2';
    const lines = [
      `let ${name} = 0;`,
      `for (let ${j} = 0; ${j} < ${bound}; ${j}++) { ${this.inner(1)} ${name} = ${name} + ${this.bounded()}; }`,
    ];
    this.declare(name, 'number');
    return lines;
  }

  private mapping(): string[] {
    const x = this.fresh();
    const own = (kind: Kind, params: string): string =>
      this.inside([{ name: x, kind }], () => `function(${params}) { ${this.lines(2)} return ${this.bounded()}; }`);
    const text = this.pick([
      () => `map(${own('number', x)}, ${this.list()})`,
      () => `mapN(${own('index', x)}, ${this.between(2, 3)})`,
      () => `mapN(function(k) { return k % 3 === 0 ? ${this.choice()} : ${this.bounded()}; }, ${this.between(4, 7)})`,
      () => `mapIndexed(${own('number', `j, ${x}`)}, ${this.list()})`,
      () => `map2(${own('number', `${x}, other`)}, ps, ${this.triple()})`,
      () => {
        const list = this.list();
        return `map2(${own('number', `other, ${x}`)}, ${list}, ${list})`;
      },
      () => `mapPairs(${own('number', `other, ${x}`)}, ${this.list()})`,
      () =>
        `_.values(mapObject(${own('number', `key, ${x}`)}, {a: ${this.bounded()}, b: 1, c: ${this.bounded()}, d: 2}))`,
    ])();
    return this.variable('list', text);
  }

  private repetition(): string[] {
    const text = this.inside([], () => {
      const times = this.chance(0.3) ? this.index() : this.between(1, 6);
      return `repeat(${times}, function() { ${this.lines(2)} return ${this.choice()}; })`;
    });
    return this.variable('list', text);
  }

  /** A variable that a function inside changes. */
  private accumulation(): string[] {
    const name = this.fresh();
    const x = this.fresh();
    const body = this.inside(
      [{ name: x, kind: 'number' }],
      () => `${this.lines(1)} ${name} = ${name} + ${this.bounded()};`,
    );
    const lines = [`let ${name} = ${this.literal()};`, `map(function(${x}) { ${body} }, ${this.list()});`];
    this.declare(name, 'number');
    return lines;
  }

  private pass(): string[] {
    const y = this.fresh();
    const list = this.list();
    const body = this.inside([{ name: y, kind: 'number' }], () => `${this.lines(2)} ${this.observation()}`);
    if (this.chance(0.1)) return [`mapData({data: ${this.triple()}, batchSize: 2}, function(${y}, j) { ${body} });`];
    return [`mapData({data: ${list}}, function(${y}, j) { ${body} });`];
  }

  private each(): string[] {
    const y = this.fresh();
    const list = this.list();
    const body = this.inside([{ name: y, kind: 'number' }], () => `${this.lines(1)} ${this.observation()}`);
    return [`forEach(${list}, function(${y}, j) { ${body} });`];
  }

  private iteration(): string[] {
    const name = this.fresh();
    const y = this.fresh();
    const list = this.list();
    const body = this.inside(
      [{ name: y, kind: 'number' }],
      () => `${this.lines(1)} ${name} = ${name} + ${this.bounded()};`,
    );
    this.declare(name, 'number');
    return [`let ${name} = 0;`, `for (const ${y} of ${list}) { ${body} }`];
  }

  private store(): string[] {
    const field = this.pick(['s', 't']);
    const name = this.fresh();
    const lines = [`globalStore.${field} = ${this.number()};`];
    if (this.chance(0.3)) {
      lines.push(
        `repeat(2, function() { globalStore.${field} = globalStore.${field} + ${this.chance(0.5) ? this.choice() : this.bounded()}; });`,
      );
    }
    lines.push(`var ${name} = tanh(globalStore.${field});`);
    this.declare(name, 'number');
    return lines;
  }

  private observation(): string {
    return this.pick([
      () => `observe(Gaussian({mu: ${this.number()}, sigma: 1}), ${this.bounded()});`,
      () => `observe(Gaussian({mu: ${this.number()}, sigma: ${this.positive()}}), ${this.bounded()});`,
      () => `observe(Bernoulli({p: ${this.probability()}}), ${this.truth()});`,
      () => `observe(Discrete({ps: ${this.simplex()}}), ${this.index()});`,
      () => `factor(${this.bounded()});`,
      () => `observe(Categorical({ps: ${this.simplex()}, vs: ['a', 'b', 'c']}), ${this.text()});`,
    ])();
  }

  private fresh(): string {
    return `x${this.names++}`;
  }
}
