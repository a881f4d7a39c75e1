// Times to failure, some of them censored.
import { Exponential, factor, Gamma, Gaussian, Infer, observe, sample } from 'waymark';

const patients = [
  { time: 3.2, dead: true, treated: false },
  { time: 5.1, dead: true, treated: false },
  { time: 2.2, dead: true, treated: false },
  { time: 8.0, dead: false, treated: true },
  { time: 6.4, dead: true, treated: true },
  { time: 9.0, dead: false, treated: true },
  { time: 7.7, dead: true, treated: true },
];
const model = () => {
  const base = sample(Gamma({ shape: 2, scale: 0.1 }));
  const effect = sample(Gaussian({ mu: 0, sigma: 1 }));
  for (const p of patients) {
    const rate = p.treated ? base * Math.exp(effect) : base;
    if (p.dead) observe(Exponential({ a: rate }), p.time);
    else factor(-rate * p.time);
  }
  return effect;
};
export default Infer({ method: 'MCMC', samples: 5000, model });
