/**
 * The exact ELBO of small programs: every value of discrete guides, and the nodes of a quadrature for guides that are
 * transforms of a standard normal. Its finite differences are what gradient estimators are held against.
 */
import type { Address } from '../../src/runtime/address.ts';
import { Entry } from '../../src/runtime/execution.ts';
import type { Distribution, Handler, SampleOptions } from '../../src/runtime/handler.ts';
import type { ParameterTable } from '../../src/runtime/parameters.ts';
import { Tensor } from '../../src/tensor/tensor.ts';

/** Gauss–Hermite nodes and weights for a standard normal, by Newton's method on the orthonormal polynomials. */
export function hermite(n: number): { node: number; weight: number }[] {
  const out: { node: number; weight: number }[] = [];
  // Roots of He_n interlace: those of degree k bound those of degree k + 1.
  const value = (degree: number, x: number): [number, number] => {
    let [before, now] = [0, 1];
    for (let k = 1; k <= degree; k++) [before, now] = [now, (x * now - Math.sqrt(k - 1) * before) / Math.sqrt(k)];
    return [now, before];
  };
  let roots: number[] = [];
  for (let degree = 1; degree <= n; degree++) {
    const bounds = [-2 * Math.sqrt(degree) - 1, ...roots, 2 * Math.sqrt(degree) + 1];
    roots = Array.from({ length: degree }, (_, i) => {
      let [low, high] = [bounds[i], bounds[i + 1]];
      const sign = Math.sign(value(degree, low)[0]);
      for (let step = 0; step < 100; step++) {
        const middle = (low + high) / 2;
        if (Math.sign(value(degree, middle)[0]) === sign) low = middle;
        else high = middle;
      }
      return (low + high) / 2;
    });
  }
  for (const node of roots) {
    const [, before] = value(n, node);
    out.push({ node, weight: 1 / (n * before * before) });
  }
  return out;
}

const NODES = hermite(16);

export interface Outcome {
  readonly value: unknown;
  readonly probability: number;
}

export interface Guide extends Distribution<unknown> {
  base?(): Distribution<unknown>;
  transform?(noise: unknown): unknown;
}

export function outcomesOf(guide: Guide, nodes = NODES): Outcome[] {
  if (guide.name === 'Delta') return [{ value: (guide.params as { v: unknown }).v, probability: 1 }];
  if (guide.name === 'Mixture') {
    const { dists, ps } = guide.params as { dists: Guide[]; ps: readonly number[] };
    const total = ps.reduce((a, b) => a + b);
    const share = (i: number): number => ps[i] / total;
    return dists.flatMap((dist, i) =>
      outcomesOf(dist, nodes).map(({ value, probability }) => ({ value, probability: share(i) * probability })),
    );
  }
  const base = guide.base?.();
  if (base?.name === 'Gaussian') {
    return nodes.map(({ node, weight }) => ({ value: guide.transform!(node), probability: weight }));
  }
  const support = guide.support?.();
  if (!Array.isArray(support)) throw new Error(`no exact expectation under ${guide.name}`);
  return support.map((value) => ({ value, probability: Math.exp(guide.score(value)) }));
}

/** Follows one path through all choices, and says which is next. */
class Paths implements Handler {
  readonly name = 'the exact ELBO';
  readonly guided = true;
  private readonly path: { outcomes: Outcome[]; place: number }[] = [];
  private depth = 0;
  private weight = 1;
  private score = 0;
  total = 0;

  begin(): void {
    this.depth = 0;
    this.weight = 1;
    this.score = 0;
  }

  end(): boolean {
    this.total += this.weight * this.score;
    while (this.path.length > 0) {
      const last = this.path[this.path.length - 1];
      if (++last.place < last.outcomes.length) return true;
      this.path.pop();
    }
    return false;
  }

  sample<V>(target: Distribution<V>, options: SampleOptions<V> | undefined, _address: Address): V {
    const given = options?.guide;
    const guide = (typeof given === 'function' ? given() : given) as Guide;
    if (guide === undefined) throw new Error('programs of these tests give every choice a guide');
    if (this.depth === this.path.length) this.path.push({ outcomes: outcomesOf(guide), place: 0 });
    const { outcomes, place } = this.path[this.depth++];
    const { value, probability } = outcomes[place];
    this.weight *= probability;
    if (probability > 0) this.score += target.score(value as V) - guide.score(value);
    return value as V;
  }

  factor(score: number): void {
    this.score += score;
  }
}

/** The ELBO of a model with these parameters. */
export function exactElbo(model: () => unknown, params: ParameterTable): number {
  const entry = new Entry(params);
  const paths = new Paths();
  do {
    paths.begin();
    entry.execute(paths, model, entry.streamOf(0));
  } while (paths.end());
  return paths.total;
}

/** Its gradient by central differences, by parameter name. */
export function exactGradient(model: () => unknown, params: ParameterTable, h = 1e-4): Map<string, Float64Array> {
  return slopesOf((moved) => exactElbo(model, moved), params, h);
}

/** The slopes of a function of parameters, by parameter name. */
export function slopesOf(
  value: (params: ParameterTable) => number,
  params: ParameterTable,
  h = 1e-4,
): Map<string, Float64Array> {
  const gradients = new Map<string, Float64Array>();
  for (const name of params.names()) {
    const { dims, data } = params.get(name)!;
    const slopes = data.map((_, i) => {
      const at = (shift: number): number => {
        const moved = params.copy();
        moved.set(name, new Tensor(dims, data.map((x, k) => (k === i ? x + shift : x)))); // biome-ignore format: one thought
        return value(moved);
      };
      return (at(h) - at(-h)) / (2 * h);
    });
    gradients.set(name, slopes);
  }
  return gradients;
}
