// Places on a line, of which the squares are measured. So there are two answers for each, one on either side of 0. A guide that is one
// Gaussian would find one of them; this one chooses a side for itself.
import {
  display,
  evidence,
  flip,
  Gaussian,
  guide,
  mapData,
  Optimize,
  observe,
  param,
  sample,
  sigmoid,
  softplus,
} from 'waymark';

const data = [1.1, 3.8, 0.3, 2.2];

const model = () => {
  mapData({ data }, (squared) => {
    // What both guides below need is found once, before them.
    const found = guide((y: number) => Math.sqrt(y) * softplus(param({ name: 'scale' })));
    const side = sample(Gaussian({ mu: 0.3, sigma: 1.5 }), {
      guide: () => {
        const sign = flip(sigmoid(param({ name: 'balance' }) * found())) ? 1 : -1;
        return Gaussian({ mu: sign * found(), sigma: softplus(param({ name: 'spread' })) });
      },
    });
    observe(Gaussian({ mu: side * side, sigma: 0.4 }), squared);
  });
};

Optimize(model, {
  steps: 800,
  optMethod: { adam: { stepSize: 0.03 } },
  onFinish({ history }: { history: readonly number[] }) {
    const late = history.slice(-200);
    display(`ELBO ${(late.reduce((sum, bound) => sum + bound, 0) / late.length).toFixed(2)}`);
  },
});
// The log of the evidence is a little above the ELBO.
export default evidence(model, { samples: 4000 });
