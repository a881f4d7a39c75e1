// Who is strong? Latent strengths, laziness that comes and goes, and the matches we saw.
import { condition, flip, Gaussian, Infer, mem, sample, sum } from 'waymark';

type Team = string[];

const model = () => {
  const strength = mem((_person: string) => sample(Gaussian({ mu: 50, sigma: 10 })));
  const pulling = (person: string) => (flip(1 / 3) ? strength(person) / 2 : strength(person));
  const total = (team: Team) => sum(team.map(pulling));
  const beats = (winners: Team, losers: Team) => total(winners) > total(losers);

  condition(beats(['Ada'], ['Bo']));
  condition(beats(['Ada', 'Cy'], ['Bo', 'Di']));
  condition(beats(['Ada'], ['Di']));

  return strength('Ada') - strength('Bo');
};

export default Infer({ method: 'MCMC', samples: 5000, burn: 1000, lag: 5, model });
