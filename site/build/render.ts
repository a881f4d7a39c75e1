/** One page of docs/ as HTML: programs become boxes that run, links lead to pages of the site. */

import { posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import { anchorMaker } from '../../build/pages/anchors.ts';
import { highlighted } from './highlighted.ts';
import { placeOf } from './site.ts';

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

export interface Rendered {
  /** Below docs/. */
  readonly file: string;
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  /** The Markdown itself, for the search. */
  readonly source: string;
}

/** What a page of a browser has not: files, Node's modules, other entry points of the package. */
const NOT_IN_PAGES =
  /\bload(Data|QMRGraph|Params)\(|\bcheckpoint\b|\bargv\b|from '(?!waymark')|\brequire\(|\bread(Json|Csv|File)\b/;

/** Programs that readers can run. `signature` and `internal` blocks are no programs. */
function isRunnable(language: string, words: readonly string[], code: string): boolean {
  if (language !== 'wppl' && language !== 'ts') return false;
  return words.length === 0 && !NOT_IN_PAGES.test(code);
}

export function rendered(file: string, source: string, known: ReadonlySet<string>): Rendered {
  const markdown = new MarkdownIt({ html: true, typographer: false });
  const headings: Heading[] = [];
  const anchor = anchorMaker();
  const { rules } = markdown.renderer;
  const escaped = markdown.utils.escapeHtml;

  rules.heading_open = (tokens, at) => {
    const { tag } = tokens[at];
    const text = tokens[at + 1].content.replaceAll('`', '');
    const made = { level: Number(tag[1]), text, anchor: anchor(tokens[at + 1].content) };
    headings.push(made);
    return `<${tag} id="${made.anchor}">`;
  };
  rules.heading_close = (tokens, at) => {
    const { tag } = tokens[at];
    const { anchor: id, text } = headings[headings.length - 1];
    const mark = tag === 'h1' ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to ${escaped(text)}">#</a>`;
    return `${mark}</${tag}>\n`;
  };
  rules.fence = (tokens, at) => {
    const [language = '', ...words] = tokens[at].info.trim().split(' ');
    const code = tokens[at].content;
    if (isRunnable(language, words, code)) {
      return `<waymark-editor language="${language}"><pre><code>${escaped(code)}</code></pre></waymark-editor>\n`;
    }
    const shown = language === 'text' && followsProgram(tokens, at) ? ' class="prints"' : '';
    return `<pre${shown}><code>${highlighted(code, language)}</code></pre>\n`;
  };
  rules.table_open = () => '<div class="table"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.link_open = (tokens, at, options, _environment, self) => {
    const href = tokens[at].attrGet('href') ?? '';
    const target = linkTarget(file, String(href), known);
    // What is in the repository alone is named, not linked.
    if (target === undefined) tokens[at].attrs = [['class', 'nowhere']];
    else tokens[at].attrSet('href', target);
    return self.renderToken(tokens, at, options);
  };

  const html = markdown.render(source.replace(/<!--[\s\S]*?-->/g, ''));
  return { file, title: headings[0]?.text ?? file, html, headings, source };
}

/** The text block that shows what the program before it prints. */
function followsProgram(tokens: readonly { type: string; info: string }[], at: number): boolean {
  const before = tokens.slice(0, at).findLast(({ type }) => type === 'fence');
  return before !== undefined && /^(wppl|ts|js)\b/.test(before.info);
}

/** Where a link of a page leads on the site; undefined if there is no such page. */
export function linkTarget(file: string, href: string, known: ReadonlySet<string>): string | undefined {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [path, anchor] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(file), path));
  const here = posix.dirname(placeOf(file));
  if (!known.has(target)) return target.endsWith('.svg') ? href : undefined;
  const to = posix.relative(here, placeOf(target));
  return anchor === undefined ? to : `${to}#${anchor}`;
}
