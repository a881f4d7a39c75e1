// Weather by day out of a table of words, rain observed on some days.
import { Bernoulli, Discrete, Infer, observe, sample } from 'waymark';

type Sky = 'sun' | 'cloud' | 'rain';
const skies: Sky[] = ['sun', 'cloud', 'rain'];
const next: Record<Sky, number[]> = { sun: [0.7, 0.2, 0.1], cloud: [0.3, 0.4, 0.3], rain: [0.2, 0.4, 0.4] };
const wet: Record<Sky, number> = { sun: 0.02, cloud: 0.2, rain: 0.9 };
const seen = [false, false, true, true, false, true, false];

const model = () => {
  let sky: Sky = 'sun';
  for (const rained of seen) {
    sky = skies[sample(Discrete({ ps: next[sky] }))];
    observe(Bernoulli({ p: wet[sky] }), rained);
  }
  return sky;
};
export default Infer({ method: 'SMC', particles: 2000, model });
