/** What modules that are imported and modules that are required have in common when they are compiled. */
import { relative } from 'node:path';
import { CompileError } from '../compiler/diagnostics.ts';
import { type CompiledModule, UnreadableModule } from '../modules/compile-module.ts';

/** What call sites of a file are numbered by. */
export const idOf = (file: string): string => relative(process.cwd(), file).replaceAll('\\', '/');

/** The text with its source map at the end. */
export function withMap({ code, map }: CompiledModule, file: string): string {
  const encoded = Buffer.from(JSON.stringify({ ...map, sources: [file] })).toString('base64');
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${encoded}\n`;
}

/** A module that cannot be read is left as it is, with a warning. What else is wrong with it is an error, with its place. */
export function complaint(thrown: unknown, file: string): void {
  if (thrown instanceof UnreadableModule) {
    process.emitWarning(thrown.message);
    return;
  }
  if (!(thrown instanceof CompileError)) throw thrown;
  const { message, hint, line, column } = thrown;
  throw new SyntaxError(`${file}:${line}:${column}: ${message}${hint === undefined ? '' : ` ${hint}`}`);
}
