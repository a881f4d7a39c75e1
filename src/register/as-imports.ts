/** `const {…} = require('waymark')` at the start of a line, as the import that it means. Lines stay where they are. */
export function asImports(text: string): string {
  return text.replace(
    /^(?:const|let|var)\s+(\{[^{}]*\}|[\w$]+)\s*=\s*require\(\s*(['"]waymark(?:\/webppl)?['"])\s*\)/gm,
    (_, names: string, module: string) =>
      names.startsWith('{')
        ? `import ${names.replace(/:/g, ' as ')} from ${module}`
        : `import * as ${names} from ${module}`,
  );
}
