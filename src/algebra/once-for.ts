/** What is made of an object, made once for each: programs that come one after the other are handed the same. */
export function onceFor<K extends object, V>(make: (of: K) => V): (of: K) => V {
  const made = new WeakMap<K, V>();
  return (of) => {
    let value = made.get(of);
    if (value === undefined) {
      value = make(of);
      made.set(of, value);
    }
    return value;
  };
}
