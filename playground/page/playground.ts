/** The playground: one program, its editor, and its results. */
import { Editor } from '../editor/editor.ts';
import { loadReference } from '../editor/reference.ts';
import { entryOf, filesOf, type Gallery, type GalleryEntry, loadGallery } from '../gallery/gallery.ts';
import { openGallery } from '../gallery/gallery-dialog.ts';
import { icon } from '../results/dom.ts';
import { ResultsView } from '../results/results-view.ts';
import { Painter } from '../sandbox/painter.ts';
import type { Fault, Job, Language } from '../sandbox/protocol.ts';
import { Checker, Runner } from '../sandbox/runner.ts';
import { Sandbox } from '../sandbox/sandbox.ts';
import { DataFiles } from './data-files.ts';
import { type Draft, drafts, keep, newId } from './drafts.ts';
import { parts } from './parts.ts';
import { type Program, SEEDS, WELCOME } from './program.ts';
import { RunControl } from './run-control.ts';
import { openShare } from './share-dialog.ts';
import { linkTo, programIn } from './share-link.ts';
import { startSplitter } from './splitter.ts';
import { isDark, startTheme } from './theme.ts';
import { toast } from './toast.ts';
import { welcome } from './welcome.ts';

export class Playground {
  private readonly sandbox: Sandbox;
  private readonly checker: Checker;
  private readonly results: ResultsView;
  private readonly control: RunControl;
  private readonly data = new DataFiles(toast);
  private editor!: Editor;
  private gallery: Gallery = { shelves: [], files: {} };
  /** Under which the program is kept, once it has been changed. */
  private id = newId();
  private from: string | undefined;

  constructor(private readonly base: string) {
    this.sandbox = new Sandbox(base);
    this.checker = new Checker(this.sandbox);
    this.results = new ResultsView({
      painter: new Painter(this.sandbox),
      isDark: () => isDark(),
      goTo: (line, column) => {
        this.control.show('program');
        this.editor.goTo(line, column);
      },
    });
    parts.results.replaceWith(this.results.root);
    this.control = new RunControl(new Runner(this.sandbox), this.results, {
      job: () => this.job(),
      failed: (fault) => this.editor.showFailure(fault),
      started: () => this.editor.clearFaults(),
      idle: () => welcome(() => this.chooseProgram()),
    });
  }

  async start(): Promise<void> {
    const first = await this.firstProgram();
    this.editor = new Editor(parts.editor, {
      text: '',
      language: first.language,
      label: 'Program. Escape, then Tab, leaves the editor.',
      onRun: () => this.control.run(),
      onStop: () => this.control.stop(),
      onChange: () => this.save(),
      check: (text) => this.check(text),
    });
    this.open(first);
    this.wire();
    this.control.ready();
    void loadReference(this.base).then(() => this.editor.refresh());
    this.gallery = await loadGallery(this.base).catch(() => this.gallery);
    this.openExample();
    addEventListener('hashchange', () => void this.openLink());
  }

  /** That of the link, else the one that was last worked on. */
  private async firstProgram(): Promise<Program> {
    try {
      const linked = await programIn(location.href);
      if (linked !== undefined) return linked;
    } catch (thrown) {
      toast((thrown as Error).message);
    }
    const [last] = drafts();
    if (last === undefined) return WELCOME;
    this.id = last.id;
    return last;
  }

  /** `?example=ID`, by which other pages link to a program of the gallery. */
  private openExample(): void {
    const asked = new URLSearchParams(location.search).get('example');
    const example = asked === null ? undefined : entryOf(this.gallery, asked);
    if (example !== undefined && location.hash === '') this.openEntry(example);
  }

  private async openLink(): Promise<void> {
    try {
      const linked = await programIn(location.href);
      if (linked !== undefined) this.openNew(linked);
    } catch (thrown) {
      toast((thrown as Error).message);
    }
  }

  private open(program: Program): void {
    this.from = program.from;
    parts.title.value = program.title;
    parts.language.value = program.language;
    parts.seed.value = String(program.seed);
    document.title = `${program.title} · Waymark playground`;
    this.editor.open(program.code, program.language);
  }

  /** A program that is kept apart from the one before, once it is changed. */
  private openNew(program: Program): void {
    this.control.stop();
    this.control.clear();
    this.id = newId();
    this.open(program);
    this.control.show('program');
    parts.saved.textContent = '';
  }

  private get language(): Language {
    return parts.language.value as Language;
  }

  private get program(): Program {
    const { language, from } = this;
    const code = this.editor.text;
    return { title: parts.title.value.trim() || 'Untitled', code, language, seed: Number(parts.seed.value), from };
  }

  private job(code = this.editor.text): Job {
    const seed = Number(parts.seed.value);
    return { code, language: this.language, seed, files: { ...filesOf(this.gallery, this.from), ...this.data.all } };
  }

  private check(text: string): Promise<Fault | undefined> {
    return this.checker.check(this.job(text));
  }

  private save(): void {
    document.title = `${parts.title.value || 'Untitled'} · Waymark playground`;
    // The link has another text now; the draft is what counts.
    if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
    parts.saved.textContent = keep(this.id, this.program) ? 'Saved in this browser' : 'Cannot be saved here';
  }

  private chooseProgram(): void {
    openGallery(this.gallery, {
      entry: (entry) => this.openEntry(entry),
      draft: (draft) => this.openDraft(draft),
      fresh: () => {
        this.openNew({ title: 'Untitled', code: '', language: this.language, seed: 1 });
        this.editor.focus();
      },
    });
  }

  private openEntry({ id, title, code, language }: GalleryEntry): void {
    this.openNew({ title, code, language, seed: 1, from: id });
    this.editor.focus();
  }

  private openDraft(draft: Draft): void {
    this.openNew(draft);
    this.id = draft.id;
    this.editor.focus();
  }

  private wire(): void {
    const { title, gallery, share, theme, language, seed, dice, splitter } = parts;
    const label = (button: HTMLElement, name: string, words: string) => {
      const text = document.createElement('span');
      text.className = 'words';
      text.textContent = words;
      button.replaceChildren(icon(name), text);
      button.setAttribute('aria-label', words);
      button.title = words;
    };
    label(gallery, 'gallery', 'Gallery');
    label(share, 'share', 'Share');
    const themes = startTheme(() => {
      label(theme, isDark() ? 'sun' : 'moon', isDark() ? 'Light' : 'Dark');
      this.results.redraw();
    });
    label(theme, isDark() ? 'sun' : 'moon', isDark() ? 'Light' : 'Dark');
    dice.append(icon('dice'));
    theme.onclick = () => themes.toggle();
    gallery.onclick = () => this.chooseProgram();
    share.onclick = async () => openShare(await linkTo(this.program, location.href));
    title.oninput = () => this.save();
    language.onchange = () => {
      this.editor.setLanguage(this.language);
      this.save();
    };
    seed.onchange = () => {
      const wanted = Math.abs(Math.trunc(Number(seed.value)));
      seed.value = String(Number.isFinite(wanted) ? wanted % SEEDS : 1);
      this.save();
    };
    dice.onclick = () => {
      seed.value = String(Math.floor(Math.random() * 100_000));
      this.save();
    };
    label(parts.data, 'data', 'Data');
    this.data.wire(parts.data, parts.editor);
    startSplitter(splitter, () => this.results.redraw());
  }
}
