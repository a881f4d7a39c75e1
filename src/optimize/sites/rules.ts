/** The rules for choices: by the names that choices ask for them, and in the order in which they are tried where none is asked for. */
import { chanceOf, GuideMixture } from '../../guides/guide-mixture.ts';
import type { GradientName } from '../../runtime/handler.ts';
import { componentCompared, componentDrawn, componentsTried, throughOne, withChance } from './components.ts';
import { enumerate } from './enumerate.ts';
import { given } from './given.ts';
import { leaveOneOut } from './leave-one-out.ts';
import { measure } from './measure.ts';
import { muprop } from './muprop.ts';
import { nvil } from './nvil.ts';
import { pathwise } from './pathwise.ts';
import { rebar } from './rebar.ts';
import type { Site, SiteRule } from './rule.ts';
import { scoreFunction } from './score-function.ts';

const NAMED: Readonly<Record<GradientName, SiteRule>> = {
  pathwise,
  score: scoreFunction,
  leaveOneOut,
  enumerate,
  measure,
  muprop,
  rebar,
  nvil,
};

/** What the names mean where the guide is a mixture. */
const OF_COMPONENTS: Readonly<Partial<Record<GradientName, readonly SiteRule[]>>> = {
  pathwise: [throughOne, componentDrawn],
  enumerate: [throughOne, componentsTried, componentDrawn],
};

/** (Those of mixtures suit nothing else.) */
const MIXED: readonly SiteRule[] = [throughOne, componentsTried, componentCompared, componentDrawn];
const PAPER: readonly SiteRule[] = [given, throughOne, componentDrawn, pathwise, scoreFunction];
const AUTOMATIC: readonly SiteRule[] = [
  ...[given, ...MIXED, pathwise],
  ...[enumerate, measure, leaveOneOut, scoreFunction],
];

const CHANCED: ReadonlyMap<SiteRule, SiteRule> = new Map(
  [...AUTOMATIC, ...Object.values(NAMED)].map((rule) => [rule, withChance(rule)]),
);

export function ruleFor(site: Site): SiteRule {
  const rule = withoutChance(site);
  return chanceOf(site.guide) === 0 ? rule : CHANCED.get(rule)!;
}

function withoutChance(site: Site): SiteRule {
  const { policy, options, guide } = site;
  const named = options?.gradient;
  if (named !== undefined && policy.gradients !== 'paper' && site.given === undefined) {
    const mixed = guide instanceof GuideMixture ? OF_COMPONENTS[named] : undefined;
    const own = mixed?.find((rule) => rule.suits(site) && serves(rule, site));
    if (own !== undefined) return own;
    const rule = NAMED[named];
    rule.refuse?.(site);
    return serves(rule, site) ? rule : scoreFunction;
  }
  const rules = policy.gradients === 'automatic' ? AUTOMATIC : PAPER;
  return rules.find((rule) => rule.suits(site) && serves(rule, site))!;
}

const serves = (rule: SiteRule, site: Site): boolean => rule.serves === undefined || rule.serves(site);

/** Why a choice has its rule, in words that follow its name; undefined where the name says it. */
export function reasonFor(site: Site, rule: SiteRule, areSamplesWeighed: boolean): string | undefined {
  const { options, policy, variation } = site;
  const named = options?.gradient;
  if (site.given !== undefined) return named && 'whatever rule the choice names, since its value is known';
  if (areSamplesWeighed) return named && 'whatever rule the choice names, since samples are weighed against each other';
  if (policy.gradients === 'paper') return named === undefined ? undefined : "since gradients: 'paper' is asked for";
  if (named !== undefined && NAMED[named] === rule) return 'as the choice asks';
  const obstacle = (): string => variation?.obstacle() ?? 'mem asks for it';
  if (named !== undefined) {
    return `since ${NAMED[named].unserved ?? `values cannot be tried side by side: ${obstacle()}`}`;
  }
  if (policy.gradients !== 'automatic') return undefined;
  const isDrawn = rule === scoreFunction || rule === leaveOneOut;
  if (!isDrawn || !enumerate.suits(site)) return rule.why;
  return `since its values are not tried side by side: ${obstacle()}`;
}
