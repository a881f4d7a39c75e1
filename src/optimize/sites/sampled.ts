/**
 * The rule for choices of which there are several samples: the weight of a sample says how much it counts
 * (`optimize/sampled/`).
 */
import * as families from '../../distributions/index.ts';
import { chanceOf, GuideMixture } from '../../guides/guide-mixture.ts';
import { followed } from '../../guides/guide-of.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { Node, type Value } from '../../tensor/node.ts';
import { stopGradient } from '../../tensor/ops.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { throughOne, withChance } from './components.ts';
import { pathwise } from './pathwise.ts';
import type { Drawn, Site, SiteRule } from './rule.ts';
import { scoreFunction } from './score-function.ts';

/** Pathwise; the guide's score is wanted a second time, for the doubly reparameterised gradient (Tucker et al. 2019). */
const doublyPathwise: SiteRule = {
  ...pathwise,
  name: 'pathwise, doubly reparameterised',

  draw(site) {
    const drawn = pathwise.draw(site);
    const fixed = withoutGradient(site.guide);
    return { ...drawn, logFixedGuide: fixed && site.score(fixed, drawn.value) };
  },
};

const compared: SiteRule = { ...scoreFunction, name: 'score function, compared with the other samples' };

/** The value is drawn, and then known: the guide learns to find it as likely as it weighs. */
const reweighted: SiteRule = {
  ...scoreFunction,
  name: 'learns to find it as likely as it weighs',
  weighed: false,

  draw(site): Drawn {
    const drawn = (pathwise.suits(site) ? pathwise : scoreFunction).draw(site);
    const value = drawn.value instanceof Node ? stopGradient(drawn.value) : drawn.value;
    return { value, logTarget: site.score(site.target, value), logGuide: site.score(site.guide, value) };
  },
};

export function sampledRule(site: Site, kind: 'bound' | 'wake'): SiteRule {
  const chanced = chanceOf(site.guide) !== 0;
  if (kind === 'wake') return chanced ? reweightedChance : reweighted;
  if (chanced) return comparedChance;
  // (What a guide draws for itself has no second reparameterisation.)
  if (throughOne.suits(site)) return throughOne;
  if (site.guide instanceof GuideMixture) return compared;
  return pathwise.suits(site) ? doublyPathwise : compared;
}

const comparedChance = withChance(compared);
const reweightedChance: SiteRule = { ...withChance(reweighted), weighed: false };

/** The same distribution as if its parameters were constants; undefined if it cannot be made so. */
function withoutGradient(distribution: Distribution<unknown>): Distribution<unknown> | undefined {
  // A point has no density: the identity on which the second reparameterisation rests does not hold for it.
  if (distribution.name === 'Delta') return undefined;
  const own = followed(distribution);
  if (own !== undefined) return own.withoutGradient();
  const make = (families as unknown as Record<string, (params: object) => Distribution<unknown>>)[distribution.name];
  if (make === undefined) return undefined;
  const params = Object.entries(distribution.params).map(([name, value]) => [name, fixed(value)] as const);
  return params.some(([, value]) => value === unknown) ? undefined : make(Object.fromEntries(params));
}

const unknown = Symbol('a parameter that may hold others');

function fixed(value: unknown): unknown {
  if (value instanceof Node) return stopGradient(value as Value);
  if (Array.isArray(value)) {
    const items = value.map(fixed);
    return items.includes(unknown) ? unknown : items;
  }
  return typeof value !== 'object' || value === null || value instanceof Tensor ? value : unknown;
}
