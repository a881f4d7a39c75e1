/**
 * Dreams of a step, divided among ranks: each makes those that it learns from. Random numbers belong to the dream, so that all of them together are
 * those of one process. Sites are numbered as they are met, and their numbers must be the same on all ranks: a step in which some
 * rank meets a new one is dreamt by every rank as a whole. That is rare, since two batches are looked at before the first step.
 */
import { exchanged } from '../ranks/divided.ts';
import { hushed, print } from '../ranks/printed.ts';
import { during } from '../runtime/machine.ts';
import { currentTeam, type Share, shareOf, type Team } from '../runtime/team.ts';
import type { Dreams, DreamtForm } from './dreams.ts';
import { scaleSites } from './pack.ts';
import { type Choice, choicesAt } from './recorder.ts';
import type { Sites } from './sites.ts';

/** With fewer dreams for each rank, dividing them costs more than it saves. */
const FEWEST = 4;

/**
 * This rank's share of `count` dreams; all of them if there is only one rank. `make` makes the dreams of a share,
 * and may be called any number of times. Unless `mayPart`, every rank makes all of them first.
 */
export function ownDreams(sites: Sites, count: number, mayPart: boolean, make: (share: Share) => Dreams): Dreams {
  const whole = { first: 0, count };
  const team = currentTeam();
  if (team === undefined || count < FEWEST * team.size) return make(whole);
  const share = shareOf(count, team);
  if (mayPart) {
    const { result, printed } = hushed(() => during({ apart: true }, () => sites.closed(() => make(share))));
    const { result: dreams, missed } = result;
    // Whether some rank has met a site that it does not know, whether some has printed, and the largest weight.
    const facts = Float64Array.of(missed ? 1 : 0, printed.length, largestOf(dreams.logWeights));
    team.largest('dream', facts);
    if (facts[0] === 0) {
      if (facts[1] > 0) for (const ofOne of exchanged('print', team, printed) ?? []) print(ofOne);
      return { ...dreams, largest: facts[2] };
    }
  }
  const known = sites.all.length;
  const all = during({ apart: true }, () => make(whole));
  numberAlike(team, sites, known);
  // New sites are as large as the numbers of all dreams are.
  scaleSites(all.choices);
  return { ...partOf(all, share), largest: largestOf(all.logWeights) };
}

/** Has all ranks number new sites as the first does: which way executions run, and so in which order they meet them, may differ. */
function numberAlike(team: Team, sites: Sites, known: number): void {
  const names = sites.all.slice(known).map(({ name }) => name);
  const [ofFirst] = exchanged('meet sites', team, names) as string[][];
  sites.renumber(known, ofFirst);
}

const largestOf = (logs: Float64Array): number => logs.reduce((a, b) => Math.max(a, b), -Infinity);

/** A part of the dreams, numbered from 0. */
function partOf({ choices, logWeights, forms, values, ratios }: Dreams, share: Share): Dreams {
  const { first, count } = share;
  return {
    size: count,
    choices: choices.flatMap((choice) => choicePart(choice, share)),
    logWeights: logWeights.slice(first, first + count),
    forms: forms.flatMap((form) => formPart(form, share)),
    values: values.slice(first, first + count),
    ratios: ratios?.slice(first, first + count),
  };
}

/** Places of the numbers that are in a share. */
function placesIn(lanes: ArrayLike<number>, { first, count }: Share): Int32Array {
  const places: number[] = [];
  for (let i = 0; i < lanes.length; i++) if (lanes[i] >= first && lanes[i] < first + count) places.push(i);
  return Int32Array.from(places);
}

function choicePart(choice: Choice, share: Share): Choice[] {
  return choicesAt(choice, placesIn(choice.lanes, share)).map((part) => ({
    ...part,
    lanes: part.lanes.map((lane) => lane - share.first),
  }));
}

function formPart({ lanes, tokens, leaves, data }: DreamtForm, share: Share): DreamtForm[] {
  const places = placesIn(lanes, share);
  if (places.length === 0) return [];
  return [
    {
      lanes: places.map((i) => lanes[i] - share.first),
      tokens,
      leaves: (place) => {
        const all = leaves(place);
        return Array.from(places, (i) => all[i]);
      },
      data: (i) => data(places[i]),
    },
  ];
}
