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
    const isNamed = extra === undefined && typeof given === 'object' && given !== null;
    const inGraph = machine.lifted && isNamed ? lifting.current?.distribution(name, given) : undefined;
    if (inGraph !== undefined) return inGraph;
    let wrong = !isNamed;
    for (let i = 0; !wrong && i < names.length; i++) wrong = !kinds[i].accepts(given[names[i]]);
    if (!wrong) for (const key in given) wrong ||= !names.includes(key);
    const lifted = wrong && isNamed ? lifting.current?.distribution(name, given) : undefined;
    if (lifted !== undefined) return lifted;
    if (wrong) throw new WaymarkError(badArguments(name, names, kinds, given, extra));
    return make(given as never);
  };
  Object.defineProperty(construct, 'name', { value: name });
  return Object.assign(construct as unknown as Make, { family: { name, params } });
}
