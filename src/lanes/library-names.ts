/** Names of the library and of the host, in texts in which values are more than numbers. */
type Names = Readonly<Record<string, unknown>>;

/** The library with what `make` makes of its names; a name is looked at when a program uses it. */
export function namesOnDemand(library: Names, make: (name: string) => unknown): Names {
  const made = new Map<string, unknown>();
  return new Proxy(library, {
    get(_library, name) {
      if (typeof name === 'symbol') return undefined;
      if (!made.has(name)) made.set(name, make(name));
      return made.get(name);
    },
  });
}

/** The parameters that the lower-case helper of a family is given: by name in one object, or in the order of `names`. */
export function parametersGiven(
  args: readonly unknown[],
  names: readonly string[],
  isValue: (argument: unknown) => boolean,
): unknown {
  const [first] = args;
  const named = args.length === 1 && typeof first === 'object' && !isValue(first) && !Array.isArray(first);
  return named ? first : Object.fromEntries(args.map((argument, i) => [names[i], argument]));
}
