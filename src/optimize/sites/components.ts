/**
 * Guides that are mixtures (`guides/guide-mixture.ts`). Which component a value comes from is a choice of its own: all components are tried side by
 * side, or one is drawn. Through the component gradients pass along the value.
 */
import { Discrete } from '../../distributions/index.ts';
import { elementsOf } from '../../distributions/parameter.ts';
import { type Component, chanceOf, GuideMixture, guideMixture } from '../../guides/guide-mixture.ts';
import { holdsNode } from '../../lanes/value.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { lifting } from '../../runtime/lifting.ts';
import { Node, type Value } from '../../tensor/node.ts';
import { add, eq, exp, log, mul, select, stack, stopGradient, sub } from '../../tensor/ops.ts';
import { limitOf } from './finite-values.ts';
import { leaveOneOut } from './leave-one-out.ts';
import type { Reparameterised } from './pathwise.ts';
import type { Drawn, Site, SiteRule } from './rule.ts';
import { scoreFunction } from './score-function.ts';

type Draw = (from: Distribution<unknown>) => unknown;

/** A mixture that a program writes down, as components; other guides as they are. */
export function inComponents(guide: Distribution<unknown>): Distribution<unknown> {
  if (guide.name !== 'Mixture') return guide;
  const { dists, ps } = guide.params as { dists: readonly Distribution<unknown>[]; ps: unknown };
  const plain = elementsOf(ps) as ArrayLike<Value> | undefined;
  const weights = dists.map((_, i) => plain?.[i] ?? (lifting.current!.element(ps, i) as Value));
  const logTotal = log(weights.reduce((a, b) => add(a, b)));
  const components = dists.map((dist, i) => ({ dist, log: sub(log(weights[i]), logTotal) }));
  return guideMixture(components, components, 0);
}

/** What a place among values picks, for each lane. */
function among(place: Value, values: readonly unknown[]): unknown {
  if (typeof place === 'number') return values[place];
  return values
    .slice(1)
    .reduce<unknown>((found, value, i) => select(eq(place, i + 1), value as Value, found as Value), values[0]);
}

/** Which component a value comes from, drawn. */
function pickOne(own: readonly Component[], draw: Draw): Value {
  if (own.length === 1) return 0;
  const weights = own.map(({ log }) => exp(log));
  const isPlain = weights.every((weight) => typeof weight === 'number');
  return draw(Discrete({ ps: (isPlain ? weights : stack(weights as Node[])) as number[] })) as Value;
}

export const isPathwise = ({ dist }: Pick<Component, 'dist'>): boolean =>
  typeof (dist as Partial<Reparameterised>).transform === 'function';

/** The value that each component makes of noise; those with the same base share it, since one of them is taken. */
function transformed(own: readonly Component[], draw: Draw, begin: () => unknown): unknown[] {
  const noises = new Map<unknown, unknown>();
  return own.map(({ dist }) => {
    const component = dist as Reparameterised;
    const base = component.base();
    // (Noise with parameters that are computed is not shared.)
    const kind = holdsNode(base.params) ? noises.size : String(base);
    if (!noises.has(kind)) {
      if (noises.size > 0) begin();
      noises.set(kind, draw(base));
    }
    return component.transform(noises.get(kind));
  });
}

/** A value of a mixture, through which no gradient passes. `begin` starts the next choice of the random numbers. */
export function drawMixture({ own }: GuideMixture, draw: Draw, begin: () => unknown): unknown {
  const place = pickOne(own, draw);
  if (own.length > 1) begin();
  const taken = typeof place === 'number' ? [own[place]] : own;
  const at = typeof place === 'number' ? 0 : place;
  if (taken.every(isPathwise)) return stopped(among(at, transformed(taken, draw, begin)));
  const values = taken.map(({ dist }, i) => {
    if (i > 0) begin();
    return draw(dist);
  });
  return stopped(among(at, values));
}

const stopped = (value: unknown): unknown => (value instanceof Node ? stopGradient(value) : value);

/** The logarithm of how much the component at a place counts, for each lane. */
const logOf = (components: readonly Component[], place: Value): Value => {
  const logs = components.map(({ log }) => log);
  return among(place, logs) as Value;
};

/** Whether gradients pass through the values of a mixture. */
function suits({ guide, options }: Site): boolean {
  return guide instanceof GuideMixture && options?.reparam !== false && guide.own.every(isPathwise);
}

const ownOf = ({ guide }: Site): readonly Component[] => (guide as GuideMixture).own;

function throughComponent(site: Site, place: Value): Drawn {
  const value = among(place, transformed(ownOf(site), site.draw, site.begin));
  return { value, logTarget: site.score(site.target, value), logGuide: site.score(site.guide, value) };
}

/** One component, which other runs of the guide are scored with: nothing is left to chance but noise. */
export const throughOne: SiteRule = {
  name: 'pathwise',
  weighed: false,
  suits: (site) => suits(site) && ownOf(site).length === 1,
  draw: (site) => throughComponent(site, 0),
  cost: scoreFunction.cost,
  loss: scoreFunction.cost,
};

/** All components are tried, each in a lane that counts as much as the component. */
export const componentsTried: SiteRule = {
  ...scoreFunction,
  name: 'pathwise, components enumerated',
  why: 'since there are few of them',
  baseline: 'none',

  suits: (site) => suits(site) && site.policy.gradients !== 'paper',
  serves: (site) => site.variation?.places(ownOf(site).length, limitOf(site)) !== undefined,

  draw(site) {
    const own = ownOf(site);
    const places = site.variation!.places(own.length, limitOf(site))!;
    const place = site.variation!.value([...places]) as Value;
    const logPick = logOf(own, place);
    const logWeight = add(stopGradient(logPick), Math.log(own.length));
    return { ...throughComponent(site, place), logPick, logWeight, tried: own.length };
  },

  loss: (drawn, weight) => add(scoreFunction.cost(drawn), mul(drawn.logPick!, weight)),
};

/** A component is drawn, and weighed by all that follows; through its value gradients pass. */
export const componentDrawn: SiteRule = {
  ...componentsTried,
  name: 'pathwise, component drawn',
  why: undefined,
  baseline: undefined,
  suits,
  serves: undefined,

  draw(site) {
    const own = ownOf(site);
    const place = pickOne(own, site.draw);
    site.begin();
    return { ...throughComponent(site, place), logPick: logOf(own, place) };
  },
};

/** The same, compared with the other executions of the step. */
export const componentCompared: SiteRule = {
  ...componentDrawn,
  baseline: 'siblings',
  suits: (site) => suits(site) && site.policy.gradients !== 'paper' && leaveOneOut.suits(site),
};

/**
 * A rule for choices whose guides have drawn something for themselves, without a path for gradients: that is weighed like the choice
 * itself, by all that follows.
 */
export function withChance(rule: SiteRule): SiteRule {
  return {
    ...rule,
    weighed: true,
    draw: (site) => ({ ...rule.draw(site), logChance: chanceOf(site.guide) }),
    loss: (drawn, weight) => add(rule.loss(drawn, weight), mul(drawn.logChance!, weight)),
  };
}
