// A shop that orders when stock is low: profit of a month.
import { Infer, Poisson, sample, Uniform } from 'waymark';

const model = () => {
  const demand = sample(Uniform({ a: 3, b: 8 }));
  let stock = 20;
  let profit = 0;
  for (let day = 0; day < 30; day++) {
    const wanted = sample(Poisson({ mu: demand }));
    const sold = Math.min(wanted, stock);
    stock -= sold;
    profit += 4 * sold - 0.1 * stock;
    if (stock < 10) {
      stock += 25;
      profit -= 60;
    }
  }
  return profit;
};
export default Infer({ method: 'forward', samples: 2000, model });
