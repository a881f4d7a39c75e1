/**
 * Random programs, for the law of lanes. Each is a model over a few data, made of choices with and without guides,
 * observations, branches, recursion, nested maps and data passes, values built in one branch and used after it, and
 * `globalStore`. What a number stands for stays small, so that objectives stay finite.
 */

/** Kinds of values that expressions are asked for. */
type Kind = 'number' | 'truth' | 'index' | 'list' | 'pair' | 'function' | 'text';

interface Variable {
  readonly name: string;
  readonly kind: Kind;
}

/** Random numbers for the generator alone (mulberry32). */
export function generatorOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Indices are 0, 1 or 2: every array that is indexed has three items. */
const INDICES = 3;
/** How deep statements may be inside each other, and expressions. */
const DEEPEST_STATEMENT = 2;
const DEEPEST_EXPRESSION = 3;

/** The text of the program with this number; its value is the model. */
export function randomProgram(seed: number): string {
  return new Writer(generatorOf(seed)).program();
}

class Writer {
  private names = 0;
  private scope: Variable[] = [];
  private depth = 0;
  /** Statements that may still be written, so that programs stay small. */
  private fuel = 5;

  constructor(private readonly random: () => number) {}

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
    const body = [...this.block(this.between(2, 5)), this.observation()];
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

  /** Statements in a scope of their own. */
  private inner(count: number): string {
    const saved = this.scope;
    this.scope = [...saved];
    this.depth++;
    const lines = this.block(count);
    this.depth--;
    this.scope = saved;
    return lines.join(' ');
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
    ];
    if (this.depth >= DEEPEST_STATEMENT) return this.pick(simple)();
    const compound: (() => string[])[] = [
      () => this.branch(),
      () => this.branch(),
      () => this.switch(),
      () => this.loop(),
      () => this.mapping(),
      () => this.mapping(),
      () => this.repetition(),
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

  private branch(): string[] {
    const name = this.fresh();
    const test = this.truth();
    const assign = (): string => `${this.inner(2)} ${name} = ${this.number()};`;
    const lines = [`let ${name} = ${this.number()};`, `if (${test}) { ${assign()} }`];
    if (this.chance(0.7)) lines[1] += ` else { ${assign()} }`;
    this.declare(name, 'number');
    return lines;
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
    const own = (kind: Kind, params: string): string => {
      const saved = this.scope;
      this.scope = [...saved, { name: x, kind }];
      this.depth++;
      const lines = this.block(2).join(' ');
      const text = `function(${params}) { ${lines} return ${this.bounded()}; }`;
      this.depth--;
      this.scope = saved;
      return text;
    };
    const text = this.pick([
      () => `map(${own('number', x)}, ${this.list()})`,
      () => `mapN(${own('index', x)}, ${this.between(2, 3)})`,
      () => `mapN(function(k) { return k % 3 === 0 ? ${this.choice()} : ${this.bounded()}; }, ${this.between(4, 7)})`,
      () => `mapIndexed(${own('number', `j, ${x}`)}, ${this.list()})`,
      () => `map2(${own('number', `${x}, other`)}, ps, ${this.triple()})`,
    ])();
    return this.variable('list', text);
  }

  private repetition(): string[] {
    const saved = this.scope;
    this.scope = [...saved];
    this.depth++;
    const text = `repeat(${this.chance(0.3) ? this.index() : this.between(1, 6)}, function() { ${this.block(2).join(' ')} return ${this.choice()}; })`;
    this.depth--;
    this.scope = saved;
    return this.variable('list', text);
  }

  private pass(): string[] {
    const y = this.fresh();
    const list = this.list();
    const saved = this.scope;
    this.scope = [...saved, { name: y, kind: 'number' }];
    this.depth++;
    const body = `${this.block(2).join(' ')} ${this.observation()}`;
    this.depth--;
    this.scope = saved;
    if (this.chance(0.1)) return [`mapData({data: ${this.triple()}, batchSize: 2}, function(${y}, j) { ${body} });`];
    return [`mapData({data: ${list}}, function(${y}, j) { ${body} });`];
  }

  private each(): string[] {
    const y = this.fresh();
    const list = this.list();
    const saved = this.scope;
    this.scope = [...saved, { name: y, kind: 'number' }];
    this.depth++;
    const body = `${this.block(1).join(' ')} ${this.observation()}`;
    this.depth--;
    this.scope = saved;
    return [`forEach(${list}, function(${y}, j) { ${body} });`];
  }

  private iteration(): string[] {
    const name = this.fresh();
    const y = this.fresh();
    const list = this.list();
    const saved = this.scope;
    this.scope = [...saved, { name: y, kind: 'number' }];
    this.depth++;
    const body = `${this.block(1).join(' ')} ${name} = ${name} + ${this.bounded()};`;
    this.depth--;
    this.scope = saved;
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

  /** A choice that gives a number. */
  private choice(): string {
    const weight = this.pick(['w', 'u']);
    const guides: (() => string)[] = [
      () => `Gaussian({mu: param({name: '${weight}'}) * ${this.bounded()}, sigma: 1})`,
      () => `Gaussian({mu: ${this.bounded()}, sigma: softplus(param({name: 's'}) + ${this.bounded()})})`,
      () => `Gaussian({mu: T.get(nneval(net, Vector([${this.bounded()}, ${this.bounded()}])), 0), sigma: 0.8})`,
      () => `Gaussian({mu: param({name: 'own' + ${this.index()}}), sigma: 1})`,
      () => `Gaussian({mu: ps[${this.index()}], sigma: 1})`,
    ];
    return this.pick([
      () => `sample(Gaussian({mu: ${this.bounded()}, sigma: 1}), {guide: ${this.pick(guides)()}})`,
      () => `sample(Gaussian({mu: ${this.bounded()}, sigma: 1}), {guide: ${this.pick(guides)()}})`,
      () => `sample(Gaussian({mu: 0, sigma: 1}), {guide: ${this.pick(guides)()}, reparam: false})`,
      () => `sample(Gaussian({mu: ${this.bounded()}, sigma: ${this.positive()}}))`,
      () => `sample(Gamma({shape: 2, scale: ${this.positive()}}))`,
      () => `sample(Beta({a: 2, b: ${this.positive()}}))`,
      () => 'sample(Uniform({a: -1, b: 2}))',
      () => `sample(Uniform({a: 0, b: 1}), {guide: LogitNormal({mu: ${this.bounded()}, sigma: 1, a: 0, b: 1})})`,
      () => `sample(Poisson({mu: 1}), {guide: Poisson({mu: ${this.positive()}})})`,
      () => `sample(Binomial({p: ${this.probability()}, n: 3}))`,
      () => `T.get(sample(Dirichlet({alpha: Vector([1, 2, 3])})), ${this.index()})`,
      () =>
        `sum(sample(DiagCovGaussian({mu: zeros([3, 1]), sigma: ones([3, 1])}), {guide: DiagCovGaussian({mu: T.mul(v, ${this.bounded()}), sigma: ones([3, 1])})}))`,
      () => `sample(Categorical({ps: [0.2, 0.8], vs: [-1, 1]}))`,
      () => `sample(Categorical({ps: ${this.simplex()}, vs: [-1, 0.5, 1]}))`,
    ])();
  }

  private discreteChoice(kind: 'truth' | 'index' | 'text'): string {
    if (kind === 'truth') {
      return this.pick([
        () => `sample(Bernoulli({p: ${this.probability()}}), {guide: Bernoulli({p: ${this.probability()}})})`,
        () => `flip(${this.probability()})`,
        () => `sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'b'}) * ${this.bounded()})})})`,
      ])();
    }
    if (kind === 'index') {
      return this.pick([
        () => `sample(Discrete({ps: ${this.simplex()}}))`,
        () => `sample(Discrete({ps: [0.2, 0.3, 0.5]}), {guide: Discrete({ps: ${this.simplex()}})})`,
        () => `sample(Discrete({ps: [1, 1, 2]}), {guide: Discrete({ps: ${this.simplex()}})})`,
        () => 'sample(RandomInteger({n: 3}))',
        () => `sample(Binomial({n: 2, p: ${this.probability()}}))`,
      ])();
    }
    return `sample(Categorical({ps: ${this.simplex()}, vs: ['a', 'b', 'c']}))`;
  }

  /** A number found by an inference of its own. */
  private inference(): string {
    const p = this.probability();
    const model = this.pick([
      `function() { var a = flip(${p}); var b = flip(0.3); factor(a ? ${this.bounded()} : 0); return a || b; }`,
      `function() { return flip(${p}) ? flip(0.2) : true; }`,
      `function() { var k = sample(Discrete({ps: ${this.simplex()}})); condition(k > 0); return k === 1; }`,
    ]);
    const infer = `Infer({method: 'enumerate', model: ${model}})`;
    return this.pick([
      `Math.exp(${infer}.score(true))`,
      `expectation(${infer}, function(x) { return x ? 1 : 0; })`,
      `(sample(${infer}) ? 1 : ${this.bounded()})`,
    ]);
  }

  /** Any number, not too large. */
  private number(): string {
    return this.deeper(
      () => this.leaf('number') ?? this.literal(),
      () => `(${this.bounded()} + ${this.bounded()})`,
      () => `(${this.bounded()} * ${this.bounded()})`,
      () => `(${this.truth()} ? ${this.number()} : ${this.number()})`,
      () => `(${this.truth()} ? ${this.call()} : ${this.number()})`,
      () => `ps[${this.index()}]`,
      () => `T.get(v, ${this.index()})`,
      () => `objects[${this.index()}].${this.pick(['a', 'b'])}`,
      () => `${this.atom('pair')}.${this.pick(['a', 'b'])}`,
      () => `sum(${this.list()})`,
      () => `${this.list()}.length`,
      () => `Math.max(${this.bounded()}, ${this.bounded()})`,
      () => `Math.abs(${this.bounded()})`,
      () => `Math.exp(${this.bounded()})`,
      () => `-(${this.bounded()})`,
      () => `reduce(function(x, y) { return 0.5 * (x + y); }, ${this.bounded()}, ${this.list()})`,
      () => `(${this.text()} === 'a' ? ${this.bounded()} : 0.2)`,
      () => `${this.list()}[0]`,
      () => `${this.triple()}[${this.index()}]`,
      () => this.call(),
      () => `(1 / (1 + ${this.square()}))`,
      () => `listMean(${this.list()})`,
      () => `(${this.bounded()} && ${this.bounded()})`,
      () => `(${this.number()} || ${this.bounded()})`,
      () => `${this.triple()}.indexOf(${this.bounded()})`,
      () => `[0, 2, 1].indexOf(${this.index()})`,
      () => `(remembered(${this.index()}) + 1)`,
      () => `Math.round(${this.bounded()})`,
      () => `T.sumreduce(Vector(${this.list()}))`,
      () => `T.get(Vector(${this.triple()}), ${this.index()})`,
      () => `T.sumreduce(T.mul(v, ${this.bounded()}))`,
      () => `foldl(function(t, x) { return t + 0.1 * x; }, 0, ${this.list()})`,
      () => `sum(mapPairs(function(a, b) { return a - b; }, ${this.list()}))`,
      () => `_.max([${this.bounded()}, ${this.bounded()}])`,
      () => `(function({a, b}) { return a + b; })(${this.atom('pair')})`,
      () => `param({name: \`own\${${this.index()}}\`})`,
      () => `(find(function(x) { return x > ${this.bounded()}; }, ${this.list()}) ?? 0.1)`,
      () => `mapObject(function(k, x) { return x + ${this.bounded()}; }, {a: ${this.bounded()}}).a`,
    );
  }

  private square(): string {
    const x = this.bounded();
    return `${x} * ${x}`;
  }

  private call(): string {
    return `${this.chance(0.5) ? this.atom('function') : `functions[${this.index()}]`}(${this.bounded()})`;
  }

  /** Between −2 and 2. */
  private bounded(): string {
    return this.chance(0.3) ? this.literal() : `tanh(${this.number()})`;
  }

  private positive(): string {
    return this.pick([() => '0.7', () => `(softplus(${this.bounded()}) + 0.2)`, () => `Math.exp(${this.bounded()})`])();
  }

  private probability(): string {
    return this.pick([() => '0.4', () => `sigmoid(${this.number()})`, () => `(${this.truth()} ? 0.3 : 0.8)`])();
  }

  private simplex(): string {
    return this.pick([
      () => 'softmax(v)',
      () => '[0.2, 0.5, 0.3]',
      () => `[${this.probability()}, 0.5, 0.3]`,
      () => `simplex(Vector([${this.bounded()}, ${this.bounded()}]))`,
    ])();
  }

  private truth(): string {
    return this.deeper(
      () => this.leaf('truth') ?? `${this.bounded()} > 0`,
      () => `(${this.number()} > ${this.bounded()})`,
      () => `(${this.index()} === ${this.below(INDICES)})`,
      () => `(${this.text()} === '${this.pick(['a', 'b'])}')`,
      () => `(${this.truth()} && ${this.truth()})`,
      () => `(${this.truth()} || ${this.truth()})`,
      () => `!${this.atom('truth')}`,
      () => `(${this.truth()} && ${this.call()} > 0)`,
      () => `(${this.list()}.length > 2)`,
      () => `[0, 2].includes(${this.index()})`,
      () => `${this.triple()}.some(function(x) { return x > ${this.bounded()}; })`,
      () => `any(function(x) { return x > ${this.bounded()}; }, ${this.list()})`,
      () => `Boolean(${this.index()})`,
      () => `Number.isInteger(${this.number()})`,
    );
  }

  private index(): string {
    return this.deeper(
      () => this.leaf('index') ?? `${this.below(INDICES)}`,
      () => `(${this.truth()} ? ${this.index()} : ${this.below(INDICES)})`,
      () => `((${this.index()} + 1) % 3)`,
      () => `Math.min(2, ${this.list()}.length)`,
    );
  }

  private text(): string {
    return this.deeper(
      () => this.leaf('text') ?? "'a'",
      () => `(${this.truth()} ? 'a' : 'b')`,
    );
  }

  private list(): string {
    return this.deeper(
      () => this.leaf('list') ?? '[0.3, -0.2]',
      () => this.triple(),
      () => `[${this.bounded()}, ${this.bounded()}]`,
      () => `tanh(${this.atom('list')})`,
      () => `(${this.truth()} ? [${this.bounded()}] : [${this.bounded()}, 0.5])`,
      () => `${this.atom('list')}.concat([${this.bounded()}])`,
      () => `${this.atom('list')}.map(function(x) { return x * ${this.bounded()}; })`,
      () => `filter(function(x) { return x > ${this.bounded()}; }, ${this.triple()}).concat([0.1])`,
      () => `map(function(x) { return x + ${this.bounded()}; }, ${this.atom('list')})`,
      () => `[${this.bounded()}, ...${this.atom('list')}]`,
      () => `${this.triple()}.filter(function(x) { return x > ${this.bounded()}; }).concat([0.2])`,
      () => `sort(${this.list()})`,
      () => `[${this.times(5, () => this.bounded()).join(', ')}]`,
      () => `repeat(5, function() { return ${this.choice()}; })`,
      () => `[0.3, 0.1, -0.2, 0.9, ...${this.atom('list')}]`,
      () => `${this.atom('list')}.slice(0, 1)`,
    );
  }

  private triple(): string {
    return this.chance(0.5) ? 'ps' : `[${this.bounded()}, ${this.bounded()}, ${this.bounded()}]`;
  }

  private pair(): string {
    return this.deeper(
      () => this.leaf('pair') ?? '{a: 0.3, b: 0.6}',
      () => `{a: ${this.number()}, b: ${this.bounded()}}`,
      () => `(${this.truth()} ? {a: ${this.number()}, b: 1} : {b: ${this.number()}, a: 0})`,
      () => `(${this.truth()} ? {a: ${this.number()}, b: 1} : objects[0])`,
      () => `objects[${this.index()}]`,
      () => `({...${this.atom('pair')}, a: ${this.bounded()}})`,
    );
  }

  private fn(): string {
    return this.pick([
      () => `functions[${this.index()}]`,
      () => `(${this.truth()} ? functions[0] : function(x) { return x + ${this.bounded()}; })`,
      () => `function(x) { return ${this.truth()} ? x : ${this.choice()}; }`,
      () => `function(x) { return ${this.choice()} + x; }`,
    ])();
  }

  private leaf(kind: Kind): string | undefined {
    const known = this.scope.filter((variable) => variable.kind === kind);
    return known.length === 0 ? undefined : this.pick(known.slice(-5)).name;
  }

  /** A value of a kind in a form that can be followed by a field, a call or an index. */
  private atom(kind: 'truth' | 'list' | 'pair' | 'function'): string {
    const known = this.leaf(kind);
    if (known !== undefined) return known;
    return { truth: '(m > 0)', list: 'ps', pair: 'objects[1]', function: 'functions[0]' }[kind];
  }

  private nesting = 0;
  /** The first form, or any of the others where expressions are not deep already. */
  private deeper(leaf: () => string, ...others: (() => string)[]): string {
    if (this.nesting >= DEEPEST_EXPRESSION || this.chance(0.4)) return leaf();
    this.nesting++;
    const text = this.pick(others)();
    this.nesting--;
    return text;
  }

  private declare(name: string, kind: Kind): void {
    this.scope.push({ name, kind });
  }

  private fresh(): string {
    return `x${this.names++}`;
  }

  private literal(): string {
    return (this.random() * 4 - 2).toFixed(1);
  }

  private chance(p: number): boolean {
    return this.random() < p;
  }

  private below(n: number): number {
    return Math.floor(this.random() * n);
  }

  private between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  private pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }

  private times<T>(n: number, make: () => T): T[] {
    return Array.from({ length: n }, make);
  }
}
