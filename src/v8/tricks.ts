/**
 * What is done for V8's sake alone, and could be left out: results are the same without. `README.md` says what each is, where it
 * lies, and what it gains. `WAYMARK_WITHOUT=own-text,call-apart` turns some of them off, to see whether they still gain time.
 */
import { environment } from '../host/system.ts';

/** Those of the command alone are asked for in `cli/v8/`: `kept-code`, `flags`, `wasm-tiers`. */
type Trick = 'own-text' | 'call-apart';

const left = new Set(environment('WAYMARK_WITHOUT')?.split(','));

export const isUsed = (trick: Trick): boolean => !left.has(trick);
