/** Families of distributions, from what their constructors say of themselves. */
import * as api from '../../src/index.ts';
import { section } from './entries.ts';
import { code, table } from './markdown.ts';
import type { PublicName } from './public-names.ts';

interface Family {
  readonly name: string;
  readonly params?: Readonly<Record<string, { readonly expected: string; readonly optional?: boolean }>>;
  readonly [field: string]: unknown;
}

const CLOSED_FORMS = ['support', 'mean', 'variance', 'entropy', 'cdf', 'survival', 'quantile'];

const offered: Readonly<Record<string, unknown>> = api;

export function familyOf(name: string): Family | undefined {
  const value = offered[name];
  return typeof value === 'function' && 'family' in value ? (value.family as Family) : undefined;
}

/** The lower-case helper of a family, if there is one. */
export const helperOf = (name: string): string | undefined => {
  const lower = name.replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, (start) => start.toLowerCase());
  return lower in offered ? lower : undefined;
};

export function familySection({ name, declaration }: PublicName): string {
  const family = familyOf(name)!;
  const params = Object.entries(family.params ?? {});
  const helper = helperOf(name);
  const names = params.map(([param]) => param).join(', ');
  const forms = CLOSED_FORMS.filter((form) => form in family);
  const calls = [`\`${name}({${names}})\``];
  if (helper !== undefined) calls.push(`a draw from it: \`${helper}(${names})\``);
  const rest = [
    ...(params.length > 0 ? [`${calls.join('; ')}.`] : []),
    ...(params.length > 0
      ? [
          table(
            ['parameter', 'takes'],
            params.map(([param, { expected, optional }]) => [
              code(param),
              optional === true ? `${expected}; may be left out` : expected,
            ]),
          ),
        ]
      : []),
    ...(forms.length > 0 ? [`Known in closed form: ${forms.map(code).join(', ')}.`] : []),
  ];
  return section(name, { ...declaration, signatures: [] }, rest);
}
