/** Colour on terminals, and only there. NO_COLOR turns it off, FORCE_COLOR on (see no-color.org). */
import { isTerminal } from './terminal.ts';

const STYLES = { bold: 1, dim: 2, red: 31, yellow: 33, blue: 34, cyan: 36 } as const;

type Style = keyof typeof STYLES;

/** Whether what is written to the descriptor is coloured. */
function isColoured(descriptor: number): boolean {
  const { env } = process;
  if ((env.NO_COLOR ?? '') !== '') return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return env.TERM !== 'dumb' && isTerminal(descriptor);
}

/** The text in a style, to its end. */
function painted(text: string, style: Style): string {
  return text === '' ? '' : `\u001b[${STYLES[style]}m${text}\u001b[0m`;
}

/** What a console is given, coloured if its descriptor is. */
export class Paint {
  private readonly on: boolean;

  constructor(descriptor: number) {
    this.on = isColoured(descriptor);
  }

  text(text: string, style: Style): string {
    return this.on ? painted(text, style) : text;
  }

  /** The report of an error: what is wrong stands out, and the caret. */
  error(report: string): string {
    if (!this.on) return report;
    const [message, ...rest] = report.split('\n\n');
    return [
      message
        .split('\n')
        .map((line) => painted(painted(line, 'red'), 'bold'))
        .join('\n'),
      ...rest.map(place),
    ].join('\n\n');
  }

  /** A line of advice. */
  advice(text: string): string {
    return this.text(text, 'yellow');
  }

  /** What a program shows: bars, curves and dots are coloured. */
  value(text: string): string {
    return this.on ? text.replace(DRAWN, (part) => painted(part, 'cyan')) : text;
  }
}

/** Characters that drawings are made of. */
const DRAWN = /[\u2580-\u259f\u2801-\u28ff●━](?:[ \u2580-\u259f\u2800-\u28ff●━]*[\u2580-\u259f\u2801-\u28ff●━])?/g;

/** A place with its excerpt: numbers of lines are faint, the caret is not. */
function place(part: string): string {
  return part
    .split('\n')
    .map((line) => {
      if (/^\S+:\d+:\d+$/.test(line)) return painted(line, 'cyan');
      const excerpt = /^(\s*\d* \|)(.*)$/.exec(line);
      if (excerpt === null) return line;
      const [, margin, text] = excerpt;
      return painted(margin, 'dim') + (/^\s*\^$/.test(text) ? painted(text, 'red') : text);
    })
    .join('\n');
}
