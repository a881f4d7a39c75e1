// Coupons: how often does each kind come?
import { Infer, uniformDraw } from 'waymark';

const kinds = ['red', 'green', 'blue', 'gold'];
const model = () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 12; i++) {
    const kind = uniformDraw(kinds);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return Math.max(...counts.values());
};
export default Infer({ method: 'forward', samples: 2000, model });
