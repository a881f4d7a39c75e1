import { expect, test } from 'vitest';
import { isModule } from '../../src/cli/module-text.ts';

test.each([
  ["import { flip } from 'waymark';\nexport default flip();"],
  ['export default 1'],
  ["var a = 1; import 'waymark'"],
  ['{ 1 } export const a = 2'],
])('%j is a module', (text) => {
  expect(isModule(text)).toBe(true);
});

test.each([
  ['flip(0.5)'],
  ['/*\nimport this\n*/ flip(0.5)'],
  ['// export\nvar text = "\\\nexport"; text'],
  ['var text = `\nimport this`; text'],
  ['var o = {\n  export: 1,\n  import: 2\n}; o\n  .export + o.import'],
  ["import('fs')"],
])('%j is none', (text) => {
  expect(isModule(text)).toBe(false);
});
