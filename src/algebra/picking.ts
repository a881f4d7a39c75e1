/**
 * What `object[index]` means on values that stand for others, written once. An index that is not the same for all picks an
 * item for each. Where the domain can gather items without looking at the index, it does. Elsewhere each one's own index is
 * used, or they part by it.
 */
import type { Domain } from './domain.ts';
import { hasHoles } from './parts.ts';
import { element } from './plain-arithmetic.ts';
import { fieldsOver } from './taken-apart.ts';

interface PickingDomain extends Domain {
  /** A number of the domain that may be a place in a list. A truth value is none, but the name of a field. */
  isPlace(index: unknown): boolean;
  /** Whether items of a list, which is the same for all, can be gathered at places of the domain. */
  gathers(list: readonly unknown[], index: unknown): boolean;
  /** For each the item at its own place, or undefined where the list has none. */
  gather(list: readonly unknown[], index: unknown): unknown;
  /** Tensors of which the domain has the entries; left out in a domain of numbers alone. */
  readonly tensors?: {
    has(object: unknown): boolean;
    /** `tensor[index]`, where the index may be anything: an entry of a vector, a row of any other tensor. */
    entry(tensor: unknown, index: unknown): unknown;
  };
  /** A number of the domain, a truth value too; and whether it is that. */
  isNumber(value: unknown): boolean;
  isTruth(value: unknown): boolean;
  /** The item at each one's own index, boxed; undefined, or left out, if the index is to be looked at. */
  ofEach?(object: unknown, index: unknown): { readonly value: unknown } | undefined;
}

/** `object[index]`. */
export function pickingOver(domain: PickingDomain): (object: unknown, index: unknown) => unknown {
  const { isMine, tensors } = domain;
  const fieldsOf = fieldsOver(domain);
  const item = (object: unknown, key: unknown): unknown =>
    element(typeof key === 'string' ? fieldsOf(object) : object, key);
  return (object, index) => {
    if (tensors?.has(object)) return tensors.entry(object, index);
    if (!isMine(index)) return item(object, index);
    if (domain.isPlace(index) && Array.isArray(object) && !isMine(object)) {
      // An empty place has nothing to gather.
      const list: readonly unknown[] = hasHoles(object) ? Array.from(object) : object;
      if (domain.gathers(list, index)) return domain.gather(list, index);
    }
    const own = domain.ofEach?.(object, index);
    return own === undefined ? item(object, domain.look(index)) : own.value;
  };
}
