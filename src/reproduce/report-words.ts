/** What both forms of the report say in sentences. */
import type { Report, ReportedChapter } from './reported.ts';

export function introduction({ scale, command, suite }: Report): string[] {
  const paragraphs = [suite.introduction, `To make this report: \`${command}\`.`];
  if (scale === 'full') return paragraphs;
  return [
    ...paragraphs,
    'These are quick settings, with far fewer steps: claims that are not met here are no finding.',
  ];
}

/** Where the data of a chapter come from, and how much was run. */
export function provenance({ data, runs, seconds }: ReportedChapter): string {
  const often = runs === 1 ? 'Each condition was run once.' : `Each condition was run ${runs} times.`;
  return `${data.description} ${often} All runs together took ${duration(seconds)}.`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} seconds`;
  return `${Math.round(seconds / 60)} minutes`;
}
