// Teams in a league: each match moves both, by a function that changes what it is given.
import { Gaussian, getParams, Optimize, observe, sample } from 'waymark';

type Team = { name: string; played: number; skill: number };
const results = [
  [0, 1, 1.2],
  [1, 2, -0.3],
  [0, 2, 0.8],
  [2, 1, 0.5],
  [1, 0, -0.9],
];
const bump = (t: Team, by: number) => {
  t.played++;
  t.skill += by;
};
const model = () => {
  const teams: Team[] = ['a', 'b', 'c'].map((name) => ({
    name,
    played: 0,
    skill: sample(Gaussian({ mu: 0, sigma: 1 })),
  }));
  const order: Team[] = [];
  for (const [i, j, margin] of results) {
    const [home, away] = [teams[i], teams[j]];
    observe(Gaussian({ mu: home.skill - away.skill, sigma: 1 }), margin);
    bump(home, 0.1 * margin);
    bump(away, -0.1 * margin);
    order.push(margin > 0 ? home : away);
  }
  return order[0].skill + order.length;
};
Optimize({ model, steps: 300, optMethod: { adam: { stepSize: 0.05 } } });
export default Object.values(getParams());
