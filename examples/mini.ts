/**
 * The whole idea on one page: a probabilistic programming language with learned guides, in plain TypeScript.
 *
 * A program is an ordinary function. Its random choices ask a handler, and what the program means depends on which handler is in
 * force: one draws from the model, another draws from the guide and learns. Waymark does the same, for any program and fast.
 * Run it with `npx waymark run examples/mini.ts`. It imports nothing.
 */

// 1. Numbers that remember how they were computed, so that derivatives can be found backwards.

interface Num {
  readonly value: number;
  /** The derivative of the final result with respect to this number, once `backward` has run. */
  grad: number;
  /** What it was computed from, with the derivative of this number with respect to each. */
  readonly from: readonly (readonly [input: Num, slope: number])[];
}

const num = (value: number, from: Num['from'] = []): Num => ({ value, grad: 0, from });
const lift = (x: Num | number): Num => (typeof x === 'number' ? num(x) : x);

type Given = Num | number;
const add = (a: Given, b: Given): Num => sumOf([a, b]);
const sub = (a: Given, b: Given): Num => add(a, mul(-1, b));
const sumOf = (xs: readonly Given[]): Num => {
  const terms = xs.map(lift);
  const total = terms.reduce((sum, { value }) => sum + value, 0);
  const slopes = terms.map((term): [Num, number] => [term, 1]);
  return num(total, slopes);
};
const mul = (a: Given, b: Given): Num => {
  const [x, y] = [lift(a), lift(b)];
  return num(x.value * y.value, [
    [x, y.value],
    [y, x.value],
  ]);
};
/** A function of one number, and its derivative. */
const unary =
  (f: (x: number) => number, slope: (x: number) => number) =>
  (given: Given): Num => {
    const x = lift(given);
    return num(f(x.value), [[x, slope(x.value)]]);
  };
const exp = unary(Math.exp, Math.exp);
const log = unary(Math.log, (x) => 1 / x);
/** A quotient, for b > 0. */
const div = (a: Given, b: Given): Num => mul(a, exp(mul(-1, log(b))));
const tanh = unary(Math.tanh, (x) => 1 - Math.tanh(x) ** 2);
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const softplus = unary((x) => Math.log1p(Math.exp(x)), sigmoid);
/** The same number, through which no derivative passes. */
const constant = (x: Given): number => lift(x).value;

/** Finds the derivative of a result with respect to each number that it was computed from. */
function backward(result: Num): void {
  const order: Num[] = [];
  const seen = new Set<Num>();
  const visit = (x: Num): void => {
    if (seen.has(x)) return;
    seen.add(x);
    for (const [input] of x.from) visit(input);
    order.push(x);
  };
  visit(result);
  result.grad = 1;
  for (const x of order.reverse()) for (const [input, slope] of x.from) input.grad += slope * x.grad;
}

// 2. Distributions: how to draw, and how probable a value is (the logarithm of that).

interface Dist<V> {
  draw(random: () => number): V;
  score(value: V): Num;
  /** For a value that is a smooth function of random numbers: draws it so that gradients pass through. */
  pathwise?(random: () => number): V;
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

export const Gaussian = (mu: Given, sigma: Given): Dist<Given> => ({
  draw: (random) => constant(mu) + constant(sigma) * normal(random),
  pathwise: (random) => add(mu, mul(sigma, normal(random))),
  score(x) {
    const z = div(sub(x, mu), sigma);
    return sub(sub(mul(-0.5, mul(z, z)), log(sigma)), 0.5 * Math.log(2 * Math.PI));
  },
});

export const Discrete = (ps: readonly Given[]): Dist<number> => ({
  draw(random) {
    let [k, left] = [0, random()];
    for (; k < ps.length - 1 && left >= constant(ps[k]); k++) left -= constant(ps[k]);
    return k;
  },
  score: (k) => log(ps[k]),
});

// 3. The language. What each of these does is up to the handler in force.

interface Handler {
  sample<V>(target: Dist<V>, guide: Dist<V> | undefined): V;
  factor(score: Num): void;
  /** Runs the body for each datum. The handler may rely on the data being independent given what came before. */
  mapData<D>(data: readonly D[], body: (datum: D) => void): void;
  param(name: string, start: number): Given;
}

let handler: Handler;

/** Runs a program under a handler. */
function run<T>(under: Handler, program: () => T): T {
  const outer = handler;
  handler = under;
  try {
    return program();
  } finally {
    handler = outer;
  }
}

export const sample = <V>(target: Dist<V>, options: { guide?: Dist<V> } = {}): V =>
  handler.sample(target, options.guide);
export const factor = (score: Num): void => handler.factor(score);
export const observe = <V>(dist: Dist<V>, value: V): void => handler.factor(dist.score(value));
export const mapData = <D>(data: readonly D[], body: (datum: D) => void): void => handler.mapData(data, body);
export const param = (name: string, start = 0): Given => handler.param(name, start);

// 4. One meaning: draw from the guides, and weigh by how much more probable the model finds it (importance sampling).

export type Params = Map<string, number>;

const known = (params: Params, name: string, start: number): number => {
  if (!params.has(name)) params.set(name, start);
  return params.get(name)!;
};

/** An execution drawn from the guides: its value, and the logarithm of its weight. */
export function weighed<T>(program: () => T, params: Params, random: () => number): { value: T; logWeight: number } {
  let logWeight = 0;
  const under: Handler = {
    sample(target, guide = target) {
      const value = guide.draw(random);
      logWeight += target.score(value).value - guide.score(value).value;
      return value;
    },
    factor(score) {
      logWeight += score.value;
    },
    mapData: (data, body) => void data.map((datum) => body(datum)),
    param: (name, start) => known(params, name, start),
  };
  return { value: run(under, program), logWeight };
}

// 5. Another meaning: draw from the guides, and keep a record from which a gradient of the ELBO can be computed.
//    The cost of an execution is log q − log p. Its mean is −ELBO, which is to be made small.

/** A factor or a choice (with log q, if no gradient passes through its value); or data that do not depend on each other. */
type Event = { cost: Num; logQ?: Num } | { items: Event[][] };

/** The gradient of −ELBO with respect to each parameter, estimated by one execution; `draw` says how values come about. */
export function gradient(program: () => unknown, params: Params, draw: <V>(from: Dist<V>) => V) {
  const leaves = new Map<string, Num>();
  let record: Event[] = [];
  const under: Handler = {
    sample(target, guide = target) {
      const value = draw(guide);
      const logQ = guide.score(value);
      record.push({ cost: sub(logQ, target.score(value)), logQ: guide.pathwise === undefined ? logQ : undefined });
      return value;
    },
    factor: (score) => record.push({ cost: mul(-1, score) }),
    mapData(data, body) {
      const outer = record;
      const items = data.map((datum) => {
        record = [];
        body(datum);
        return record;
      });
      record = outer;
      record.push({ items });
    },
    param(name, start) {
      if (!leaves.has(name)) leaves.set(name, num(known(params, name, start)));
      return leaves.get(name)!;
    },
  };
  run(under, program);
  const { loss, cost } = surrogate(record, 0);
  backward(loss);
  return { elbo: -cost, gradient: new Map([...leaves].map(([name, { grad }]) => [name, grad])) };
}

/**
 * The quantity whose gradient is the estimate, and the cost. A choice whose value has no gradient learns from its consequences:
 * log q times the cost of all that may depend on it. That is what comes later in its own list of events, and nothing of other data.
 * `after` is the cost of what follows the list.
 */
function surrogate(events: readonly Event[], after: number): { loss: Num; cost: number } {
  const terms: Num[] = [];
  let cost = after;
  for (const event of events.toReversed()) {
    if ('items' in event) {
      const parts = event.items.map((item) => surrogate(item, cost));
      terms.push(...parts.map(({ loss }) => loss));
      cost += parts.reduce((total, part) => total + part.cost - cost, 0);
      continue;
    }
    cost += event.cost.value;
    terms.push(event.cost);
    // The cost holds log q, whose own gradient has mean zero: without it the variance is lower.
    if (event.logQ !== undefined) terms.push(mul(event.logQ, cost), mul(-1, event.logQ));
  }
  return { loss: sumOf(terms), cost };
}

// 6. A mixture of three Gaussians, and a network that guesses which of them a point came from.

/** Two free numbers as three probabilities. */
const simplex = (free: readonly Given[]): Num[] => {
  const weights = [...free.map(exp), num(1)];
  const total = sumOf(weights);
  return weights.map((weight) => div(weight, total));
};

/** Names of parameters are those of the mixture in the tutorial, with the place of the number in its tensor. */
const layer = (name: string, inputs: readonly Given[], outputs: number): Num[] => {
  const weight = (row: number, at: number) => param(`${name}w:${row * inputs.length + at}`, 0.3 * (row - 1));
  const rows = Array.from({ length: outputs }, (_, row) => inputs.map((x, at) => mul(weight(row, at), x)));
  return rows.map((terms, row) => sumOf([...terms, param(`${name}b:${row}`)]));
};

export const mixture = (data: readonly number[], hidden: string, output: string) => (): void => {
  const weights = simplex([param('weights:0'), param('weights:1')]);
  const components = [1, 2, 3].map((k) => Gaussian(param(`mu${k}:0`, 2 * k - 4), softplus(param(`sigma${k}:0`))));
  mapData(data, (y) => {
    const guess = simplex(layer(output, layer(hidden, [y], 5).map(tanh), 2));
    const x = sample(Discrete(weights), { guide: Discrete(guess) });
    observe(components[x], y);
  });
};

/** Small random numbers with a seed, for the demonstration. */
const seeded = (seed: number) => () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};

/** Learns by stochastic gradient descent; gives the ELBO now and then, and the means. */
function demonstration(): { ELBO: number[]; means: number[] } {
  const random = seeded(7);
  const data = Array.from({ length: 15 }, (_, i) => [-4, 0, 4][i % 3] + 0.6 * normal(random));
  const params: Params = new Map();
  const ELBO: number[] = [];
  for (let step = 0; step < 150; step++) {
    const estimate = gradient(mixture(data, 'hidden', 'output'), params, (from) =>
      (from.pathwise ?? from.draw)(random),
    );
    for (const [name, slope] of estimate.gradient)
      params.set(name, params.get(name)! - 0.01 * Math.max(-10, Math.min(10, slope)));
    if (step % 50 === 0) ELBO.push(Number(estimate.elbo.toFixed(1)));
  }
  return { ELBO, means: [1, 2, 3].map((k) => Number(params.get(`mu${k}:0`)!.toFixed(2))) };
}

export default demonstration();
