/** The clocks, for texts in which the runtime must know that a program reads them. */

/** `Date` and `performance` as programs know them; `asked` is called whenever one of them says what time it is. */
export function watchedClocks(asked: () => void): Readonly<Record<'Date' | 'performance', object>> {
  const clock: typeof Date = new Proxy(Date, {
    apply(target) {
      asked();
      return target();
    },
    construct(target, args, made) {
      if (args.length === 0) asked();
      return Reflect.construct(target, args, made === clock ? target : made);
    },
    get(target, key) {
      if (key === 'now') asked();
      return Reflect.get(target, key);
    },
  });
  const { performance } = globalThis;
  const timer = new Proxy(performance, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      asked();
      return value.bind(target);
    },
  });
  return { Date: clock, performance: timer };
}
