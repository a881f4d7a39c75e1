/** What the programs in pages print, and pages that show it. */
import { show } from '../../src/library/show/value.ts';
import { run } from '../../src/program/run.ts';
import { type Block, programsOf } from './blocks.ts';

/**
 * What `waymark run` would print, with seed 1. Programs find and leave files in a folder of their own. A block marked
 * `guides` or `batching` is run with `--explain-guides` or `--explain-batching`, and the page shows what that says.
 */
export async function printedBy({ code, language, words }: Block, folder: string): Promise<string> {
  const explanations: string[] = [];
  const engine = { explainGuides: words.includes('guides'), explainBatching: words.includes('batching') };
  const { value, outputs } = await run(code, {
    file: `${folder}/program.${language}`,
    language: language as 'ts' | 'js' | 'wppl',
    seed: 1,
    engine,
    warn(message) {
      if (engine.explainGuides || engine.explainBatching) explanations.push(withoutTimes(message, folder));
      else throw new Error(`a program in the documentation must not need advice: ${message}`);
    },
  });
  const shown = [...outputs.map(({ text }) => text), ...(value === undefined ? [] : [show(value)])];
  return `${(explanations.length > 0 ? explanations : shown).join('\n').trimEnd()}\n`;
}

/** Without what differs from run to run: the folder, and how long things took. */
const withoutTimes = (message: string, folder: string): string =>
  message.replaceAll(`${folder}/`, '').replace(/\b\d+(\.\d+)? ms\b/g, '… ms');

/** The page with what its programs print now. */
export async function withOutputs(page: string, folder: string): Promise<string> {
  let text = page;
  for (const { program, output } of programsOf(page).reverse()) {
    if (output === undefined) continue;
    text = text.slice(0, output.start) + (await printedBy(program, folder)) + text.slice(output.end);
  }
  return text;
}
