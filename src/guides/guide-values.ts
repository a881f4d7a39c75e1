/** Values that `guide(fn)` computes before the choices whose guides use them. The model may not use them. */
import type { Address } from '../runtime/address.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { lifting } from '../runtime/lifting.ts';
import { during, machine, type Run } from '../runtime/machine.ts';
import { placeOf, siteOf } from '../runtime/places.ts';

/** Thrown for a guide that asks for such a value where none was made, because guides are not in force. */
export class NoGuides extends WaymarkError {
  override name = 'NoGuides';
}

/** Runs code of the guide that is not for one choice alone. */
export const asGuide = <R>(work: () => R): R => during({ forGuides: true }, work);

/** A function that gives the value to guides. `isWanted` says that a value which no guide asks for is a mistake. */
export function guideValue<R>(address: Address, value: R, isWanted: boolean): () => R {
  const own = isWanted ? note(address) : null;
  return asked(address, () => {
    checkAsker(address);
    if (own !== null) own.used = true;
    return lifting.current === null ? value : lifting.current.narrowed(value);
  });
}

/** The same where guides are not in force, so that there is no value. */
export function withoutGuides<R>(address: Address): () => R {
  return asked(address, () => {
    checkAsker(address);
    throw new NoGuides(`${machine.handler.name} uses no guides, so that guide${at(address)} has found nothing.`);
  });
}

/** A function that throws where a field of it is read: the program has forgotten to call it. */
function asked<R>(address: Address, ask: () => R): () => R {
  return new Proxy(ask, {
    get(target, name, receiver) {
      if (typeof name === 'symbol' || name.startsWith('$') || name in target)
        return Reflect.get(target, name, receiver);
      throw new WaymarkError(
        `guide${at(address)} gives a function, which has no field '${name}'. Call it first, as in found().${name}.`,
      );
    },
  });
}

/** Throws if the model asks, and not a guide. */
function checkAsker(address: Address): void {
  if (machine.forGuides || machine.handler.name === 'A guide') return;
  throw new WaymarkError(
    `What guide${at(address)} has found is for guides alone, so that the model does not depend on it. Ask for it inside a function ` +
      'that guides a choice, as in sample(dist, {guide: () => Gaussian({mu: found(), sigma: 1})}).',
  );
}

function at(address: Address): string {
  const place = placeOf(address);
  return place === undefined ? '' : ` (${place})`;
}

interface Made {
  readonly address: Address;
  used: boolean;
}

/** By run: what was made at each place, and whether a guide has asked for it. */
const made = new WeakMap<Run, Map<unknown, Made>>();

function note(address: Address): Made {
  const { run } = machine;
  let all = made.get(run);
  if (all === undefined) {
    all = new Map();
    made.set(run, all);
  }
  const site = siteOf(address);
  let known = all.get(site);
  if (known === undefined) {
    known = { address, used: false };
    all.set(site, known);
  }
  return known;
}

/** Warns of values that no guide has asked for. */
export function warnOfUnusedValues(): void {
  const all = made.get(machine.run);
  for (const { address, used } of all?.values() ?? []) {
    if (used) continue;
    machine.run.warn(
      `What guide${at(address)} returns is used by no guide. Call what it gives inside the guide of a choice, as in ` +
        'sample(dist, {guide: () => Gaussian({mu: found(), sigma: 1})}).',
    );
  }
  all?.clear();
}
