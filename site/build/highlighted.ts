/** Code with its colours, for blocks that are only read. */
import { javascriptLanguage, typescriptLanguage } from '@codemirror/lang-javascript';
import { classHighlighter, highlightCode } from '@lezer/highlight';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export function highlighted(code: string, language: string): string {
  const syntax = { wppl: javascriptLanguage, js: javascriptLanguage, ts: typescriptLanguage, json: javascriptLanguage }[
    language
  ];
  if (syntax === undefined) return escaped(code);
  let html = '';
  highlightCode(
    code,
    syntax.parser.parse(code),
    classHighlighter,
    (text, classes) => {
      html += classes === '' ? escaped(text) : `<span class="${classes}">${escaped(text)}</span>`;
    },
    () => {
      html += '\n';
    },
  );
  return html;
}
