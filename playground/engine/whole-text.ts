/** The text that is compiled for a job: declarations of the programs before it, and its own. */
import type { Job } from '../sandbox/protocol.ts';
import { declarationsBefore } from './declarations.ts';

export interface WholeText {
  readonly code: string;
  /** What errors call it. */
  readonly file: string;
  /** Lines that are not the program's own. */
  readonly linesBefore: number;
}

export async function wholeText({ code, language, before = [] }: Job): Promise<WholeText> {
  const file = `program.${language}`;
  const prelude = before.length === 0 ? '' : await declarationsBefore(before, code, language);
  if (prelude === '') return { code, file, linesBefore: 0 };
  return { code: `${prelude}\n${code}`, file, linesBefore: prelude.split('\n').length };
}
