/**
 * What methods need in modules of apps, which load what they name. Most enumerations are small, and an app that only enumerates is to be
 * small too; where another module loads what recordings need, its enumerations are recorded as well.
 */
import type { MethodNames } from '../compiler/library-names.ts';
import { methodNames } from '../inference/methods.ts';

const NOTHING = { lifted: false, columns: false, recording: false };

export const appMethodNames: MethodNames = {
  ...methodNames,
  texts: new Map([...methodNames.texts, ['enumerate', NOTHING]]),
};
