/**
 * `<waymark-editor>`: a block of code that readers can change and run.
 *
 *     <waymark-editor><pre><code>flip(0.5)</code></pre></waymark-editor>
 *
 * Attributes: `language` (`wppl` or `ts`), `seed`, `limit` (seconds), `memory` (megabytes), `shares` (boxes of a page with the same word here see
 * the top-level definitions of those before them).
 */
import { Editor } from '../editor/editor.ts';
import { loadReference } from '../editor/reference.ts';
import { isDark } from '../page/theme.ts';
import { element, icon } from '../results/dom.ts';
import { duration } from '../results/progress-card.ts';
import { ResultsView } from '../results/results-view.ts';
import type { Job, Language } from '../sandbox/protocol.ts';
import type { Ending, Running } from '../sandbox/runner.ts';
import elementCss from '../style/element.css?inline';
import resultsCss from '../style/results.css?inline';
import themeCss from '../style/theme.css?inline';
import { blockText } from './block-text.ts';
import { keepText, keptText } from './kept-text.ts';
import { services } from './services.ts';

const NAME = 'waymark-editor';
const LIMIT_SECONDS = 60;

const sheet = new CSSStyleSheet();
sheet.replaceSync(`${themeCss}\n${resultsCss}\n${elementCss}`);

/** The folder of this script. */
const base = new URL(/* @vite-ignore */ '.', import.meta.url).href;

/** Boxes are built when they come near to what is seen: a long page of them opens at once. */
const nearby = new IntersectionObserver(
  (seen) => {
    for (const { isIntersecting, target } of seen) if (isIntersecting) (target as WaymarkEditor).build();
  },
  { rootMargin: '600px' },
);

export class WaymarkEditor extends HTMLElement {
  private original = '';
  private editor: Editor | undefined;
  private results!: ResultsView;
  private running: Running | undefined;
  private readonly run = element(
    'button',
    { class: 'primary', type: 'button', click: () => this.start() },
    icon('run'),
    'Run',
  );
  private readonly stop = element(
    'button',
    { class: 'danger', type: 'button', hidden: true, click: () => this.running?.stop() },
    icon('stop'),
    'Stop',
  );
  private readonly note = element('span', { class: 'note', role: 'status' });
  private readonly reset = element(
    'button',
    { class: 'quiet small far', type: 'button', title: 'Back to the text of the page', click: () => this.takeBack() },
    icon('reset'),
    'Reset',
  );

  connectedCallback(): void {
    if (this.shadowRoot !== null) return;
    this.original = blockText(this.textContent ?? '');
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    root.append(element('pre', { class: 'plain' }, this.original));
    nearby.observe(this);
  }

  /** The program as it stands. */
  get text(): string {
    return this.editor?.text ?? keptText(this.name, this.original) ?? this.original;
  }

  /** Called when the box comes into view; once is enough. */
  build(): void {
    const root = this.shadowRoot;
    if (this.editor !== undefined || root === null) return;
    nearby.unobserve(this);
    const { painter, checker, runner } = services(base);
    const code = element('div', { class: 'code' });
    this.results = new ResultsView({
      painter,
      isDark: () => isDark(this),
      goTo: (line, column) => this.editor?.goTo(line, column),
    });
    const strip = element('div', { class: 'strip' }, this.run, this.stop, this.note, this.reset);
    root.replaceChildren(code, strip, this.results.root);
    this.editor = new Editor(code, {
      text: keptText(this.name, this.original) ?? this.original,
      language: this.language,
      root,
      label: 'Program. Escape, then Tab, leaves the editor.',
      onRun: () => this.start(),
      onStop: () => this.running?.stop(),
      onChange: (text) => this.changed(text),
      check: (text) => checker.check(this.job(text)),
    });
    this.reset.hidden = this.text === this.original;
    // The engine is loaded for those who use it.
    this.addEventListener('focusin', () => runner.prepare(), { once: true });
    void loadReference(base).then(() => this.editor?.refresh());
  }

  private get language(): Language {
    return this.getAttribute('language') === 'ts' ? 'ts' : 'wppl';
  }

  /** By which its text is kept. */
  private get name(): string {
    return this.id || String([...document.querySelectorAll(NAME)].indexOf(this));
  }

  /** Texts of the boxes before it that share with it. */
  private get textsBefore(): string[] {
    const group = this.getAttribute('shares');
    if (group === null) return [];
    const boxes = [...document.querySelectorAll<WaymarkEditor>(NAME)].filter(
      (box) => box.getAttribute('shares') === group,
    );
    return boxes.slice(0, boxes.indexOf(this)).map((box) => box.text);
  }

  private job(code: string): Job {
    const seed = Number(this.getAttribute('seed') ?? 1);
    return {
      code,
      language: this.language,
      seed: Number.isInteger(seed) ? seed : 1,
      memory: Number(this.getAttribute('memory')) || undefined,
      before: this.textsBefore,
    };
  }

  private changed(text: string): void {
    keepText(this.name, this.original, text);
    this.reset.hidden = text === this.original;
  }

  private takeBack(): void {
    this.editor?.open(this.original, this.language);
    this.changed(this.original);
    this.results.clear();
    this.note.textContent = '';
  }

  private start(): void {
    this.running?.stop();
    const { editor, results } = this;
    if (editor === undefined) return;
    results.clear();
    editor.clearFaults();
    this.busy(true);
    this.note.textContent = 'Running…';
    const limit = Number(this.getAttribute('limit')) || LIMIT_SECONDS;
    this.running = services(base).runner.run(this.job(editor.text), limit, {
      reply: (reply) => {
        results.reply(reply);
        if (reply.kind === 'fault') editor.showFailure(reply.fault);
      },
      end: (ending) => this.end(ending),
    });
  }

  private end(ending: Ending): void {
    this.running = undefined;
    this.results.end(ending);
    this.busy(false);
    this.note.textContent = ending.kind === 'done' ? duration(ending.milliseconds / 1000) : '';
  }

  private busy(running: boolean): void {
    const had = this.shadowRoot?.activeElement;
    this.run.hidden = running;
    this.stop.hidden = !running;
    if (had === this.run || had === this.stop) (running ? this.stop : this.run).focus();
  }
}

customElements.define(NAME, WaymarkEditor);

/** Makes boxes of the blocks of code that a selector finds: `editBlocks('pre > code.language-wppl')`. */
export function editBlocks(selector: string): void {
  for (const code of document.querySelectorAll(selector)) {
    const block = code.closest('pre') ?? code;
    const box = document.createElement(NAME);
    if (/\blanguage-(ts|typescript)\b/.test(code.className)) box.setAttribute('language', 'ts');
    box.textContent = code.textContent;
    block.replaceWith(box);
  }
}
