import { Infer } from 'waymark';
import { example, model } from './model.ts';

/** The same model with chains of its own for every request. */
export default {
  posteriors: (list: { x: number; y: number }[][], { samples }: { samples: number }) =>
    list.map((points) =>
      Infer({ method: 'MCMC', kernel: 'NUTS', samples, burn: 300, verbose: false, model: () => model(points) }),
    ),
  dreams: () => [{ data: example }],
};
