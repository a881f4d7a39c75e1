/** What operators are called where functions stand for them: in emitted text, in lifted text, and in what provides both. */

type Names = { readonly [operator: string]: string };

export const ARITHMETIC: Names = { '+': 'add', '-': 'sub', '*': 'mul', '/': 'div', '%': 'mod', '**': 'pow' };

export const COMPARISONS: Names = { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge', '===': 'eq', '!==': 'ne' };

/** Operators on whole numbers of 32 bits. */
export const BITWISE: Names = {
  '|': 'bitOr',
  '&': 'bitAnd',
  '^': 'bitXor',
  '<<': 'shiftLeft',
  '>>': 'shiftRight',
  '>>>': 'shiftRightUnsigned',
};
