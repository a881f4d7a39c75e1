/** The rules for choices: by the names that choices ask for them, and in the order in which they are tried where none is asked for. */
import type { GradientName } from '../../runtime/handler.ts';
import { enumerate } from './enumerate.ts';
import { given } from './given.ts';
import { leaveOneOut } from './leave-one-out.ts';
import { measure } from './measure.ts';
import { pathwise } from './pathwise.ts';
import type { Site, SiteRule } from './rule.ts';
import { scoreFunction } from './score-function.ts';

const NAMED: Readonly<Record<GradientName, SiteRule>> = {
  pathwise,
  score: scoreFunction,
  leaveOneOut,
  enumerate,
  measure,
};

const UNASKED: readonly SiteRule[] = [given, pathwise, scoreFunction];

export function ruleFor(site: Site): SiteRule {
  const { policy, options } = site;
  const asked = options?.gradient;
  if (asked === undefined || policy.paper || site.given !== undefined) {
    return UNASKED.find((rule) => rule.suits(site))!;
  }
  const rule = NAMED[asked];
  rule.refuse?.(site);
  return rule.serves?.(site) === false ? scoreFunction : rule;
}
