/** Parameters near the ends of what numbers can hold: draws end and are in the support, scores are never NaN. */
import { describe, expect, test } from 'vitest';
import * as families from '../../src/distributions/index.ts';
import type { AnyParameter } from '../../src/distributions/parameter.ts';
import { WaymarkError } from '../../src/runtime/errors.ts';
import type { Distribution, Interval } from '../../src/runtime/handler.ts';
import { type Random, RandomStream } from '../../src/runtime/random.ts';
import { Tensor } from '../../src/tensor/tensor.ts';

const TINY = [1e-310, 1e-300, 1e-100, 1e-17];
const HUGE = [1e17, 1e100, 1e300];
const EXTREME = [...TINY, 1, ...HUGE];
const SIGNED = [...EXTREME, ...EXTREME.map((x) => -x), 0];
const SHARES = [0, ...TINY, 0.5, 1 - 2 ** -53, 1];

interface Family {
  readonly family: { readonly name: string; readonly params: Record<string, AnyParameter> };
  (params: object): Distribution<unknown> & { support?(): readonly unknown[] | Interval };
}

/** Gives up where a sampler would go on for ever. */
class Bounded implements Random {
  private left = 100_000;
  constructor(private readonly stream: RandomStream) {}

  private count(): void {
    if (--this.left < 0) throw new Error('a draw does not end');
  }
  uniform(): number {
    this.count();
    return this.stream.uniform();
  }
  gaussian(): number {
    this.count();
    return this.stream.gaussian();
  }
  integer(n: number): number {
    this.count();
    return this.stream.integer(n);
  }
}

/** Values to try for a parameter that is a number. */
function valuesFor({ accepts }: AnyParameter): readonly number[] {
  const tried = accepts(-1) ? SIGNED : accepts(2.5) ? EXTREME : accepts(0.5) ? SHARES : [1, 3, 1000, 2 ** 31, 2 ** 53];
  return tried.filter((x) => accepts(x));
}

function combinations(params: Record<string, AnyParameter>): object[] {
  return Object.entries(params).reduce<object[]>(
    (sofar, [name, kind]) => sofar.flatMap((given) => valuesFor(kind).map((value) => ({ ...given, [name]: value }))),
    [{}],
  );
}

const scalar = Object.values(families)
  .filter((made) => typeof made === 'function' && 'family' in made)
  .map((made) => made as unknown as Family)
  // One has no draws, the other those of a matrix.
  .filter(({ family }) => !['ImproperUniform', 'LKJCholesky'].includes(family.name))
  .filter(({ family }) => Object.values(family.params).every(({ accepts }) => accepts(1) || accepts(2)));

/** Of one element each, so that their parameters can be any number that the scalar families take. */
const vectors: Record<string, (x: number, y: number) => object> = {
  Dirichlet: (x, y) => ({ alpha: [x, y] }),
  DiagCovGaussian: (x, y) => ({ mu: [x, -y], sigma: [x, y] }),
  LogisticNormal: (x, y) => ({ mu: [x], sigma: [y] }),
  Discrete: (x, y) => ({ ps: [x, y] }),
  Categorical: (x, y) => ({ ps: [x, y], vs: ['a', 'b'] }),
  Multinomial: (x, y) => ({ ps: [x, y], n: 5 }),
  TensorGaussian: (x, y) => ({ mu: x, sigma: y, dims: [2, 1] }),
  TensorLaplace: (x, y) => ({ location: x, scale: y, dims: [2, 1] }),
  KDE: (x, y) => ({ data: [x, -x], width: y }),
  MultivariateGaussian: (x, y) => ({ mu: [x], cov: new Tensor([1, 1], Float64Array.of(y)) }),
  Wishart: (x, y) => ({ df: x, scale: new Tensor([1, 1], Float64Array.of(y)) }),
  LKJCholesky: (x) => ({ dim: 3, eta: x }),
};

function made(make: Family, params: object): ReturnType<Family> | undefined {
  try {
    return make(params);
  } catch (thrown) {
    // Refused in words of the family's own.
    expect(thrown).toBeInstanceOf(WaymarkError);
    return undefined;
  }
}

/** A draw; undefined where the family says that it cannot. */
function drawn(dist: Distribution<unknown>, seed: number): unknown {
  try {
    return dist.draw(new Bounded(RandomStream.fromSeed(seed).begin()));
  } catch (thrown) {
    if (!(thrown instanceof WaymarkError)) throw thrown;
    expect(thrown.message).toMatch(/too large or too small/);
    return undefined;
  }
}

const entries = (value: unknown): number[] =>
  typeof value === 'number' ? [value] : value instanceof Tensor ? [...value.data] : [];

function problems(make: Family, all: readonly object[]): string[] {
  const found: string[] = [];
  for (const params of all) {
    const dist = made(make, params);
    if (dist === undefined) continue;
    const complain = (what: string): void => void found.push(`${dist}: ${what}`);
    for (let seed = 1; seed <= 3; seed++) {
      const value = drawn(dist, seed);
      if (value === undefined) continue;
      if (entries(value).some((x) => !Number.isFinite(x))) complain(`drew ${value}`);
      const { lower = -Infinity, upper = Infinity } = ((dist.isContinuous && dist.support?.()) ||
        {}) as Partial<Interval>;
      if (typeof value === 'number' && !(value >= lower && value <= upper)) complain(`drew ${value}`);
      if (Number.isNaN(dist.score(value))) complain(`scores its draw ${value} as NaN`);
    }
    if (!(make.family.name in vectors)) {
      for (const x of [...SIGNED, 2, 3.5]) if (Number.isNaN(dist.score(x))) complain(`scores ${x} as NaN`);
    }
  }
  return found;
}

describe('families over numbers', () => {
  test.each(scalar.map((make) => [make.family.name, make] as const))('%s', (_name, make) => {
    expect(problems(make, combinations(make.family.params))).toEqual([]);
  });
});

describe('families over vectors', () => {
  test.each(Object.entries(vectors))('%s', (name, paramsOf) => {
    const make = (families as unknown as Record<string, Family>)[name];
    const all = EXTREME.flatMap((x) => EXTREME.map((y) => paramsOf(x, y)));
    expect(problems(make, all)).toEqual([]);
  });
});
