/** What a run says, as it comes. */
import type { Painter } from '../sandbox/painter.ts';
import type { Ending, Reply } from '../sandbox/runner.ts';
import { ChartFigure } from './chart-figure.ts';
import { element, icon } from './dom.ts';
import { faultCard } from './fault-card.ts';
import { duration, ProgressCard } from './progress-card.ts';

export interface ResultsOptions {
  readonly painter: Painter;
  isDark(): boolean;
  goTo(line: number, column: number): void;
}

export class ResultsView {
  readonly root = element('div', { class: 'results', 'aria-live': 'polite' });
  private charts: ChartFigure[] = [];
  private works = new Map<number, ProgressCard>();
  /** Text that follows text belongs together. */
  private open: HTMLElement | undefined;

  constructor(private readonly options: ResultsOptions) {}

  clear(): void {
    this.root.replaceChildren();
    this.charts = [];
    this.works = new Map();
    this.open = undefined;
  }

  reply(reply: Reply): void {
    const near = this.isAtEnd();
    switch (reply.kind) {
      case 'output':
        this.add(String(reply.text), reply.chart, 'output');
        break;
      case 'value':
        this.open = undefined;
        this.add(String(reply.text), reply.chart, 'output value');
        break;
      case 'warning':
        this.append(element('p', { class: 'item warning' }, icon('warn'), element('span', {}, String(reply.text))));
        break;
      case 'progress':
        this.progress(reply.report.work, String(reply.report.label)).update(reply.report);
        break;
      case 'fault':
        this.append(faultCard(reply.fault, this.options.goTo));
    }
    if (near) this.root.scrollTop = this.root.scrollHeight;
  }

  end(ending: Ending): void {
    for (const work of this.works.values()) work.finish();
    const text = endingText(ending);
    if (text !== undefined) this.append(element('p', { class: 'item ending', role: 'status' }, text));
    else if (this.root.childElementCount === 0) {
      const nothing = 'The program gave no value. Its last expression is shown here, and whatever it displays.';
      this.append(element('p', { class: 'item ending' }, nothing));
    }
  }

  /** After another theme, or another width. */
  redraw(): void {
    for (const chart of this.charts) void chart.draw(this.options.isDark());
  }

  private add(text: string, chart: object | undefined, kind: string): void {
    if (typeof chart === 'object') {
      const figure = new ChartFigure(chart, text, this.options.painter, this.options.isDark());
      this.charts.push(figure);
      this.append(figure.root);
      void figure.draw();
      // Figures that a picture does not give: mean, spread, effective samples.
      if (kind !== 'output')
        this.append(
          element('details', { class: 'item' }, element('summary', {}, 'In figures'), element('pre', {}, text)),
        );
      return;
    }
    if (this.open === undefined || kind !== 'output') {
      const block = element('pre', { class: `item ${kind}`, tabindex: '0' });
      this.append(block);
      if (kind === 'output') this.open = block;
      block.append(text);
    } else this.open.append(`\n${text}`);
  }

  private progress(work: number, label: string): ProgressCard {
    let card = this.works.get(work);
    if (card === undefined) {
      card = new ProgressCard(label);
      this.works.set(work, card);
      this.append(card.root);
    }
    return card;
  }

  private append(item: HTMLElement): void {
    this.open = undefined;
    this.root.append(item);
  }

  private isAtEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.root;
    return scrollTop + clientHeight > scrollHeight - 40;
  }
}

function endingText(ending: Ending): string | undefined {
  switch (ending.kind) {
    case 'done':
      return undefined;
    case 'stopped':
      return 'Stopped.';
    case 'too long':
      return `Stopped after ${duration(ending.seconds)}, the time limit. Raise the limit if the program needs longer.`;
    case 'lost':
      if (ending.reason !== undefined) return `The program could not be run: ${ending.reason}`;
      return (
        'The program’s worker has died, most likely because it used up the memory that the browser gives it. ' +
        'Use fewer samples or smaller data. Your text is safe.'
      );
  }
}
