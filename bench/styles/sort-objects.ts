// A race: runners sorted by their times, the winner's lead.
import { expectation, Gaussian, Infer, observe, sample } from 'waymark';

const runners = ['ada', 'bo', 'cy', 'di'];
const model = () => {
  const form = runners.map(() => sample(Gaussian({ mu: 0, sigma: 1 })));
  const result = runners
    .map((name, i) => ({ name, time: 60 - form[i] + sample(Gaussian({ mu: 0, sigma: 0.5 })) }))
    .sort((a, b) => a.time - b.time);
  observe(Gaussian({ mu: result[1].time - result[0].time, sigma: 0.2 }), 0.8);
  return form[0];
};
export default expectation(Infer({ method: 'importance', samples: 3000, model }));
