import { describe, expect, test } from 'vitest';
import { type CompileError, compile, type Language, prepareParser } from '../../src/compiler/compile.ts';

await prepareParser('ts');

const library = new Map(['flip', 'sample', 'map', 'globalStore'].map((name) => [name, {}]));

function failure(code: string, language: Language = 'wppl'): CompileError {
  try {
    compile(code, {
      file: `model.${language}`,
      language,
      library,
      suggest: (name, known) => ([...known].includes('flip') && name === 'flop' ? " Did you mean 'flip'?" : ''),
    });
  } catch (error) {
    return error as CompileError;
  }
  throw new Error(`compiled: ${code}`);
}

/** Code, with `@` before the place that is complained about. */
type Row = [code: string, message: string, hint: string | undefined];

const check = (language: Language) => (code: string, message: string, hint: string | undefined) => {
  const offset = code.indexOf('@');
  const text = code.replace('@', '');
  const error = failure(text, language);
  expect(error.message).toBe(message);
  expect(error.hint).toBe(hint);
  const before = text.slice(0, offset).split('\n');
  expect([error.file, error.line, error.column]).toEqual([
    `model.${language}`,
    before.length,
    (before.at(-1) as string).length + 1,
  ]);
};

const ASYNC: [string, string] = [
  'Programs cannot be asynchronous: an execution must be able to run many times, from start to end.',
  'Get the data before the program runs, or with loadData, and drop async and await.',
];
const GENERATOR: [string, string] = [
  'Generator functions are not supported.',
  'Build an array with a loop, map or repeat, and return it.',
];
const CLASS: [string, string] = [
  'Classes are not supported.',
  'Write a function that returns an object: const Point = (x, y) => ({x, y, norm: () => Math.hypot(x, y)}).',
];
const THIS: [string, string] = [
  "'this' is not supported.",
  'Give the function the object as a parameter, or refer to it by name.',
];

describe('what programs cannot contain', () => {
  const rows: Row[] = [
    ['var x = 1;\nvar f = @async function() { return 1; };', ...ASYNC],
    ['var f = @async () => 1;', ...ASYNC],
    ['@async function f() { await g(); }', ...ASYNC],
    ['var f = @function*() { yield 1; };', ...GENERATOR],
    ['@class A {}', ...CLASS],
    ['var A = @class {};', ...CLASS],
    ['var f = function() {\n  return @this.x;\n};', ...THIS],
    ['@this', ...THIS],
    [
      'var f = function() { return @new.target; };',
      'new.target and import.meta are not supported.',
      'Pass what you need as a parameter.',
    ],
    [
      "var m = @import('x');",
      'Dynamic import() is not supported: an execution cannot wait.',
      'Use an import declaration at the top of the module.',
    ],
    ['@with ({}) { x }', "'with' is not supported.", 'Name the object: o.x instead of x.'],
    [
      'var p = new @Proxy({}, {});',
      'Proxy cannot be used in a program.',
      'Write functions that give what is asked for: the fields of an object must be known.',
    ],
    [
      "var f = new @Function('return 1');",
      'Function cannot be used in a program.',
      "Write the function itself; typeof f === 'function' tells whether something is one.",
    ],
    ["@eval('1')", 'eval is not supported.', 'To run program text use webpplEval(text).'],
    [
      'var x = 1;\n@return x;',
      'return outside a function.',
      'The value of a program is that of its last expression: drop the return.',
    ],
    [
      'if (true) { @return 3; }',
      'return outside a function.',
      'The value of a program is that of its last expression: drop the return.',
    ],
    ['var x = 1; @delete x;', 'Cannot delete the variable x.', 'delete removes a field: delete o.x.'],
    ['{@a: 1}', "'{a: …}' is a block with a label here, not an object.", 'Put the object in parentheses: ({a: …}).'],
    [
      'var f = function() { if (true) { 1 } else {@value: 2} };',
      "'{value: …}' is a block with a label here, not an object.",
      'Put the object in parentheses: ({value: …}).',
    ],
    [
      'var f = function() { try { return 1; } finally { @return 2; } }',
      "'return' in a finally block would discard what was thrown.",
      'Move the return after the try statement.',
    ],
    [
      'for (;;) { try { 1 } finally { if (true) @break; } }',
      "'break' in a finally block would discard what was thrown.",
      'Move the break after the try statement.',
    ],
    [
      'var f = function() { @arguments = 1; }',
      "Cannot assign to 'arguments'.",
      'Give the parameters names, and assign to those.',
    ],
  ];
  test.each(rows)('%s', check('wppl'));

  test('loops inside a finally block may be left', () => {
    expect(() =>
      failure('try { 1 } finally { for (;;) { break; } switch (1) { case 1: break; } l: for (;;) { continue l; } }'),
    ).toThrow('compiled');
  });
});

describe('names', () => {
  const rows: Row[] = [
    ['var x = 1;\nx + @y', 'y is not defined.', undefined],
    ['@flop(0.5)', "flop is not defined. Did you mean 'flip'?", undefined],
    ['var f = function(a) { return @b; }; var c = function(b) {};', 'b is not defined.', undefined],
    ['{ let inner = 1; } @inner', 'inner is not defined.', undefined],
    [
      'var f = function() { @x = 1; }',
      "x is assigned to but never declared. Is a 'var' or 'let' missing?",
      'Write var x = …. Only declared variables and fields (such as globalStore.x) can be assigned to.',
    ],
    [
      '@flip = 3',
      "flip is assigned to but never declared. Is a 'var' or 'let' missing?",
      'Write var flip = …. Only declared variables and fields (such as globalStore.x) can be assigned to.',
    ],
    ['@globalStore = {}', 'globalStore itself cannot be assigned to.', 'Assign to its fields: globalStore.count = 1.'],
    ['@globalStore += 1', 'globalStore itself cannot be assigned to.', 'Assign to its fields: globalStore.count = 1.'],
    ['const x = 1; @x = 2', 'x is a constant and cannot be assigned to.', 'Declare it with let.'],
    ['const x = 1; @x++', 'x is a constant and cannot be assigned to.', 'Declare it with let.'],
    [
      'var f = function g() { @g = 1; }',
      "g is the function's own name and cannot be assigned to.",
      'Use a variable of another name.',
    ],
    ...['Promise', 'setTimeout', 'fetch'].map(
      (name): Row => [
        `@${name}(1)`,
        `${name} cannot be used in a program: an execution cannot wait.`,
        'Get the data before the program runs, or with loadData.',
      ],
    ),
    ['@arguments', 'arguments is not defined.', undefined],
  ];
  test.each(rows)('%s', check('wppl'));
});

describe('modules', () => {
  const plainElsewhere = ([message, hint]: [string, string]): [string, string] => [
    message,
    `${hint} A file ending in .mjs is imported as plain JavaScript.`,
  ];
  const rows: Row[] = [
    [
      '@module.exports = 1;',
      'module is not defined.',
      'Programs are modules: use import and export. A file ending in .cjs is imported as plain JavaScript.',
    ],
    ['export default @flip(0.5);', 'flip is not defined.', "Import it: import { flip } from 'waymark'."],
    [
      '@enum E { A }',
      'Enums are not supported.',
      "Write an object: const Colour = {Red: 'red', Blue: 'blue'} as const. A file ending in .mjs is imported as plain JavaScript.",
    ],
    [
      '@namespace N { export const x = 1; }',
      'Namespaces are not supported.',
      'Put its contents into a module of its own. A file ending in .mjs is imported as plain JavaScript.',
    ],
    ['const x = @await 3;', ...plainElsewhere(ASYNC)],
    [
      'function f(@this: object) {}',
      "'this' is not supported.",
      'Give the function the object as an ordinary parameter.',
    ],
    ['@for await (const x of []) {}', ...plainElsewhere(ASYNC)],
    [
      '@using x = null;',
      "'using' is not supported: programs have nothing to dispose of.",
      'Declare the variable with const. A file ending in .mjs is imported as plain JavaScript.',
    ],
    [
      'export default 1;\n@export default 2;',
      'This module has two default exports.',
      'Export one of the two under another name, or not at all.',
    ],
    [
      'export const x = 1; const y = 2; export { @y as x };',
      "'x' is exported twice.",
      'Export one of the two under another name, or not at all.',
    ],
    ['@return 1;', 'return outside a function.', 'The value of a module is its default export: write export default.'],
    [
      "import { globalStore as store } from 'waymark'; @store = 1;",
      'store is imported and cannot be assigned to.',
      'Copy it to a variable of another name first.',
    ],
  ];
  test.each(rows)('%s', check('ts'));
});

describe('syntax errors', () => {
  const rows: Row[] = [
    ['var x = 1;\nvar y = @;', "Did not expect ';' here.", undefined],
    ['var f = function( {\n  @return 1;\n}', "Did not expect 'return' here.", undefined],
    [
      'var f = function() {\n  return 1;@',
      'The program ends in the middle of something.',
      'A bracket, brace or parenthesis is probably still open.',
    ],
    [
      '{a: 1, b@: 2}',
      "Did not expect ':' here.",
      'An object literal at the start of a statement needs parentheses: ({a: 1}).',
    ],
    [
      'var x@: number = 3',
      "Did not expect ':' here.",
      'Types belong in modules: leave it out, or make this a .ts file.',
    ],
    [
      'var f = function(x, y@: number) {}',
      "Did not expect ':' here.",
      'Types belong in modules: leave it out, or make this a .ts file.',
    ],
    [
      "var s = @'abc\n",
      'Unterminated string constant.',
      'Close the string on the line it starts on, or write it between backticks.',
    ],
    [
      'let x = 1; let @x = 2;',
      "Identifier 'x' has already been declared.",
      'Rename one of the two, or assign to the first without let or const.',
    ],
    [
      "@import { flip } from 'waymark'",
      'import and export do not belong here.',
      'A .wppl program sees the whole library without imports. To import other files, make it a .ts or .js module.',
    ],
    ['var x = 3 @4', "Did not expect '4' here.", undefined],
    [
      'var f = function(x) { @break; }',
      'break outside of what it could leave.',
      'break and continue belong inside a loop; break also inside switch.',
    ],
  ];
  test.each(rows)('%s', check('wppl'));
});
