// Which causes which? A graph over four variables, scored by data, by MCMC.
import { Bernoulli, condition, flip, Infer, observe } from 'waymark';

const rows = Array.from({ length: 20 }, (_, i) => [i % 2 === 0, i % 4 < 2, i % 3 === 0, i % 6 < 2]);
const model = () => {
  const edges = rows[0].map((_, i) => rows[0].map((_, j) => j < i && flip(0.3)));
  const parents = edges.map((row) => row.flatMap((on, j) => (on ? [j] : [])));
  condition(parents.every((list) => list.length <= 2));
  for (const row of rows) {
    row.forEach((value, i) => {
      const active = parents[i].filter((j) => row[j]).length;
      const p = parents[i].length === 0 ? 0.5 : active === parents[i].length ? 0.9 : active > 0 ? 0.5 : 0.2;
      observe(Bernoulli({ p }), value);
    });
  }
  return parents.map((list) => list.join('')).join('|');
};
export default Infer({ method: 'MCMC', samples: 1000, burn: 100, model });
