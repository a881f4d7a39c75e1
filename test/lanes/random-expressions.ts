/** Random expressions of every kind, choices among them. What a number stands for stays small. */
import { type Asked, hostNumbers, hostTruths } from './random-hosts.ts';
import { RandomSource } from './random-source.ts';

/** Kinds of values that expressions are asked for. */
export type Kind = 'number' | 'truth' | 'index' | 'list' | 'pair' | 'function' | 'text';

export interface Variable {
  readonly name: string;
  readonly kind: Kind;
}

/** Indices are 0, 1 or 2: every array that is indexed has three items. */
export const INDICES = 3;
/** How deep expressions may be inside each other. */
const DEEPEST = 3;

export class ExpressionWriter extends RandomSource {
  protected scope: Variable[] = [];
  private nesting = 0;
  /** For forms that are written elsewhere. */
  protected readonly asked: Asked = {
    bounded: () => this.bounded(),
    truth: () => this.truth(),
    index: () => this.index(),
    list: () => this.atom('list'),
    pair: () =>
      this.pick([
        () => this.atom('pair'),
        () => `objects[${this.index()}]`,
        () => `(${this.truth()} ? objects[0] : objects[2])`,
      ])(),
    text: () => this.text(),
    choice: () => this.choice(),
    pick: (items) => this.pick(items),
  };

  /** A choice that gives a number. */
  protected choice(): string {
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

  protected discreteChoice(kind: 'truth' | 'index' | 'text'): string {
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
  protected inference(): string {
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
  protected number(): string {
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
      () => `sum(map2(function(a, b) { return a * b + ${this.bounded()}; }, ${this.triple()}, ${this.triple()}))`,
      () => `filter(function(x) { return x > ${this.literal()}; }, ${this.list()}).length`,
      () => `_.max([${this.bounded()}, ${this.bounded()}])`,
      () => `(function({a, b}) { return a + b; })(${this.atom('pair')})`,
      () => `param({name: \`own\${${this.index()}}\`})`,
      () => `(find(function(x) { return x > ${this.bounded()}; }, ${this.list()}) ?? 0.1)`,
      () => `mapObject(function(k, x) { return x + ${this.bounded()}; }, {a: ${this.bounded()}}).a`,
      ...hostNumbers(this.asked),
    );
  }

  protected square(): string {
    const x = this.bounded();
    return `${x} * ${x}`;
  }

  protected call(): string {
    return `${this.chance(0.5) ? this.atom('function') : `functions[${this.index()}]`}(${this.bounded()})`;
  }

  /** Between −2 and 2. */
  protected bounded(): string {
    return this.chance(0.3) ? this.literal() : `tanh(${this.number()})`;
  }

  protected positive(): string {
    return this.pick([() => '0.7', () => `(softplus(${this.bounded()}) + 0.2)`, () => `Math.exp(${this.bounded()})`])();
  }

  protected probability(): string {
    return this.pick([() => '0.4', () => `sigmoid(${this.number()})`, () => `(${this.truth()} ? 0.3 : 0.8)`])();
  }

  protected simplex(): string {
    return this.pick([
      () => 'softmax(v)',
      () => '[0.2, 0.5, 0.3]',
      () => `[${this.probability()}, 0.5, 0.3]`,
      () => `simplex(Vector([${this.bounded()}, ${this.bounded()}]))`,
    ])();
  }

  protected truth(): string {
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
      ...hostTruths(this.asked),
    );
  }

  protected index(): string {
    return this.deeper(
      () => this.leaf('index') ?? `${this.below(INDICES)}`,
      () => `(${this.truth()} ? ${this.index()} : ${this.below(INDICES)})`,
      () => `((${this.index()} + 1) % 3)`,
      () => `Math.min(2, ${this.list()}.length)`,
    );
  }

  protected text(): string {
    return this.deeper(
      () => this.leaf('text') ?? "'a'",
      () => `(${this.truth()} ? 'a' : 'b')`,
    );
  }

  protected list(): string {
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

  protected triple(): string {
    return this.chance(0.5) ? 'ps' : `[${this.bounded()}, ${this.bounded()}, ${this.bounded()}]`;
  }

  protected pair(): string {
    return this.deeper(
      () => this.leaf('pair') ?? '{a: 0.3, b: 0.6}',
      () => `{a: ${this.number()}, b: ${this.bounded()}}`,
      () => `(${this.truth()} ? {a: ${this.number()}, b: 1} : {b: ${this.number()}, a: 0})`,
      () => `(${this.truth()} ? {a: ${this.number()}, b: 1} : objects[0])`,
      () => `objects[${this.index()}]`,
      () => `({...${this.atom('pair')}, a: ${this.bounded()}})`,
    );
  }

  protected fn(): string {
    return this.pick([
      () => `functions[${this.index()}]`,
      () => `(${this.truth()} ? functions[0] : function(x) { return x + ${this.bounded()}; })`,
      () => `function(x) { return ${this.truth()} ? x : ${this.choice()}; }`,
      () => `function(x) { return ${this.choice()} + x; }`,
    ])();
  }

  protected leaf(kind: Kind): string | undefined {
    const known = this.scope.filter((variable) => variable.kind === kind);
    return known.length === 0 ? undefined : this.pick(known.slice(-5)).name;
  }

  /** A value of a kind in a form that can be followed by a field, a call or an index. */
  protected atom(kind: 'truth' | 'list' | 'pair' | 'function'): string {
    const known = this.leaf(kind);
    if (known !== undefined) return known;
    return { truth: '(m > 0)', list: 'ps', pair: 'objects[1]', function: 'functions[0]' }[kind];
  }

  /** The first form, or any of the others where expressions are not deep already. */
  protected deeper(leaf: () => string, ...others: (() => string)[]): string {
    if (this.nesting >= DEEPEST || this.chance(0.4)) return leaf();
    this.nesting++;
    const text = this.pick(others)();
    this.nesting--;
    return text;
  }

  protected declare(name: string, kind: Kind): void {
    this.scope.push({ name, kind });
  }
}
