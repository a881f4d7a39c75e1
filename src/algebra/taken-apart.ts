/**
 * What programs find in a value: its fields, and what `const {value} = x` takes out of it. JavaScript itself would find the fields of what
 * stands for a number. So it is handed a plain number instead.
 */

/**
 * The parts of a pattern that read such fields, in its order. `items` are those of a list, the last one that of all that follow if there
 * are `more`; `fields` those of an object: their names may be computed, and a pattern reads each once. Null where only the value itself is meant.
 */
type Apart =
  | { readonly items: readonly (Apart | null)[]; readonly more?: true }
  | { readonly fields: readonly (Apart | null)[] };

/** What fields are read from: a number has the fields of numbers alone, whatever stands for it. */
export const fieldsOver =
  ({ isNumber, isTruth }: { isNumber(value: unknown): boolean; isTruth(value: unknown): boolean }) =>
  (value: unknown): unknown =>
    isNumber(value) ? (isTruth(value) ? false : 0) : value;

/** The value, for a pattern to take apart; `fieldsOf` gives what the fields of a value are read from. */
export function takenApartOver(fieldsOf: (value: unknown) => unknown): (value: unknown, parts?: Apart) => unknown {
  const apart = (value: unknown, parts?: Apart): unknown => {
    const from = fieldsOf(value);
    if (parts === undefined || from === undefined || from === null) return from;
    return 'items' in parts ? items(from as Iterable<unknown>, parts) : fields(from, parts.fields);
  };

  function* items(list: Iterable<unknown>, { items: parts, more }: Items): Generator<unknown> {
    let place = 0;
    for (const item of list) {
      const inside = parts[more ? Math.min(place, parts.length - 1) : place] ?? null;
      place++;
      yield inside === null ? item : apart(item, inside);
    }
  }

  // The object itself may be frozen, and a proxy of it would have to give what it has.
  const fields = (from: unknown, parts: readonly (Apart | null)[]): object => {
    let place = 0;
    return new Proxy(
      {},
      {
        get(_target, key) {
          const value = (from as Record<PropertyKey, unknown>)[key];
          const inside = parts[place++] ?? null;
          return inside === null ? value : apart(value, inside);
        },
        ownKeys: () => Reflect.ownKeys(Object(from) as object),
        getOwnPropertyDescriptor(_target, key) {
          const own = Reflect.getOwnPropertyDescriptor(Object(from) as object, key);
          return own && { ...own, configurable: true };
        },
      },
    );
  };

  return apart;
}

type Items = Extract<Apart, { items: unknown }>;
