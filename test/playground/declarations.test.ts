import { describe, expect, test } from 'vitest';
import { blockText } from '../../playground/element/block-text.ts';
import { declarationsBefore } from '../../playground/engine/declarations.ts';

describe('definitions that boxes of a page share', () => {
  const wppl = (before: string[], code: string) => declarationsBefore(before, code, 'wppl');
  const ts = (before: string[], code: string) => declarationsBefore(before, code, 'ts');

  test.each([
    ['variables and functions', ['var a = 1, b = 2;\nvar f = function() { return a; };'], 'f()', 'var a = 1;\nvar b = 2;\nvar f = function() { return a; };'], // biome-ignore format: one row
    ['no outputs, no values', ['var a = 1;\ndisplay(a);\na + 1'], 'a', 'var a = 1;'],
    ['patterns', ['var {x, y: [z, ...rest], w = 1} = data;'], 'z', 'var {x, y: [z, ...rest], w = 1} = data;'],
    ['the later of two', ['var a = 1;', 'var a = 2;'], 'a', 'var a = 2;'],
    ['nothing that the program declares itself', ['var a = 1;\nvar b = a;'], 'var a = 5;\nb', 'var b = a;'],
    ['nothing of what cannot be read', ['var a = ;', 'var b = 1;'], 'b', 'var b = 1;'],
    ['functions in their short form', ['function f(x) { return x; }'], 'f(1)', 'function f(x) { return x; }'],
  ])('%s', async (_what, before, code, kept) => expect(await wppl(before, code)).toBe(kept));

  test('of TypeScript: imports one by one, types, and what is exported', async () => {
    const first = `import { flip, type Tensor } from 'waymark';
import * as all from 'waymark';
interface Point { x: number }
type Pair = [Point, Point];
enum Side { left, right }
export const model = () => flip(0.5);
export default model();`;
    expect(await ts([first], "import { flip, Infer } from 'waymark';\nexport default Infer({ model });")).toBe(
      `import { type Tensor } from 'waymark';
import * as all from 'waymark';
interface Point { x: number }
type Pair = [Point, Point];
enum Side { left, right }
const model = () => flip(0.5);`,
    );
  });

  test('a program with an error of its own still gets them', async () => {
    expect(await wppl(['var a = 1;'], 'a +')).toBe('var a = 1;');
  });
});

describe('the text of a block', () => {
  test.each([
    ['\n    var a = 1;\n      a;\n  ', 'var a = 1;\n  a;'],
    ['var a;\n  a', 'var a;\n  a'],
    ['\n\n  a\n\n  b\n', 'a\n\nb'],
    ['', ''],
  ])('%j', (given, text) => expect(blockText(given)).toBe(text));
});
