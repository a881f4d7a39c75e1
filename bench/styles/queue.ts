// A shop with one till: minutes, people who come, people who wait.
import { flip, Infer, observe, Poisson, sample, Uniform } from 'waymark';

const model = () => {
  const rate = sample(Uniform({ a: 0.2, b: 1.5 }));
  const queue: number[] = [];
  let waited = 0;
  let served = 0;
  for (let minute = 0; minute < 20; minute++) {
    const coming = sample(Poisson({ mu: rate }));
    for (let k = 0; k < coming; k++) queue.push(minute);
    if (queue.length > 0 && flip(0.7)) {
      waited += minute - queue.shift()!;
      served++;
    }
  }
  observe(Poisson({ mu: 1 + waited }), 12);
  return served;
};
export default Infer({ method: 'importance', samples: 1500, model });
