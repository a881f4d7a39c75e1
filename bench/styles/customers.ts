// Which kind is each customer? Kinds are records with numbers.
import { Bernoulli, Gaussian, Infer, observe, Poisson, sample, uniformDraw } from 'waymark';

type Kind = { name: string; visits: number; spend: number; loyal: number };
const kinds: Kind[] = [
  { name: 'rare', visits: 1, spend: 50, loyal: 0.1 },
  { name: 'often', visits: 6, spend: 15, loyal: 0.7 },
  { name: 'bulk', visits: 2, spend: 120, loyal: 0.4 },
];
const customers = Array.from({ length: 12 }, (_, i) => ({
  visits: (i * 5) % 8,
  spend: 20 + ((i * 37) % 110),
  card: i % 3 === 0,
}));
const model = () => {
  const noise = sample(Gaussian({ mu: 20, sigma: 5 }));
  const found = customers.map(({ visits, spend, card }) => {
    const kind = uniformDraw(kinds);
    observe(Poisson({ mu: kind.visits }), visits);
    observe(Gaussian({ mu: kind.spend, sigma: Math.abs(noise) + 1 }), spend);
    observe(Bernoulli({ p: kind.loyal }), card);
    return kind.name;
  });
  return found.filter((name) => name === 'often').length;
};
export default Infer({ method: 'MCMC', samples: 3000, model });
