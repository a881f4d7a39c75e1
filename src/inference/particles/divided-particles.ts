/**
 * Particles among ranks. All ranks know all particles, weigh and resample them alike; of the executions that lead them on, each rank
 * makes a share. What came of these is exchanged before the next weighing, so that a particle may have children on any rank. Where it
 * could be taken up again is not sent: another rank executes it from the start, with the choices it has made.
 */
import { sharedWork } from '../../ranks/divided.ts';
import { during } from '../../runtime/machine.ts';
import { currentTeam, shareOf } from '../../runtime/team.ts';
import type { Met, Particle } from './particle.ts';

/** What an execution has added to a particle. */
interface Progress {
  readonly values: readonly unknown[];
  readonly met: readonly Omit<Met, 'point'>[];
  readonly finished: boolean;
  readonly value: unknown;
}

/** What handlers know of all executions, also of those on other ranks. */
interface Knowledge {
  guidedFrom: number;
  end: number;
}

/** Leads the particles at these places on, by `extend`. False if there is no other rank. */
export function extendedByAll<T>(
  particles: readonly Particle<T>[],
  places: readonly number[],
  known: Knowledge,
  extend: (place: number) => void,
): boolean {
  const team = currentTeam();
  if (team === undefined || places.length < team.size) return false;
  const { first, count } = shareOf(places.length, team);
  const own = places.slice(first, first + count);
  const lengths = own.map((place) => particles[place].values.length);
  const all = sharedWork('exchange particles', team, () => {
    own.forEach(extend);
    const made = own.map((place, i): Progress => {
      const { values, met, finished, value } = particles[place];
      const told = met.map(({ weight, choices, score }) => ({ weight, choices, score }));
      return { values: values.slice(lengths[i]), met: told, finished, value };
    });
    return { made, guidedFrom: known.guidedFrom, end: known.end };
  });
  if (all === undefined) {
    during({ apart: true }, () => places.filter((place) => !own.includes(place)).forEach(extend));
    return true;
  }
  all.forEach((part, rank) => {
    if (rank === team.rank) return;
    const { first } = shareOf(places.length, { rank, size: team.size });
    part.made.forEach((progress, i) => {
      take(particles[places[first + i]], progress as Progress);
    });
    known.guidedFrom = Math.min(known.guidedFrom, part.guidedFrom);
    known.end = Math.max(known.end, part.end);
  });
  return true;
}

function take<T>(particle: Particle<T>, { values, met, finished, value }: Progress): void {
  particle.forgetFactors();
  for (const one of values) particle.values.push(one);
  for (const { weight, choices, score } of met) particle.meet(weight, choices, score, null);
  particle.finished = finished;
  particle.value = value as T;
}
