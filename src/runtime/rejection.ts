/** Rounds of a rejection loop. */
import { WaymarkError } from './errors.ts';

/** More rounds than this are for ever. */
const ENDLESS = 1_000_000;

/** What the first round that is not rejected gives. */
export function firstAccepted<T>(round: (i: number) => T | undefined): T {
  for (let i = 0; i < ENDLESS; i++) {
    const value = round(i);
    if (value !== undefined) return value;
  }
  throw new WaymarkError(
    `rejection: ${ENDLESS.toLocaleString('en')} rounds were rejected one after the other, the last one here. What it waits ` +
      'for is impossible, or so rare that the model is better written without rejection.',
  );
}
