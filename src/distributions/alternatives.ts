/** Families whose parameters may be given in other terms: each such form is a family of its own. */

/** All of the types of a union at once: constructors that may be called in any of their ways. */
type All<Union> = (Union extends unknown ? (given: Union) => void : never) extends (given: infer Both) => void
  ? Both
  : never;

/** What may be called as any of these constructors may. */
type Calls<Union> = All<Union extends (params: infer P) => infer R ? (params: P) => R : never>;

/** A constructor made by `family`. */
interface Made {
  readonly family: object;
}

/**
 * `main`, which also takes the parameters of `others`: each is the family that is meant if the parameter of that name is
 * given. It costs nothing where `main` is given what it takes itself.
 */
export function alternatives<Main extends Made, Others extends Readonly<Record<string, Made>>>(
  main: Main,
  others: Others,
): Main & Calls<Others[keyof Others]> {
  Object.assign(main.family, { alternatives: others });
  return main as never;
}
