import { WaymarkError } from '../runtime/errors.ts';
import { lifting } from '../runtime/lifting.ts';
import { machine } from '../runtime/machine.ts';
import type { Described, ParameterTable } from './family.ts';
import { badArguments } from './family-errors.ts';

/** A constructor for distributions with a class of their own, checking parameters as `family` does. */
export function customFamily<Make extends (params: never) => unknown>(
  name: string,
  params: ParameterTable,
  make: Make,
): Make & Described {
  const names = Object.keys(params);
  const kinds = Object.values(params);
  const construct = (given: Record<string, unknown>, extra?: unknown): unknown => {
    if (machine.lifted && extra === undefined && typeof given === 'object' && given !== null) {
      const lifted = lifting.current?.distribution(name, given);
      if (lifted !== undefined) return lifted;
    }
    let wrong = extra !== undefined || typeof given !== 'object' || given === null;
    for (let i = 0; !wrong && i < names.length; i++) wrong = !kinds[i].accepts(given[names[i]]);
    if (!wrong) for (const key in given) wrong ||= !names.includes(key);
    if (wrong) throw new WaymarkError(badArguments(name, names, kinds, given, extra));
    return make(given as never);
  };
  Object.defineProperty(construct, 'name', { value: name });
  return Object.assign(construct as unknown as Make, { family: { name, params } });
}
