/**
 * The function with its results kept: for each object it is called once, and the result lives as long as the object. The compiler asks
 * again and again for what is known of a unit, and programs that run one after the other share what is made for them. `more` is the
 * same each time.
 */
export function once<K extends object, R, M = void>(find: (of: K, more: M) => R): (of: K, more: M) => R {
  const found = new WeakMap<K, { readonly result: R }>();
  return (of, more) => {
    let known = found.get(of);
    if (known === undefined) {
      known = { result: find(of, more) };
      found.set(of, known);
    }
    return known.result;
  };
}
