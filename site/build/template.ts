/** The page around what is written. */
import { posix } from 'node:path';
import type { Navigation } from './navigation.ts';
import type { Rendered } from './render.ts';
import { placeOf } from './site.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const MARK =
  '<svg viewBox="0 0 26 26" aria-hidden="true"><path d="M2 21C6 21 7.5 6 13 6s7 15 11 15" fill="none" stroke="currentColor" ' +
  'stroke-width="2.4" stroke-linecap="round"/><circle cx="13" cy="6" r="3.2" fill="currentColor"/></svg>';

export function page({ file, title, html, headings }: Rendered, { sections }: Navigation): string {
  const place = placeOf(file);
  const root = posix.relative(posix.dirname(place), '.') || '.';
  const link = (to: string) => posix.join(root, placeOf(to));
  const beside = sections
    .map(({ title: name, links }) => {
      const rows = links.map((one) => {
        const current = one.file === file ? ' aria-current="page"' : '';
        return `<li><a href="${link(one.file)}"${current}>${escaped(one.title)}</a></li>`;
      });
      return `<h2>${escaped(name)}</h2>\n<ul>${rows.join('')}</ul>`;
    })
    .join('\n');
  const inPage = headings.filter(({ level }) => level === 2);
  const contents =
    inPage.length < 2
      ? ''
      : `<nav class="on-page" aria-label="On this page"><h2>On this page</h2><ul>${inPage
          .map(({ text, anchor }) => `<li><a href="#${anchor}">${escaped(text)}</a></li>`)
          .join('')}</ul></nav>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Waymark</title>
<link rel="icon" href="${root}/playground/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}/assets/site.css">
<script type="module" src="${root}/assets/site.js" data-root="${root}"></script>
<script type="module" src="${root}/playground/waymark-editor.js"></script>
</head>
<body data-root="${root}">
<header class="bar">
<button class="menu quiet" type="button" aria-label="Pages" aria-expanded="false">☰</button>
<a class="brand" href="${root}/index.html">${MARK}<span>Waymark</span></a>
<div class="search"><input type="search" placeholder="Search ( / )" aria-label="Search the documentation" autocomplete="off"><ol class="found" hidden></ol></div>
<a class="button" href="${root}/playground/index.html">Playground</a>
<button class="theme quiet" type="button" aria-label="Dark or light"></button>
</header>
<div class="columns">
<nav class="beside" aria-label="Pages">${beside}</nav>
<main>${html}</main>
${contents}
</div>
</body>
</html>
`;
}
