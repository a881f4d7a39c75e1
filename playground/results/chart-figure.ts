/** A chart in the page: a picture, which can neither run anything nor load anything. */
import type { Painter, Picture } from '../sandbox/painter.ts';
import { tipOver } from './chart-tip.ts';
import { element, icon } from './dom.ts';

export class ChartFigure {
  readonly root = element('figure', { class: 'item chart' });
  private svg = '';

  constructor(
    private readonly spec: object,
    /** What those who do not see it are told. */
    private readonly text: string,
    private readonly painter: Painter,
    private dark: boolean,
  ) {
    this.root.append(element('div', { class: 'chart-wait' }, 'Drawing…'));
  }

  /** Draws it as wide as there is room. Called when it is in the page, and when the theme changes. */
  async draw(dark = this.dark): Promise<void> {
    this.dark = dark;
    const room = Math.max(260, Math.min(this.root.clientWidth || 520, 900));
    let picture: Picture;
    try {
      picture = await this.painter.draw(this.spec, dark, room);
    } catch (thrown) {
      const problem = element('p', { class: 'problem' }, `This chart cannot be drawn: ${(thrown as Error).message}`);
      this.root.replaceChildren(problem, element('pre', {}, this.text));
      return;
    }
    this.svg = picture.svg;
    const image = element('img', {
      src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture.svg)}`,
      alt: this.text,
      width: String(Math.round(picture.width)),
      height: String(Math.round(picture.height)),
    });
    const save = element(
      'button',
      { class: 'quiet small', title: 'Save as SVG', click: () => this.save() },
      icon('save'),
    );
    save.setAttribute('aria-label', 'Save this chart as SVG');
    this.root.replaceChildren(image, tipOver(image, picture), save);
  }

  private save(): void {
    const url = URL.createObjectURL(new Blob([this.svg], { type: 'image/svg+xml' }));
    element('a', { href: url, download: 'chart.svg' }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
}
