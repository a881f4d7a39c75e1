/** What ends one way of running particles side by side where there is another. */
import { OneByOne } from '../../runtime/signals.ts';

/** They cannot go on together from start to end, but could from factor to factor. */
export class OutOfStep extends OneByOne {}

/** Something besides choices draws, and the descent of particles was not kept. */
export class DrawsElsewhere extends OneByOne {}
