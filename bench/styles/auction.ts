import { Gaussian, Infer, LogNormal, observe, sample } from 'waymark';

type Bid = { who: string; amount: number };
const model = () => {
  const worth = sample(LogNormal({ mu: 3, sigma: 0.4 }));
  const bids: Bid[] = ['ada', 'bo', 'cy', 'di'].map((who) => ({
    who,
    amount: worth * sample(LogNormal({ mu: -0.1, sigma: 0.2 })),
  }));
  const { amount: best } = bids.reduce((a, b) => (a.amount > b.amount ? a : b));
  const second = Math.max(...bids.filter((bid) => bid.amount < best).map((bid) => bid.amount));
  observe(Gaussian({ mu: second, sigma: 1 }), 22);
  return worth;
};
export default Infer({ method: 'importance', samples: 4000, model });
