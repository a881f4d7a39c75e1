/** The report: one self-contained page, the same as Markdown, and the files of its figures and tables. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { atomicWrite } from '../host/atomic-write.ts';
import type { Table } from './chapter.ts';
import { htmlReport } from './report-html.ts';
import { markdownReport } from './report-markdown.ts';
import { drawingPath, type Report, verdict } from './reported.ts';

/** Writes everything into the folder; returns the path of the page. */
export async function publish(out: string, report: Report): Promise<string> {
  // Loaded here: nothing else draws figures.
  const { svgOf } = await import('../report/svg.ts');
  const drawings = new Map<string, string>();
  for (const { experiment, figures, tables } of report.chapters) {
    mkdirSync(join(out, experiment.name), { recursive: true });
    for (const { name, spec } of figures) drawings.set(drawingPath(experiment, name), await svgOf(spec));
    for (const table of tables) atomicWrite(join(out, experiment.name, `${table.name}.csv`), csv(table));
  }
  for (const [path, svg] of drawings) atomicWrite(join(out, path), `${svg}\n`);
  atomicWrite(join(out, 'claims.csv'), csv(claimsTable(report)));
  atomicWrite(join(out, 'report.md'), markdownReport(report));
  const page = join(out, 'report.html');
  atomicWrite(page, htmlReport(report, drawings));
  return page;
}

const claimsTable = ({ chapters, suite }: Report): Table => ({
  name: 'claims',
  caption: '',
  head: ['experiment', 'claim', suite.published, 'waymark', 'test', 'verdict'],
  rows: chapters.flatMap(({ experiment, claims }) =>
    claims.map((claim) => [experiment.name, claim.claim, claim.paper, claim.waymark, claim.test, verdict(claim)]),
  ),
});

function csv({ head, rows }: Table): string {
  const cell = (value: string | number): string => {
    const text = String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\n`).join('');
}
