/** The rules for choices, in the order in which they are asked: the first that suits is used. */
import { given } from './given.ts';
import { pathwise } from './pathwise.ts';
import type { Site, SiteRule } from './rule.ts';
import { scoreFunction } from './score-function.ts';

const RULES: readonly SiteRule[] = [given, pathwise, scoreFunction];

export const ruleFor = (site: Site): SiteRule => RULES.find((rule) => rule.suits(site))!;
