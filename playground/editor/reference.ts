/** What the editor knows of the library: made from the pages of the reference when the playground is built. */

export interface Entry {
  /** `Gaussian`, or `T.add`. */
  readonly name: string;
  readonly kind: 'function' | 'class' | 'variable' | 'method' | 'property';
  readonly signature: string;
  readonly doc: string;
  /** Below the reference of the documentation. */
  readonly link: string;
  /** The method of `Infer` that an option belongs to, or `Optimize`. */
  readonly of?: string;
}

export interface Reference {
  readonly entries: readonly Entry[];
  readonly options: readonly Entry[];
}

const NOTHING: Reference = { entries: [], options: [] };

let loaded: Promise<Reference> | undefined;
let known: Reference = NOTHING;

/** Loads it once. An editor without help is still an editor: where it cannot be had, it is empty. */
export function loadReference(base: string): Promise<Reference> {
  loaded ??= fetch(new URL('reference.json', base))
    .then((response) => response.json() as Promise<Reference>)
    .catch(() => NOTHING)
    .then((reference) => {
      known = reference;
      return reference;
    });
  return loaded;
}

/** What has been loaded so far. */
export const reference = (): Reference => known;

export const entryNamed = (name: string): Entry | undefined => known.entries.find((entry) => entry.name === name);
