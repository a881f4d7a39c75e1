// Polls by region, pooled: a national swing, regional swings, and pollsters with biases.
import { Binomial, Gaussian, getParams, LogNormal, mapData, Optimize, observe, sample } from 'waymark';

const polls = Array.from({ length: 36 }, (_, i) => ({
  region: ['north', 'south', 'east', 'west'][i % 4],
  pollster: `firm${i % 3}`,
  asked: 100 + 10 * (i % 7),
  yes: 40 + ((i * 13) % 30),
}));
const byRegion = polls.reduce<Record<string, typeof polls>>((groups, poll) => {
  groups[poll.region] = [...(groups[poll.region] ?? []), poll];
  return groups;
}, {});
const pollsters = [...new Set(polls.map((p) => p.pollster))];
const model = () => {
  const swing = sample(Gaussian({ mu: 0, sigma: 1 }));
  const sigma = sample(LogNormal({ mu: -1, sigma: 0.5 }));
  const bias = new Map(pollsters.map((p) => [p, sample(Gaussian({ mu: 0, sigma: 0.1 }))] as const));
  mapData({ data: Object.values(byRegion) }, (list) => {
    const local = sample(Gaussian({ mu: swing, sigma }));
    for (const { pollster, asked, yes } of list) {
      observe(Binomial({ n: asked, p: 1 / (1 + Math.exp(-local - bias.get(pollster)!)) }), yes);
    }
    return local;
  });
  return swing;
};
Optimize({ model, steps: 200, optMethod: { adam: { stepSize: 0.03 } } });
export default Object.keys(getParams()).length;
