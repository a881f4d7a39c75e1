// A walk on a graph given as a Map of neighbours: how many places are seen?
import { Infer, uniformDraw } from 'waymark';

const graph = new Map<string, string[]>([
  ['a', ['b', 'c']],
  ['b', ['a', 'c', 'd']],
  ['c', ['a', 'b', 'd']],
  ['d', ['b', 'c', 'e']],
  ['e', ['d']],
]);
const model = () => {
  let at = 'a';
  const seen = new Set<string>([at]);
  for (let step = 0; step < 8; step++) {
    at = uniformDraw(graph.get(at)!);
    seen.add(at);
  }
  return seen.size;
};
export default Infer({ method: 'forward', samples: 3000, model });
