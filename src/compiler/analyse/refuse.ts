/** What programs cannot contain: what to say about it, and what to write instead. */
import type { AnyNode, Node } from 'acorn';

interface Refusal {
  readonly message: string;
  readonly hint: string;
}

const ASYNC: Refusal = {
  message: 'Programs cannot be asynchronous: an execution must be able to run many times, from start to end.',
  hint: 'Get the data before the program runs, or with loadData, and drop async and await.',
};

const GENERATOR: Refusal = {
  message: 'Generator functions are not supported.',
  hint: 'Build an array with a loop, map or repeat, and return it.',
};

const CLASS: Refusal = {
  message: 'Classes are not supported.',
  hint: 'Write a function that returns an object: const Point = (x, y) => ({x, y, norm: () => Math.hypot(x, y)}).',
};

const USING: Refusal = {
  message: "'using' is not supported: programs have nothing to dispose of.",
  hint: 'Declare the variable with const.',
};

const MARKUP: Refusal = { message: 'Markup is not supported.', hint: 'Put it into a module of its own.' };

const NODES: { readonly [type: string]: Refusal } = {
  AwaitExpression: ASYNC,
  YieldExpression: GENERATOR,
  ClassDeclaration: CLASS,
  ClassExpression: CLASS,
  ThisExpression: {
    message: "'this' is not supported.",
    hint: 'Give the function the object as a parameter, or refer to it by name.',
  },
  Super: { message: "'super' is not supported.", hint: 'Call the other function by its name.' },
  MetaProperty: {
    message: 'new.target and import.meta are not supported.',
    hint: 'Pass what you need as a parameter.',
  },
  ImportExpression: {
    message: 'Dynamic import() is not supported: an execution cannot wait.',
    hint: 'Use an import declaration at the top of the module.',
  },
  WithStatement: { message: "'with' is not supported.", hint: 'Name the object: o.x instead of x.' },
  PrivateIdentifier: CLASS,
  TSEnumDeclaration: {
    message: 'Enums are not supported.',
    hint: "Write an object: const Colour = {Red: 'red', Blue: 'blue'} as const.",
  },
  TSModuleDeclaration: { message: 'Namespaces are not supported.', hint: 'Put its contents into a module of its own.' },
  TSParameterProperty: CLASS,
  TSImportEqualsDeclaration: { message: "'import =' is not supported.", hint: "Write import x from 'module'." },
  TSExportAssignment: { message: "'export =' is not supported.", hint: 'Write export default.' },
};

/** Why this node is refused, if it is. */
export function refusal(node: Node): Refusal | undefined {
  const known = NODES[node.type];
  if (known !== undefined) return known;
  if (node.type.startsWith('JSX')) return MARKUP;
  const any = node as AnyNode;
  switch (any.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      if (any.async) return ASYNC;
      return any.generator ? GENERATOR : undefined;
    case 'VariableDeclaration':
      return /using/.test(any.kind) ? USING : undefined;
    case 'ForOfStatement':
      return any.await ? ASYNC : undefined;
    case 'LabeledStatement':
      return any.body.type === 'ExpressionStatement' ? labelledExpression(any.label.name) : undefined;
    case 'UnaryExpression':
      return any.operator === 'delete' && any.argument.type === 'Identifier'
        ? { message: `Cannot delete the variable ${any.argument.name}.`, hint: 'delete removes a field: delete o.x.' }
        : undefined;
    default:
      return undefined;
  }
}

function labelledExpression(label: string): Refusal {
  return {
    message: `'{${label}: …}' is a block with a label here, not an object.`,
    hint: `Put the object in parentheses: ({${label}: …}).`,
  };
}
