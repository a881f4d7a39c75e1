/** What a program says to its page, within bounds: one that prints in an endless loop must not fill the page. */
import type { EngineReply, Fault, ProgressReport } from '../sandbox/protocol.ts';

const MOST_OUTPUTS = 2000;
const MOST_TEXT = 2_000_000;

export class Mouth {
  private outputs = 0;
  private length = 0;
  private readonly warned = new Set<string>();

  constructor(private readonly say: (reply: EngineReply) => void) {}

  output(text: string, chart?: object): void {
    if (this.room(text)) this.say({ kind: 'output', text, chart });
  }

  value(text: string, chart?: object): void {
    this.say({ kind: 'value', text: text.slice(0, MOST_TEXT), chart });
  }

  warn(text: string): void {
    if (this.warned.has(text) || !this.room(text)) return;
    this.warned.add(text);
    this.say({ kind: 'warning', text });
  }

  progress(report: ProgressReport): void {
    this.say({ kind: 'progress', report });
  }

  fault(fault: Fault): void {
    this.say({ kind: 'fault', fault });
  }

  private room(text: string): boolean {
    if (this.outputs > MOST_OUTPUTS) return false;
    this.length += text.length;
    if (++this.outputs <= MOST_OUTPUTS && this.length <= MOST_TEXT) return true;
    this.outputs = MOST_OUTPUTS + 1;
    this.say({ kind: 'warning', text: 'The program prints more than a page can hold: the rest is not shown.' });
    return false;
  }
}
