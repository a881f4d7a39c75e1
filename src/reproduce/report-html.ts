/** The report as one page that needs no other file. */
import type { Claim, Table } from './chapter.ts';
import { introduction, provenance } from './report-words.ts';
import { type Drawings, drawingPath, type Report, type ReportedChapter, tally, verdict } from './reported.ts';

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1, h2 { line-height: 1.2; }
h2 { margin-top: 3rem; border-top: 1px solid #ccc; padding-top: 1.5rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.7rem 0.3rem 0; border-bottom: 1px solid #ddd; }
figure { margin: 1.5rem 0; }
figure svg { max-width: 100%; height: auto; }
figcaption, caption { font-size: 0.9rem; color: #555; text-align: left; }
.met { color: #1a7f37; font-weight: 600; white-space: nowrap; }
.not-met { color: #c62828; font-weight: 600; white-space: nowrap; }
.not-decided { color: #8a6d00; font-weight: 600; white-space: nowrap; }
code { background: #f3f3f3; padding: 0.1rem 0.3rem; }
`;

const escaped = (text: string | number): string =>
  String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Text in which `words` between backticks are code. */
const prose = (text: string): string => escaped(text).replace(/`([^`]*)`/g, '<code>$1</code>');

export function htmlReport(report: Report, drawings: Drawings): string {
  const { chapters } = report;
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escaped(report.suite.title)}</title>`,
    `<style>${STYLE}</style></head>`,
    '<body>',
    `<h1>${escaped(report.suite.title)}</h1>`,
    ...introduction(report).map((paragraph) => `<p>${prose(paragraph)}</p>`),
    `<p><strong>${tally(chapters.flatMap(({ claims }) => claims))}.</strong></p>`,
    ...chapters.map((chapter) => section(chapter, report, drawings)),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function section(chapter: ReportedChapter, { suite }: Report, drawings: Drawings): string {
  const { experiment, figures, tables, claims, remarks } = chapter;
  return [
    `<h2 id="${experiment.name}">${escaped(experiment.title)} (${experiment.origin})</h2>`,
    `<p>${prose(provenance(chapter))}</p>`,
    claimsTable(claims, suite.published),
    ...remarks.map((remark) => `<p>${prose(remark)}</p>`),
    ...figures.map(({ name, caption }) => {
      const svg = drawings.get(drawingPath(experiment, name));
      return `<figure>${svg}<figcaption>${escaped(caption)}</figcaption></figure>`;
    }),
    ...tables.filter(({ fileOnly }) => !fileOnly).map(tableHtml),
  ].join('\n');
}

function claimsTable(claims: readonly Claim[], published: string): string {
  const rows = claims.map((claim) => {
    const word = verdict(claim);
    const cells = [claim.claim, claim.paper, claim.waymark, claim.test].map((text) => `<td>${escaped(text)}</td>`);
    return `<tr>${cells.join('')}<td class="${word.replace(' ', '-')}">${word}</td></tr>`;
  });
  const head = ['claim', published, 'Waymark', 'test', ''].map((text) => `<th>${text}</th>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`;
}

function tableHtml({ caption, head, rows }: Table): string {
  const row = (cells: readonly (string | number)[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  const body = rows.map((cells) => row(cells, 'td')).join('\n');
  return `<table><caption>${escaped(caption)}</caption><thead>${row(head, 'th')}</thead><tbody>\n${body}\n</tbody></table>`;
}
