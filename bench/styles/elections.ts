// Polls of regions with a swing that all share; seats by entries of a list of objects.
import { Binomial, Gaussian, Infer, observe, sample } from 'waymark';

const regions = [
  { name: 'north', lean: 0.1, seats: 12, asked: 200, yes: 109 },
  { name: 'south', lean: -0.2, seats: 20, asked: 300, yes: 141 },
  { name: 'east', lean: 0, seats: 8, asked: 150, yes: 80 },
  { name: 'west', lean: 0.3, seats: 15, asked: 250, yes: 152 },
];
const model = () => {
  const swing = sample(Gaussian({ mu: 0, sigma: 0.3 }));
  const shares = regions.map(({ lean }) => {
    const x = lean + swing + sample(Gaussian({ mu: 0, sigma: 0.1 }));
    return 1 / (1 + Math.exp(-x));
  });
  regions.forEach(({ asked, yes }, i) => void observe(Binomial({ p: shares[i], n: asked }), yes));
  return regions.filter((_, i) => shares[i] > 0.5).reduce((seats, region) => seats + region.seats, 0);
};
export default Infer({ method: 'importance', samples: 4000, model });
