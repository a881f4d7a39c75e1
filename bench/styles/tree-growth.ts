// Trees whose branches split or stop; how many leaves?
import { flip, Gaussian, Infer, sample } from 'waymark';

interface Branch {
  length: number;
  children: Branch[];
}
const grow = (depth: number): Branch => {
  const branch: Branch = { length: Math.abs(sample(Gaussian({ mu: 1, sigma: 0.2 }))), children: [] };
  if (depth < 5 && flip(0.6)) branch.children.push(grow(depth + 1), grow(depth + 1));
  return branch;
};
const leaves = ({ children }: Branch): number =>
  children.length === 0 ? 1 : children.reduce((n, child) => n + leaves(child), 0);

export default Infer({ method: 'forward', samples: 2000, model: () => leaves(grow(0)) });
