/** Rounds of a rejection loop. */
import type { Address } from './address.ts';
import { WaymarkError } from './errors.ts';
import { machine } from './machine.ts';

/** More rounds than this are for ever. */
const ENDLESS = 1_000_000;

/**
 * The rounds of a loop that draws until something holds, as a handler follows them that must know which choices die with a rejected
 * round. The loop is one that the compiler found (`compiler/analyse/rejection-loops.ts`), or a call of `rejection`.
 */
export interface Rounds {
  /** At the start of each round: gives the address of its choices, which is that of all rounds. */
  round(address: Address): Address;
  /** Whether the loop is left with a round that the program accepts: of executions side by side, each may have its own answer. */
  accepts(): unknown;
}

/** The rounds of a loop that begins; null if no handler follows them. */
export const rejecting = (): Rounds | null => machine.handler.rejecting?.() ?? null;

/** What the first round that is not rejected gives. */
export function firstAccepted<T>(round: (i: number) => T | undefined): T {
  for (let i = 0; i < ENDLESS; i++) {
    const value = round(i);
    if (value !== undefined) return value;
  }
  throw endless();
}

/** Counts rounds, and gives up. */
export function countRounds(rounds: number): void {
  if (rounds > ENDLESS) throw endless();
}

const endless = (): WaymarkError =>
  new WaymarkError(
    `rejection: ${ENDLESS.toLocaleString('en')} rounds were rejected one after the other, the last one here. What it waits ` +
      'for is impossible, or so rare that the model is better written without rejection.',
  );
