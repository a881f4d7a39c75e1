const known = new WeakSet<object>();

/** Says of a function that calling it changes nothing that a model can see: the compiler knows (`analyse/quiet.ts`). */
export function quiet<F>(fn: F): F {
  if (typeof fn === 'function') known.add(fn);
  return fn;
}

export function isQuiet(fn: object): boolean {
  return known.has(fn);
}
