/** The automatic guide that an optimisation asks for, from its first step to what it leaves behind. */
import { type AskedGuide, kindNamed } from '../guides/joint/asked-guide.ts';
import { guidedBy, learnedBy } from '../guides/joint/kind-names.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Machine } from '../runtime/machine.ts';
import type { ParameterTable } from '../runtime/parameters.ts';
import type { AutoGuide } from './auto-guide-option.ts';
import { Laplace } from './laplace.ts';
import { blocksOf, writeGaussian } from './laplace-blocks.ts';
import type { Objective } from './objective-option.ts';
import type { PackedParameters } from './packed-parameters.ts';

/** What is asked for, as the machine has it while steps are taken. */
export function askedFor(guide: AutoGuide | undefined): Pick<Machine, 'guidesByNetwork' | 'jointGuide'> {
  const guidesByNetwork = guide?.name === 'network';
  if (guide === undefined || guidesByNetwork) return { guidesByNetwork, jointGuide: null };
  const { name, options } = guide;
  const kind = name === 'meanField' || name === 'network' ? null : kindNamed(name, options);
  const asked: AskedGuide = { name: kind?.name ?? 'fullRank', kind: kind?.kind ?? null, met: new Map(), whole: false };
  return { guidesByNetwork, jointGuide: asked };
}

/** Numbers that a curvature may have rows for. */
const MOST_NUMBERS = 2000;

/**
 * What is left to do after the last step. `start` gives a function that estimates the objective with the random numbers of a given
 * number; the gradients are then with the parameters.
 */
export function completeGuide(
  guide: AskedGuide,
  table: ParameterTable,
  parameters: PackedParameters,
  start: () => (draw: number) => number,
): void {
  if (guide.name === 'laplace' && guide.kind !== null) fitGaussian(guide, table, parameters, start);
  supersede(guide, table);
}

function fitGaussian(
  guide: AskedGuide,
  table: ParameterTable,
  parameters: PackedParameters,
  start: () => (draw: number) => number,
): void {
  guide.whole = true;
  const estimate = start();
  // Choices are in the order in which all data come to them, whichever were met by the steps before.
  const earlier = [...guide.met];
  guide.met.clear();
  estimate(0);
  for (const [place, choice] of earlier) if (!guide.met.has(place)) guide.met.set(place, choice);
  const blocks = blocksOf(guide, table);
  const size = blocks.reduce((sum, block) => sum + block.size, 0);
  if (size > MOST_NUMBERS) {
    throw new WaymarkError(
      `autoGuide: 'laplace' needs a curvature for every two of the model's numbers, and there are ${size} of these; it takes ${MOST_NUMBERS} at most. ` +
        "Use autoGuide: 'lowRank' or 'meanField'.",
    );
  }
  if (size === 0) return;
  // The negative of the objective is minimised.
  const evaluation = {
    at: (draw: number): number => -estimate(draw),
    gradientOf: (name: string): ArrayLike<number> => (isMet(parameters, name) ? parameters.gradientOf(name) : []),
  };
  writeGaussian(blocks, new Laplace(evaluation, table, blocks).covariance(), table);
}

const isMet = (parameters: PackedParameters, name: string): boolean =>
  parameters.met.some(({ names }) => names.includes(name));

/** Refuses objectives that the guide cannot have. */
export function checkObjective(guide: AutoGuide | undefined, objective: Objective): void {
  if (guide?.name !== 'laplace' || ('name' in objective && objective.name === 'ELBO')) return;
  throw new WaymarkError(
    "autoGuide: 'laplace' looks for the maximum of the density, and takes no other estimator than 'ELBO'. Leave estimator out, or use " +
      "autoGuide: 'fullRank'.",
  );
}

/** Removes what guides of other kinds had learned for the same choices: a choice has the kind of guide that it was given last. */
function supersede({ name, kind, met }: AskedGuide, table: ParameterTable): void {
  const kindAt = (place: string): string | undefined => {
    // Choices of single data have one place for all data where these run side by side.
    const choice = met.get(place) ?? met.get(place.replace(/\[\d+\]/g, '[*]'));
    if (choice === undefined) return undefined;
    if (kind === null) return 'mf';
    return choice.line.within !== null ? 'fullRank' : learnedBy(name);
  };
  for (const one of [...table.names()]) {
    const guided = guidedBy(one);
    const own = guided && kindAt(guided.place);
    if (own !== undefined && own !== guided?.kind) table.remove(one);
  }
}
