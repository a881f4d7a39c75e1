/** Lifted text of the library's own files (`build/lift-plugin.ts`). */
declare module '*/distributions/index.ts?lifted' {
  const families: Record<string, { family?: { name: string } } | undefined>;
  export = families;
}

declare module '*/inference/enumeration/depth-first.ts?lifted' {
  export const DepthFirst: typeof import('../inference/enumeration/depth-first.ts').DepthFirst;
}

declare module '*/library/ode/runge-kutta.ts?lifted' {
  export const step: typeof import('../library/ode/runge-kutta.ts').step;
}
