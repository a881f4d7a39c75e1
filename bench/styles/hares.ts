// Hares and lynxes: a population that may die out, observed now and then.
import { binomial, Infer, observe, Poisson, poisson } from 'waymark';

const counts: (number | null)[] = [12, null, 15, null, null, 9];
const model = () => {
  let hares = poisson(12);
  let lynxes = 3;
  for (const seen of counts) {
    const born = poisson(Math.max(0.1, 0.5 * hares));
    const eaten = Math.min(hares, binomial(Math.min(0.9, 0.08 * lynxes), hares));
    hares += born - eaten;
    lynxes = Math.max(1, lynxes + (eaten > 5 ? 1 : -1));
    if (hares === 0) return 'extinct';
    if (seen !== null) observe(Poisson({ mu: 0.8 * hares + 0.1 }), seen);
  }
  return hares > 15 ? 'many' : 'few';
};
export default Infer({ method: 'importance', samples: 2000, model });
