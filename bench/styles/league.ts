// A league table: points by match, teams sorted, who is on top?
import { gaussian, Infer, poisson } from 'waymark';

const teams = ['reds', 'blues', 'greens', 'whites'];
const model = () => {
  const strength = new Map(teams.map((t) => [t, gaussian(0, 0.4)] as const));
  const points: Record<string, number> = {};
  for (const home of teams) {
    for (const away of teams) {
      if (home === away) continue;
      const diff = strength.get(home)! - strength.get(away)!;
      const [h, a] = [poisson(Math.exp(0.3 + diff)), poisson(Math.exp(-diff))];
      points[home] = (points[home] ?? 0) + (h > a ? 3 : h === a ? 1 : 0);
      points[away] = (points[away] ?? 0) + (a > h ? 3 : h === a ? 1 : 0);
    }
  }
  const table = Object.entries(points).sort(([, p], [, q]) => q - p);
  return table[0][0];
};
export default Infer({ method: 'forward', samples: 1000, model });
