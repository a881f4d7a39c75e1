/** What does not compile, and what results are known to have. The type checker holds these; nothing is executed. */
import { expect, test } from 'vitest';
import { flip, Infer, mapData, Optimize, param } from '../../src/index.ts';

const model = (): boolean => flip(0.5);

const compiled = (): unknown[] => [
  Infer({ method: 'enumerate', model }).logZ.toFixed(2),
  Infer({ method: 'MCMC', kernel: { NUTS: { targetAcceptance: 0.9 } }, samples: 10, model }).samples.length,
  Infer({ method: 'MCMC', kernel: 'HMC', model }).diagnostics.acceptance.toFixed(2),
  Infer({ method: 'SMC', particles: 10, rejuvKernel: { MH: { discreteOnly: true } }, saveTraces: true, model }).traces
    ?.length,
  Infer(model, { method: 'importance', samples: 10 }).logZ.toFixed(2),
  Infer({ method: 'rejection' }, model).samples[0].value satisfies boolean,
  Infer({ method: 'optimize', steps: 10, optMethod: { adam: { stepSize: 0.1 } }, model }).samples.length,
  Infer({ method: 'asyncPF', model }).continue(10).continue(10).score(true),
  Infer({ method: 'incrementalMH', samples: 10, dontAdapt: true, model }).diagnostics.convergence,
  Infer({ method: 'defaultInfer', samples: 10, model }).score(true),
  Infer({ method: 'AIS', steps: 10, model }).logZ.toFixed(2),
  Infer({ samples: 10, model }).score(true),
  Infer(model).score(true),
  Optimize<'mu' | 'sigma'>(() => param()).mu.dims,
];

const refused = (): unknown[] => [
  // @ts-expect-error a misspelt method
  Infer({ method: 'enumerat', model }),
  // @ts-expect-error a misspelt option
  Infer({ method: 'MCMC', sampels: 10, model }),
  // @ts-expect-error an option of another method
  Infer({ method: 'enumerate', lag: 10, model }),
  // @ts-expect-error a misspelt kernel
  Infer({ method: 'MCMC', kernel: 'NUT', model }),
  // @ts-expect-error a misspelt option of a kernel
  Infer({ method: 'MCMC', kernel: { NUTS: { targetAcceptanc: 0.9 } }, model }),
  // @ts-expect-error without a method there is no burn-in
  Infer({ burn: 10, model }),
  // @ts-expect-error enumeration draws no samples
  Infer({ method: 'enumerate', model }).samples.length,
  // @ts-expect-error a forward sample has no evidence
  Infer({ method: 'forward', model }).logZ.toFixed(2),
  // @ts-expect-error only the anytime filter goes on
  Infer({ method: 'SMC', model }).continue(10),
  // @ts-expect-error a misspelt kernel of rejuvenation
  Infer({ method: 'SMC', rejuvKernel: { MHH: {} }, model }),
  // @ts-expect-error a misspelt option of an objective
  Infer({ method: 'optimize', estimator: { ELBO: { sample: 1 } }, model }),
  // @ts-expect-error an option of the wrong type
  Infer({ method: 'SMC', particles: '10', model }),
  // @ts-expect-error a minibatch gives nothing that could be taken for the results of all data
  mapData({ data: [1, 2], batchSize: 1 }, (y) => y).length,
  // @ts-expect-error a parameter that is not among the known ones
  Optimize<'mu' | 'sigma'>(() => param()).nu,
  // @ts-expect-error a misspelt optimiser
  Optimize(() => param(), { optMethod: 'adm' }),
];

/** Results without a minibatch are those of all data. */
const all = (): number[] => mapData({ data: [1, 2] }, (y) => y * 2);

test('types say what runs', () => {
  expect([compiled, refused, all]).toHaveLength(3);
});
