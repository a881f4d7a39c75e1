import { condition, flip, Gaussian, Infer, mem, sample } from 'waymark';

const model = () => {
  const strength = mem((_name: string) => sample(Gaussian({ mu: 1, sigma: 1 })));
  const pull = (names: string[]) => {
    let total = 0;
    for (const name of names) total += flip(0.3) ? strength(name) / 2 : strength(name);
    return total;
  };
  condition(pull(['ada', 'bo']) > pull(['cy', 'di']));
  condition(pull(['ada']) > pull(['cy']));
  return strength('ada');
};
export default Infer({ method: 'rejection', samples: 2000, model });
