/** The report as Markdown, with the figures in files of their own. */
import type { Table } from './chapter.ts';
import { introduction, provenance } from './report-words.ts';
import { drawingPath, type Report, type ReportedChapter, tally, verdict } from './reported.ts';

export function markdownReport(report: Report): string {
  const { chapters } = report;
  const parts = [
    `# ${report.suite.title}`,
    ...introduction(report),
    `**${tally(chapters.flatMap(({ claims }) => claims))}.**`,
    ...chapters.flatMap((chapter) => section(chapter, report)),
  ];
  return `${parts.join('\n\n').trimEnd()}\n`;
}

function section(chapter: ReportedChapter, { suite }: Report): string[] {
  const { experiment, figures, tables, claims, remarks } = chapter;
  const rows = claims.map((claim) => [claim.claim, claim.paper, claim.waymark, claim.test, verdict(claim)]);
  return [
    `## ${experiment.title} (${experiment.origin})`,
    provenance(chapter),
    grid(['claim', suite.published, 'Waymark', 'test', 'verdict'], rows),
    ...remarks,
    ...figures.map(({ name, caption }) => `![${caption}](${drawingPath(experiment, name)})`),
    ...tables.filter(({ fileOnly }) => !fileOnly).map(tableMarkdown),
  ];
}

const tableMarkdown = ({ caption, head, rows }: Table): string => `${caption}\n\n${grid(head, rows)}`;

function grid(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
