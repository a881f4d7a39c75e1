/** What the compiler knows of a function of an app, as bits of a number: `emit/app-notes.ts` writes it into the module, `modules/app-models.ts` reads it. */

/** A bit for each, the lowest first. */
const FACTS = [
  'stateless',
  'resumable',
  'settled',
  'comparesContents',
  /** Executions do the same, but for functions that call themselves; and these are none. */
  'evenOrRecursive',
  'even',
] as const;

type Fact = (typeof FACTS)[number];

const bitOf = (fact: Fact): number => 2 ** FACTS.indexOf(fact);

export const ALL_FACTS = 2 ** FACTS.length - 1;

export const factBits = (facts: Readonly<Record<Fact, boolean>>): number =>
  FACTS.reduce((bits, fact) => bits + (facts[fact] ? bitOf(fact) : 0), 0);

export const hasFact = (bits: number, fact: Fact): boolean => (bits & bitOf(fact)) !== 0;
