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
  let timer: object | undefined;
  return {
    Date: clock,
    get performance() {
      timer ??= watchedTimer(asked);
      return timer;
    },
  };
}

/** Made where a program names it: Node loads its `performance`, which takes milliseconds, when it is first looked at. */
const watchedTimer = (asked: () => void): object =>
  new Proxy(globalThis.performance, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      asked();
      return value.bind(target);
    },
  });
