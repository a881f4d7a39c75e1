/**
 * Divides chunks of the command into a module and a script, for which V8 can keep compiled code: see `src/cli/v8/kept-code.ts`. The command
 * loads scripts alone, and spends no time on modules; the modules are for those who import the package.
 */
import { isBuiltin } from 'node:module';
import { type ExportSpecifier, type ImportDeclaration, type Program, parse } from 'acorn';
import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';
import { visit } from './syntax-tree.ts';
import { LOADER, STARTS } from './worker-chunk.ts';

/** What loads scripts, as others import it; the file is made apart, since nothing else could load it. */
const LOADER_NAME = './kept-code.cjs';

export function keptCodePlugin(): Plugin {
  return {
    name: 'waymark-kept-code',
    apply: 'build',
    enforce: 'pre',

    async resolveId(source, importer) {
      if (importer === undefined || !source.endsWith('/kept-code.ts')) return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found?.id === LOADER ? { id: LOADER_NAME, external: true } : null;
    },

    async generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((chunk) => chunk.type === 'chunk');
      const scripts = asScripts(chunks);
      for (const chunk of chunks) {
        const { fileName } = chunk;
        if (!scripts.has(fileName)) continue;
        const scriptName = fileName.replace(/\.js$/, '.script.js');
        const { module, script } = divided(chunk.code, `./${fileName}`);
        chunk.code = module;
        this.emitFile({ type: 'asset', fileName: scriptName, source: script });
      }
      for (const name of STARTS) {
        if (!scripts.has(`${name}.js`))
          throw new Error(`${name}.js cannot be a script: a package that it imports is not.`);
        const source = `module.exports = require('${LOADER_NAME}').start('./${name}.js');\n`;
        this.emitFile({ type: 'asset', fileName: `${name}.cjs`, source });
      }
      this.emitFile({ type: 'asset', fileName: LOADER_NAME.slice(2), source: await loader() });
    },
  };
}

/** What loads scripts, and what that needs, as one file. */
async function loader(): Promise<string> {
  const bundle = await rolldown({ input: LOADER, platform: 'node', external: /^node:/ });
  const { output } = await bundle.generate({ format: 'cjs', exports: 'named' });
  await bundle.close();
  return output[0].code;
}

interface Chunk {
  readonly fileName: string;
  readonly isEntry: boolean;
  readonly imports: readonly string[];
}

/** Files that become scripts: those that import nothing but Node's own modules and other scripts. */
function asScripts(chunks: readonly Chunk[]): ReadonlySet<string> {
  const isStart = (name: string): boolean => STARTS.some((start) => name === `${start}.js`);
  const found = new Set(chunks.filter((one) => !one.isEntry || isStart(one.fileName)).map((one) => one.fileName));
  const suits = (from: string): boolean => found.has(from) || isBuiltin(from) || from === LOADER_NAME;
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { fileName, imports } of chunks) if (!imports.every(suits)) found.delete(fileName);
  }
  return found;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Imports become a list, and parameters of a function; exports become what it returns. The name is that of the chunk, as others import it. */
export function divided(code: string, name: string): { module: string; script: string } {
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const parameters: string[] = [];
  const imports: [string, string[]][] = [];
  const exported: ExportSpecifier[] = [];
  const edits: Edit[] = [];
  for (const statement of program.body) {
    const { start, end } = statement;
    if (statement.type === 'ImportDeclaration') {
      imports.push([String(statement.source.value), statement.specifiers.map(importedName)]);
      for (const { local } of statement.specifiers) parameters.push(local.name);
    } else if (statement.type === 'ExportNamedDeclaration' && !statement.declaration && !statement.source) {
      exported.push(...statement.specifiers);
    } else if (statement.type.startsWith('Export')) {
      throw new Error(`${name}: only lists of exports are understood, not ${code.slice(start, start + 40)}.`);
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
  refuseVariables(program, new Set(names), name);
  const given = exported.map((one, i) => `${JSON.stringify(nameOf(one.exported))}: ${names[i]}`);
  const script = inAscii(
    `({ imports: ${JSON.stringify(imports)}, run: (function(${[...parameters, '$meta', '$import'].join(', ')}) { 'use strict';\n` +
      `${edited(code, edits)}\nreturn { ${given.join(', ')} }; }) })`,
  );
  // A chunk that awaits something at its top level cannot be a function.
  parse(script, { ecmaVersion: 'latest', sourceType: 'script' });
  const taken = exported.map((one, i) => `${JSON.stringify(nameOf(one.exported))}: $${i}`);
  const module =
    `import { chunk } from '${LOADER_NAME}';\n` +
    `const { ${taken.join(', ')} } = chunk('${name}');\n` +
    `export { ${exported.map((one, i) => `$${i} as ${quoted(one.exported)}`).join(', ')} };\n`;
  return { module, script };
}

/** What an import names: `*` is everything. */
function importedName(specifier: ImportDeclaration['specifiers'][number]): string {
  if (specifier.type === 'ImportSpecifier') return nameOf(specifier.imported);
  return specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*';
}

type Name = ExportSpecifier['exported'];

const nameOf = (node: Name): string => (node.type === 'Identifier' ? node.name : String(node.value));

const quoted = (node: Name): string => (node.type === 'Identifier' ? node.name : JSON.stringify(node.value));

/** Such text is read many times faster. An escape means the character itself in texts, patterns and names alike. */
const inAscii = (script: string): string =>
  script.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What is exported has to keep its value, since only values pass from the script to the module. */
function refuseVariables(program: Program, exported: ReadonlySet<string>, name: string): void {
  for (const statement of program.body) {
    if (statement.type !== 'VariableDeclaration' || statement.kind === 'const') continue;
    for (const { id, init } of statement.declarations) {
      // The bundler writes `var` for what it makes itself, which does not change.
      const changes = statement.kind === 'let' || !init;
      if (changes && id.type === 'Identifier' && exported.has(id.name)) {
        throw new Error(`${name}: the export ${id.name} may change; keep it in an object.`);
      }
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
