// Appendix B: the program whose dependency graph the paper shows. With the option estimator: {ELBO: {dumpGraph: true}}
// the graph is written to deps.dot.
import { argv, Bernoulli, Gaussian, loadData, mapData, Optimize, observe, sample } from 'waymark';

const data = loadData<number[]>('data.json');

const model = () => {
  const a = sample(Bernoulli({ p: 0.5 }));
  mapData({ data }, (y) => {
    const x = sample(Gaussian({ mu: a ? 0 : 5, sigma: 1 }));
    observe(Gaussian({ mu: x, sigma: 0.5 }), y);
  });
  return a;
};

export default Optimize(model, { steps: Number(argv.steps ?? 1000), optMethod: { adam: { stepSize: 0.05 } } });
