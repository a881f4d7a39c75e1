import { type AnyNode, type Expression, type ObjectExpression, type Program, parse } from 'acorn';
import type { Plugin } from 'vite';

/** What the bundler calls to make the object of a namespace: a function for each name, which takes a millisecond for the library's. */
const MARK = '__exportAll';

/** Writes namespaces as plain objects, where all that they name is there before them. */
export const namespacePlugin = (): Plugin => ({
  name: 'waymark-namespace',
  apply: 'build',
  renderChunk: (code) => (code.includes(`${MARK}({`) ? withPlainNamespaces(code) : null),
});

/** The text of a chunk, in which `__exportAll({a: () => a})` is an object with a field `a`, if `a` has its value there and keeps it. */
export function withPlainNamespaces(code: string): string {
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const settled = declaredAtOnce(program);
  let text = '';
  let at = 0;
  for (const statement of program.body) {
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { id, init } of statement.declarations) {
      const fields = init ? fieldsOf(init) : undefined;
      if (init && fields?.every(({ value }) => settled.has(value))) {
        const plain = fields.map(({ name, value }) => `\n\t${name}: ${value}`).join(',');
        text += `${code.slice(at, init.start)}Object.freeze(Object.defineProperty({${plain}\n}, Symbol.toStringTag, { value: "Module" }))`;
        at = init.end;
      }
      if (id.type === 'Identifier' && init && statement.kind !== 'let') settled.add(id.name);
    }
  }
  return text + code.slice(at);
}

/** Names that have their value from the start: of functions, and of what is imported. */
function declaredAtOnce(program: Program): Set<string> {
  const found = new Set<string>();
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') for (const { local } of statement.specifiers) found.add(local.name);
    if (statement.type === 'FunctionDeclaration') found.add(statement.id.name);
  }
  return found;
}

interface Field {
  /** As it is written. */
  readonly name: string;
  readonly value: string;
}

/** The names of a namespace and what they stand for; undefined of anything else. */
function fieldsOf(node: Expression): Field[] | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== MARK)
    return undefined;
  const [all] = node.arguments;
  if (node.arguments.length !== 1 || all.type !== 'ObjectExpression') return undefined;
  const fields = all.properties.map(fieldOf);
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

function fieldOf(property: ObjectExpression['properties'][number]): Field | undefined {
  if (property.type !== 'Property' || property.computed || property.value.type !== 'ArrowFunctionExpression')
    return undefined;
  const key: AnyNode = property.key;
  const { body } = property.value;
  if (body.type !== 'Identifier') return undefined;
  if (key.type === 'Identifier') return { name: key.name, value: body.name };
  return key.type === 'Literal' ? { name: JSON.stringify(key.value), value: body.name } : undefined;
}
