import { describeLaw } from './random-law.ts';

/** How many programs are tried; other numbers than these can be tried by hand. */
const { PROGRAMS = '120', FIRST = '0' } = process.env;

describeLaw(Number(FIRST), Number(PROGRAMS));
describeLaw(Number(FIRST), Math.ceil(Number(PROGRAMS) / 2), true);
