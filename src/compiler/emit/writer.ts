/** The emitted text as it grows, with the places in the source it comes from. */
import type { Mark } from './source-map.ts';

/** A gap in the text that is filled, or not, when what follows it is known. */
export class Slot {
  constructor(
    private readonly chunks: string[],
    private readonly index: number,
  ) {}

  fill(text: string): void {
    this.chunks[this.index] = text;
  }
}

export class Writer {
  private readonly chunks: string[] = [];
  private readonly marks: { chunk: number; offset: number }[] = [];

  /** Appends text. */
  text(text: string): void {
    this.chunks.push(text);
  }

  /** Says that what is written next stands for the source from `offset` on. */
  mark(offset: number): void {
    this.marks.push({ chunk: this.chunks.length, offset });
  }

  slot(): Slot {
    return new Slot(this.chunks, this.chunks.push('') - 1);
  }

  finish(): { code: string; marks: Mark[] } {
    const placed: Mark[] = [];
    let line = 0;
    let column = 0;
    let next = 0;
    for (let i = 0; i <= this.chunks.length; i++) {
      for (; next < this.marks.length && this.marks[next].chunk === i; next++) {
        placed.push({ line, column, offset: this.marks[next].offset });
      }
      if (i === this.chunks.length) break;
      const chunk = this.chunks[i];
      const lastBreak = chunk.lastIndexOf('\n');
      if (lastBreak === -1) column += chunk.length;
      else {
        for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', at + 1)) line++;
        column = chunk.length - lastBreak - 1;
      }
    }
    return { code: this.chunks.join(''), marks: placed };
  }
}
