/** What to say when a distribution is given parameters it cannot have. */
import { describe } from '../runtime/describe.ts';
import { nearest } from '../runtime/errors.ts';
import type { AnyParameter } from './parameter.ts';

/** The message for arguments that were refused: finds out what is wrong with them. */
export function badArguments(
  family: string,
  names: readonly string[],
  kinds: readonly AnyParameter[],
  given: unknown,
  extra: unknown,
  /** Parameters that other forms of the family have. */
  others: readonly string[] = [],
): string {
  if (extra !== undefined || typeof given !== 'object' || given === null || Array.isArray(given)) {
    const form = `${family}({${names.join(', ')}})`;
    return `${family} takes one object of named parameters, as in ${form}; got ${describe(given)}${extra === undefined ? '' : ' and more'}.`;
  }
  const fields = given as Record<string, unknown>;
  const unknown = Object.keys(fields).filter((key) => !names.includes(key));
  for (let i = 0; i < names.length; i++) {
    const value = fields[names[i]];
    if (kinds[i].accepts(value)) continue;
    if (value === undefined) return missing(family, names[i], kinds[i].expected, unknown, others);
    const got = kinds[i].explain?.(value) ?? describe(value);
    return `${family}: ${names[i]} must be ${kinds[i].expected}, got ${got}.`;
  }
  return unknownName(family, names, unknown[0]);
}

/** The message for a parameter that the family does not have. */
export function unknownName(family: string, names: readonly string[], slip: string): string {
  const meant = nearest(slip, names);
  const hint = meant === undefined ? '' : ` Did you mean '${meant}'?`;
  return `${family} has no parameter '${slip}'; it takes ${names.join(', ')}.${hint}`;
}

/** The message for parameters of which only one may be given, as p and logits; undefined if they are not both there. */
export function givenTwice(
  family: string,
  names: readonly string[],
  other: string,
  form: { readonly family: { readonly params: object } },
  given: object,
): string | undefined {
  const own = names.find((name) => name in given && !(name in form.family.params));
  return own && `${family} takes ${own} or ${other}, not both.`;
}

function missing(
  family: string,
  name: string,
  expected: string,
  unknown: readonly string[],
  others: readonly string[],
): string {
  const slip = unknown.find((key) => nearest(key, [name]) !== undefined) ?? unknown[0];
  const hint = slip === undefined ? '' : ` It has '${slip}' instead.`;
  const forms = others.length === 0 ? '' : ` Other forms of it take ${others.join(' or ')}.`;
  return `${family}: ${name} is missing; it must be ${expected}.${hint}${forms}`;
}
