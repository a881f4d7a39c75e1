/** Types are behaviour: what must compile, and what must not (checked by `tsc --noEmit`, which runs before the tests). */
import { describe, expectTypeOf, test } from 'vitest';
import {
  Amortize,
  Bernoulli,
  Beta,
  Categorical,
  cache,
  calibrate,
  condition,
  Delta,
  Dirichlet,
  Discrete,
  evidence,
  expectation,
  factor,
  flip,
  foldData,
  Gaussian,
  globalStore,
  Infer,
  LogitNormal,
  linear,
  Mixture,
  MultivariateGaussian,
  map,
  mapData,
  marginalize,
  mem,
  nn,
  Optimize,
  observe,
  param,
  posteriors,
  quantile,
  repeat,
  sample,
  saveParams,
  schedules,
  setParams,
  T,
  type Tensor,
  Uniform,
  uniformDraw,
  Vector,
  viz,
  withRun,
  withSeed,
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
    expectTypeOf(expectation(posterior, ({ big }) => (big ? 1 : 0))).toBeNumber();
    expectTypeOf(expectation(Infer(() => (flip() ? 1 : 2)))).toEqualTypeOf<number>();
    // @ts-expect-error objects have no average
    expectation(posterior);
  });

  test('takes the options of its method, and of no other', () => {
    if (!never) return;
    const model = () => flip();
    Infer({ method: 'MCMC', kernel: { HMC: { steps: 3, stepSize: 0.1 } }, chains: 2, model });
    // @ts-expect-error the option is called samples
    Infer({ method: 'MCMC', sample: 5, model });
    // @ts-expect-error an option of a kernel
    Infer({ method: 'MCMC', kernel: { NUTS: { stepsize: 1 } }, model });
    // @ts-expect-error there is no such kernel
    Infer({ method: 'MCMC', kernel: 'Nuts', model });
    // @ts-expect-error SMC has particles
    Infer({ method: 'SMC', samples: 5, model });
    // @ts-expect-error a number of particles
    Infer({ method: 'SMC', particles: '5', model });
    // @ts-expect-error there is no such method
    Infer({ method: 'enumerat', model });
    // @ts-expect-error importance sampling has samples
    Infer(model, { method: 'importance', particles: 3 });
    // @ts-expect-error the option is called maxScore
    Infer(model, { method: 'rejection', maxscore: 3 });
    // @ts-expect-error the option of a kernel of rejuvenation is called steps
    Infer({ method: 'SMC', rejuvKernel: { HMC: { step: 1 } }, model });
    // @ts-expect-error data are inferred by importance, forward or SMC
    posteriors(model, { method: 'NUTS' });
    // @ts-expect-error the option is called samples
    evidence(model, { sample: 4 });
    // @ts-expect-error the option is called example
    Amortize((x: number) => x, { exmaple: 1 });
    // @ts-expect-error there is no such objective
    Amortize((x: number) => x, { example: 1, objective: 'ELBOW' });
  });

  // A line that must not compile is that of the misspelt word itself.
  test('errors stand at the misspelt word', () => {
    if (!never) return;
    const model = () => ({ z: sample(Gaussian({ mu: 0, sigma: 1 })) });
    Infer(model, {
      // @ts-expect-error there is no such method
      method: 'MCMCC',
    });
    Infer(model, {
      method: 'MCMC',
      // @ts-expect-error the option is called samples
      sampels: 3,
    });
    Infer(
      {
        method: 'enumerate',
        // @ts-expect-error there is no such strategy
        strategy: 'depthFrist',
      },
      model,
    );
    Infer({
      method: 'SMC',
      model,
      // @ts-expect-error a number of particles
      particles: '5',
    });
    calibrate((y: number) => y, {
      // @ts-expect-error an example of the data is a number
      example: 'a',
    });
    calibrate(() => mapData({ data: [1] }, model), {
      method: 'importance',
      // @ts-expect-error what mapData's function returns has no such field
      quantities: { q: ({ q }) => q },
    });
    calibrate(
      Amortize((y: number) => y, { example: 1 }),
      {
        // @ts-expect-error the option is called simulations
        simulation: 30,
      },
    );
    foldData({ data: [1], init: 0 }, (state, y) =>
      // @ts-expect-error the state is a number
      String(state + y),
    );
    marginalize(
      Infer(model),
      // @ts-expect-error the model returns no such field
      'q',
    );
  });

  test('gives what its method has', () => {
    if (!never) return;
    const model = () => ({ a: sample(Gaussian({ mu: 0, sigma: 1 })) });
    expectTypeOf(Infer({ method: 'MCMC', model }).diagnostics.acceptance).toBeNumber();
    expectTypeOf(Infer({ method: 'SMC', model }).samples[0].value.a).toBeNumber();
    expectTypeOf(Infer({ method: 'enumerate', model }).logZ).toBeNumber();
    // @ts-expect-error enumeration has no chains
    Infer({ method: 'enumerate', model }).diagnostics.acceptance;
    // @ts-expect-error chains have no evidence
    Infer({ method: 'MCMC', model }).logZ.toFixed();
    // @ts-expect-error the model returns no such field
    marginalize(Infer({ method: 'MCMC', model }), 'b');
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
    expectTypeOf(mapData({ data: [1], batchSize: 1 }, (y) => y)).toEqualTypeOf<number[] | undefined>();
    // @ts-expect-error data come in an object
    mapData([1, 2], (x) => x);
    // @ts-expect-error the option is called batchSize
    mapData({ data: [1], batchsize: 1 }, (x) => x);
    // @ts-expect-error text is no condition
    condition('yes');
    // @ts-expect-error a truth value is no score: condition takes one
    factor(true);
    // @ts-expect-error a uniform has no third parameter
    sample(Uniform({ a: 0, b: 1, c: 2 }));
    // @ts-expect-error a covariance is a matrix
    MultivariateGaussian({ mu: Vector([0]), cov: 3 });
    // @ts-expect-error entries of vectors are numbers
    Vector(['a']);
    // @ts-expect-error text cannot be added to a tensor
    T.add(1, 'a');
    // @ts-expect-error a probability is a number
    quantile([1, 2], '0.5');
    // @ts-expect-error a seed is a number
    withSeed('a', () => 1);
    // @ts-expect-error the option is called out
    linear('a', { in: 1, ot: 2 });
    // @ts-expect-error dims are a list
    param({ dims: 3 });
    // @ts-expect-error steps are a number
    schedules.cosine({ from: 1, to: 0, steps: 'a' });
    // @ts-expect-error the function comes first
    map([1, 2], (x: number) => x);
  });
});

describe('what is easily mistaken', () => {
  const model = () => ({ a: sample(Gaussian({ mu: 0, sigma: 1 })), b: flip(0.3) });

  test('does not compile', () => {
    if (!never) return;
    // @ts-expect-error NUTS is a kernel of MCMC
    Infer(model, { method: 'NUTS' });
    // @ts-expect-error a method and no model
    Infer({ method: 'enumerate' });
    // @ts-expect-error an option of a nested kernel
    Infer({ method: 'MCMC', model, kernel: { HMC: { stepSzie: 0.1 } } });
    // @ts-expect-error a diagnostic of chains
    Infer({ method: 'MCMC', model }).diagnostics.acceptence.toFixed();
    // @ts-expect-error a probability is a number
    flip('0.5');
    // @ts-expect-error a number is no distribution
    sample(0.5);
    // @ts-expect-error a Bernoulli is over truth values
    observe(Bernoulli({ p: 0.5 }), 1);
    // @ts-expect-error there is no such rule
    sample(Gaussian({ mu: 0, sigma: 1 }), { gradient: 'reinforce' });
    // @ts-expect-error an option of the optimiser
    Optimize(model, { optMethod: { sgd: { learningRate: 0.1 } } });
    // @ts-expect-error a function of the data's items
    mapData({ data: [1, 2] }, (x: string) => x);
    // @ts-expect-error a network has a name
    nn.mlp(2, [{ nOut: 3 }]);
    // @ts-expect-error the field is called nOut
    nn.mlp(2, [{ nout: 3 }], 'net');
    // @ts-expect-error components of a mixture have values of one type
    Mixture({ dists: [Gaussian({ mu: 0, sigma: 1 }), Bernoulli({ p: 0.5 })], ps: [0.5, 0.5] });
    // @ts-expect-error files have names
    saveParams();
    // @ts-expect-error parameters come by name
    setParams(3);
    // @ts-expect-error there is no such drawing
    viz.histogram(Infer(model));
    // @ts-expect-error the option is called seed
    withRun({ sed: 1 }, () => 1);
  });

  test('compiles as it should', () => {
    if (!never) return;
    const methods = ['enumerate', 'SMC'] as const;
    expectTypeOf(methods.map((method) => Infer({ method, model }).sample().a)).toEqualTypeOf<number[]>();
    const byParticles = <T>(of: () => T) => Infer({ method: 'SMC', particles: 10, model: of });
    expectTypeOf(byParticles(() => 3).samples[0].value).toBeNumber();
    const shape = (): { kind: 'circle'; r: number } | { kind: 'square' } =>
      flip() ? { kind: 'circle', r: 1 } : { kind: 'square' };
    expectTypeOf(Infer(shape).sample().kind).toEqualTypeOf<'circle' | 'square'>();
    expectTypeOf(sample(Categorical({ vs: ['red', 'green'] as const }))).toEqualTypeOf<'red' | 'green'>();
    expectTypeOf(Infer({ method: 'rejection', model: () => [flip(), 1] as const }).sample()[0]).toBeBoolean();
    const either = flip() ? Gaussian({ mu: 0, sigma: 1 }) : Uniform({ a: 0, b: 1 });
    expectTypeOf(sample(either)).toBeNumber();
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
