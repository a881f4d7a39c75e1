/** An object that stands for another one, which may change from use to use. */
export function standInFor<T extends object>(current: () => object): T {
  const asked = <Rest extends unknown[], R>(use: (object: object, ...rest: Rest) => R) => {
    return (_: object, ...rest: Rest): R => use(current(), ...rest);
  };
  return new Proxy<T>({} as T, {
    get: asked((object, field: string | symbol) => Reflect.get(object, field)),
    set: asked((object, field: string | symbol, value: unknown) => Reflect.set(object, field, value)),
    has: asked((object, field: string | symbol) => Reflect.has(object, field)),
    deleteProperty: asked((object, field: string | symbol) => Reflect.deleteProperty(object, field)),
    ownKeys: asked((object) => Reflect.ownKeys(object)),
    getOwnPropertyDescriptor: asked((object, field: string | symbol) =>
      Reflect.getOwnPropertyDescriptor(object, field),
    ),
  });
}
