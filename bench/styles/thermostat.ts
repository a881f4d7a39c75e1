// A thermostat policy, simulated: which of three policies is best?
import { factor, gaussian, Infer, uniformDraw } from 'waymark';

type Policy = (temperature: number) => 'heat' | 'off';
const policies: Record<string, Policy> = {
  eager: (t) => (t < 21 ? 'heat' : 'off'),
  lazy: (t) => (t < 18 ? 'heat' : 'off'),
  never: () => 'off',
};
const cost = (name: string): number => {
  let temperature = 17;
  let total = 0;
  for (let hour = 0; hour < 8; hour++) {
    const action = policies[name](temperature);
    temperature += (action === 'heat' ? 1 : -0.5) + gaussian(0, 0.3);
    if (action === 'heat') total += 0.2;
    if (temperature < 15) return 10;
    total += Math.max(0, 19 - temperature) * 0.3;
  }
  return total;
};
const model = () => {
  const name = uniformDraw(Object.keys(policies));
  factor(-cost(name));
  return name;
};
export default Infer({ method: 'importance', samples: 3000, model });
