import { type AnyNode, type ExportSpecifier, type Program, parse } from 'acorn';
import type { Plugin } from 'vite';
import { LOADER_CHUNK } from './worker-chunk.ts';

/** Shorter chunks are compiled as quickly as kept code is read. */
const WORTH_KEEPING = 8_000;

/** The chunk of `src/cli/v8/kept-code.ts`. */
const LOADER = 'kept-code.js';

/** Divides larger chunks into a module and a script, for which V8 can keep compiled code: see `src/cli/v8/kept-code.ts`. */
export function keptCodePlugin(): Plugin {
  return {
    name: 'waymark-kept-code',
    apply: 'build',

    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || chunk.isEntry || chunk.code.length < WORTH_KEEPING) continue;
        // Nobody could load it.
        if (chunk.name === LOADER_CHUNK) continue;
        const scriptName = chunk.fileName.replace(/\.js$/, '.script.js');
        const { module, script } = divided(chunk.code, scriptName);
        chunk.code = module;
        this.emitFile({ type: 'asset', fileName: scriptName, source: script });
      }
    },
  };
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Imports become parameters of a function, which is the script, and exports what it returns. */
export function divided(code: string, scriptName: string): { module: string; script: string } {
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const parameters: string[] = [];
  const exported: ExportSpecifier[] = [];
  const edits: Edit[] = [];
  let imports = '';
  for (const statement of program.body) {
    const { start, end } = statement;
    if (statement.type === 'ImportDeclaration') {
      imports += `${code.slice(start, end)}\n`;
      for (const { local } of statement.specifiers) parameters.push(local.name);
    } else if (statement.type === 'ExportNamedDeclaration' && !statement.declaration && !statement.source) {
      exported.push(...statement.specifiers);
    } else if (statement.type.startsWith('Export')) {
      throw new Error(`${scriptName}: only lists of exports are understood, not ${code.slice(start, start + 40)}.`);
    } else {
      visit(statement, (node) => {
        if (node.type === 'ImportExpression') edits.push({ start: node.start, end: node.start + 6, text: '$import' });
        if (node.type === 'MetaProperty' && code.startsWith('import', node.start)) {
          edits.push({ start: node.start, end: node.end, text: '$meta' });
        }
      });
      continue;
    }
    edits.push({ start, end, text: '' });
  }
  const names = exported.map(({ local }) => nameOf(local));
  refuseVariables(program, new Set(names), scriptName);
  const script =
    `(function(${[...parameters, '$meta', '$import'].join(', ')}) { 'use strict';\n${edited(code, edits)}\n` +
    `return [${names.join(', ')}]; })`;
  // A chunk that awaits something at its top level cannot be a function.
  parse(script, { ecmaVersion: 'latest', sourceType: 'script' });
  const given = [...parameters, 'import.meta', '(url) => import(url)'].join(', ');
  const module =
    `${imports}import { load } from './${LOADER}';\n` +
    `const [${names.map((_, i) => `$${i}`).join(', ')}] = load(new URL('./${scriptName}', import.meta.url))(${given});\n` +
    `export { ${exported.map((one, i) => `$${i} as ${nameOf(one.exported)}`).join(', ')} };\n`;
  return { module, script };
}

function nameOf(node: ExportSpecifier['exported']): string {
  return node.type === 'Identifier' ? node.name : JSON.stringify(node.value);
}

/** What is exported has to keep its value, since only values pass from the script to the module. */
function refuseVariables(program: Program, exported: ReadonlySet<string>, scriptName: string): void {
  for (const statement of program.body) {
    if (statement.type !== 'VariableDeclaration' || statement.kind === 'const') continue;
    for (const { id, init } of statement.declarations) {
      // The bundler writes `var` for what it makes itself, which does not change.
      const changes = statement.kind === 'let' || !init;
      if (changes && id.type === 'Identifier' && exported.has(id.name)) {
        throw new Error(`${scriptName}: the export ${id.name} may change; keep it in an object.`);
      }
    }
  }
}

function visit(node: AnyNode, see: (node: AnyNode) => void): void {
  see(node);
  for (const child of Object.values(node)) {
    for (const one of Array.isArray(child) ? child : [child]) {
      if (typeof one?.type === 'string') visit(one, see);
    }
  }
}

function edited(code: string, edits: readonly Edit[]): string {
  let out = '';
  let at = 0;
  for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start)) {
    out += code.slice(at, start) + text;
    at = end;
  }
  return out + code.slice(at);
}
