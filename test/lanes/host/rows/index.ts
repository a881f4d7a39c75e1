/** Every row, by what it is about. */
import { ARRAYS } from './arrays.ts';
import { CHANGING } from './changing.ts';
import { DRAWN } from './drawn.ts';
import { IDENTITY, IDENTITY_OF_NUMBERS } from './identity.ts';
import { KINDS } from './kinds.ts';
import { LIBRARY } from './library.ts';
import { LODASH } from './lodash.ts';
import { COLLECTIONS, FUNCTIONS, OBJECTS } from './objects.ts';
import { OPERATORS } from './operators.ts';
import { SLOPES } from './slopes.ts';
import { STATEMENTS } from './statements.ts';
import { NUMBERS, TEXTS } from './texts-and-numbers.ts';

export const ROWS: Readonly<Record<string, readonly string[]>> = {
  operators: OPERATORS,
  identity: IDENTITY,
  'identity of objects with numbers alone': IDENTITY_OF_NUMBERS,
  drawn: DRAWN,
  statements: STATEMENTS,
  'kinds of values': KINDS,
  arrays: ARRAYS,
  texts: TEXTS,
  numbers: NUMBERS,
  objects: OBJECTS,
  collections: COLLECTIONS,
  functions: FUNCTIONS,
  lodash: LODASH,
  library: LIBRARY,
  slopes: SLOPES,
  changing: CHANGING,
};
