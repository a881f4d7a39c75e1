/** Types are behaviour: what must compile, and what must not (checked by `tsc --noEmit`, which runs before the tests). */
import { describe, expectTypeOf, test } from 'vitest';
import {
  Bernoulli,
  Beta,
  Categorical,
  cache,
  Delta,
  Dirichlet,
  Discrete,
  expectation,
  flip,
  foldData,
  Gaussian,
  globalStore,
  Infer,
  LogitNormal,
  map,
  mapData,
  mem,
  Optimize,
  observe,
  param,
  repeat,
  sample,
  type Tensor,
  uniformDraw,
  Vector,
} from 'waymark';

// Never called: only their types matter.
const never = false as boolean;

describe('choices', () => {
  test('have the type of their values', () => {
    if (!never) return;
    expectTypeOf(sample(Gaussian({ mu: 0, sigma: 1 }))).toBeNumber();
    expectTypeOf(sample(Bernoulli({ p: 0.5 }))).toBeBoolean();
    expectTypeOf(sample(Discrete({ ps: [1, 2] }))).toBeNumber();
    expectTypeOf(sample(Categorical({ vs: ['a', 'b'] }))).toBeString();
    expectTypeOf(sample(Dirichlet({ alpha: Vector([1, 1]) }))).toEqualTypeOf<Tensor>();
    expectTypeOf(sample(Delta({ v: { a: 1 } }))).toEqualTypeOf<{ a: number }>();
    expectTypeOf(flip(0.5)).toBeBoolean();
    expectTypeOf(uniformDraw(['x', 'y'])).toBeString();
    expectTypeOf(observe(Gaussian({ mu: 0, sigma: 1 }), 2)).toBeNumber();
  });

  test('a misspelt or missing parameter does not compile', () => {
    if (!never) return;
    // @ts-expect-error the parameter is called sigma
    Gaussian({ mu: 0, sgima: 1 });
    // @ts-expect-error sigma is missing
    Gaussian({ mu: 0 });
    // @ts-expect-error p is a number
    Bernoulli({ p: '0.5' });
  });

  test('a guide of another value type does not compile', () => {
    if (!never) return;
    sample(Beta({ a: 1, b: 1 }), { guide: LogitNormal({ mu: 0, sigma: 1 }) });
    sample(Gaussian({ mu: 0, sigma: 1 }), { guide: () => Gaussian({ mu: param(), sigma: 1 }) });
    // @ts-expect-error a boolean guide for a number
    sample(Gaussian({ mu: 0, sigma: 1 }), { guide: Bernoulli({ p: 0.5 }) });
    // @ts-expect-error a number's guide for a vector
    sample(Dirichlet({ alpha: Vector([1, 1]) }), { guide: () => Gaussian({ mu: 0, sigma: 1 }) });
    // @ts-expect-error the option is called guide
    sample(Bernoulli({ p: 0.5 }), { giude: Bernoulli({ p: 0.5 }) });
    // @ts-expect-error a string is no value of a Gaussian
    observe(Gaussian({ mu: 0, sigma: 1 }), 'high');
  });
});

describe('inference', () => {
  test('is generic in what the model returns', () => {
    if (!never) return;
    const posterior = Infer({ method: 'MCMC', model: () => ({ slope: 1, big: true }) });
    expectTypeOf(posterior.sample()).toEqualTypeOf<{ slope: number; big: boolean }>();
    expectTypeOf(sample(Infer(() => flip()))).toBeBoolean();
    expectTypeOf(Infer({ method: 'enumerate' }, () => 'x').support()).items.toBeString();
    expectTypeOf(expectation(posterior, ({ slope }) => slope)).toBeNumber();
    // @ts-expect-error the value has no field of this name
    expectation(posterior, ({ slop }) => slop);
    // @ts-expect-error objects have no average
    expectation(posterior);
  });

  test('Optimize gives tensors by name', () => {
    if (!never) return;
    expectTypeOf(Optimize(() => undefined, { steps: 1 })).toEqualTypeOf<Record<string, Tensor>>();
    Optimize(() => undefined, { optMethod: { adam: { stepSize: 0.1 } }, estimator: { ELBO: { samples: 2 } }, clip: 1 });
    Optimize({ model: () => undefined, optMethod: 'adamw', params: { mu: 3 }, checkpoint: { file: 'mu.checkpoint' } });
    Optimize(() => undefined, { autoGuide: 'fullRank' });
    Optimize(() => undefined, { autoGuide: { lowRank: { rank: 3 } } });
    // @ts-expect-error there is no such guide
    Optimize(() => undefined, { autoGuide: 'fullrank' });
    // @ts-expect-error a flow has no rank
    Optimize(() => undefined, { autoGuide: { flow: { rank: 3 } } });
    Optimize(() => undefined, { estimator: { RWS: { samples: 5, dream: 0.5, per: 'datum' } } });
    Optimize(() => undefined, { estimator: ['wakeSleep', { ELBO: 1 }, { IWAE: { samples: 3 }, weight: 0.5 }] });
    // @ts-expect-error there is no such objective
    Optimize(() => undefined, { estimator: [{ ELBOW: 1 }] });
    // @ts-expect-error samples are of data or of executions
    Optimize(() => undefined, { estimator: { IWAE: { per: 'step' } } });
    // @ts-expect-error a weight is a number
    Optimize(() => undefined, { estimator: [{ ELBO: {}, weight: 'much' }] });
    // @ts-expect-error the option is called steps
    Optimize(() => undefined, { step: 1 });
    // @ts-expect-error there is no such optimiser
    Optimize(() => undefined, { optMethod: 'adm' });
    // @ts-expect-error the option of adam is called stepSize
    Optimize(() => undefined, { optMethod: { adam: { stepsize: 0.1 } } });
    expectTypeOf(param()).toBeNumber();
    expectTypeOf(param({ dims: [2, 1] })).toEqualTypeOf<Tensor>();
  });
});

describe('library functions', () => {
  test('keep the types of their functions', () => {
    if (!never) return;
    expectTypeOf(map((x: number) => String(x), [1, 2])).toEqualTypeOf<string[]>();
    expectTypeOf(mapData({ data: [{ y: 1 }] }, ({ y }, i) => y + i)).toEqualTypeOf<number[]>();
    const step = (state: { x: number }, y: number, i: number, ahead: string): { x: number } => ({
      x: state.x + y + i + ahead.length,
    });
    const backwards = { init: '', fn: (h: string, y: number) => h + y };
    expectTypeOf(foldData({ data: [1, 2], init: { x: 0 }, backwards }, step)).toEqualTypeOf<{ x: number }>();
    expectTypeOf(foldData({ data: ['a'], init: 0 }, (n, word) => n + word.length)).toBeNumber();
    // @ts-expect-error a step gives a state
    foldData({ data: [1, 2], init: { x: 0 } }, (state, y) => state.x + y);
    // @ts-expect-error without a pass that goes back nothing is known of what lies ahead
    foldData({ data: [1, 2], init: 0 }, (state, y, _i, ahead) => state + y + ahead.length);
    expectTypeOf(repeat(3, () => flip())).toEqualTypeOf<boolean[]>();
    expectTypeOf(mem((name: string, n: number) => n > name.length)).toEqualTypeOf<
      (name: string, n: number) => boolean
    >();
    expectTypeOf(cache((x: number) => `${x}`)(3)).toBeString();
    // @ts-expect-error the function comes first
    map([1, 2], (x: number) => x);
  });
});

declare module 'waymark' {
  interface GlobalStore {
    ofTheTest: number;
  }
}

describe('the store', () => {
  test('has the types that a program declares for its fields', () => {
    if (!never) return;
    expectTypeOf(globalStore.ofTheTest).toBeNumber();
    expectTypeOf(globalStore.undeclared).toBeUnknown();
    // @ts-expect-error declared as a number
    globalStore.ofTheTest = 'three';
  });
});
