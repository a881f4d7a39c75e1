/** A new construct of the language is a row of the table of statements, or of expressions: with it, it works in every way of running. */
import type { LabeledStatement, Node } from 'acorn';
import { expect, test, vi } from 'vitest';
import type { Emission } from '../../src/compiler/emit/emission.ts';
import { ALL_WAYS, faultsOf } from '../lanes/every-way.ts';

const isDummy = (node: Node): node is LabeledStatement =>
  node.type === 'LabeledStatement' && (node as LabeledStatement).label.name === 'twice';

// `twice: x += 1;` does it two times. It is refused elsewhere, as a label that nothing can jump to.
vi.mock('../../src/compiler/analyse/refuse.ts', async (original) => {
  const { refusal } = await original<typeof import('../../src/compiler/analyse/refuse.ts')>();
  return { refusal: (node: Node) => (isDummy(node) ? undefined : refusal(node)) };
});

vi.mock('../../src/compiler/emit/statements.ts', async (original) => {
  const { statementTable } = await original<typeof import('../../src/compiler/emit/statements.ts')>();
  const LabeledStatement = (e: Emission, node: LabeledStatement, tail: boolean): void => {
    if (!isDummy(node)) statementTable.LabeledStatement(e, node as never, tail);
    else for (let i = 0; i < 2; i++) e.statement(node.body, false);
  };
  return { statementTable: { ...statementTable, LabeledStatement } };
});

test.each([
  'var x = k; twice: x += 1; return x;',
  'var x = 1; if (k > 1) { twice: x *= k; } else { twice: x -= k + 0.5; } return x;',
  'var x = 0; for (var i = 0; i < k; i++) { twice: x += i; } return x;',
])('%s', async (body) => {
  const ways = ALL_WAYS.filter((way) => way !== 'enumerate many paths');
  const written = body.replace(/twice: ([^;]+);/g, '$1; $1;');
  expect(await faultsOf({ body, truth: written }, {}, ways)).toEqual([]);
  await expect(
    faultsOf({ body: body.replaceAll('twice', 'thrice'), truth: written }, {}, ['forward']),
  ).resolves.toEqual([expect.stringContaining('is a block with a label here')]);
});
