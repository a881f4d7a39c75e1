/** The gallery and the programs written here before, to choose from. */
import { type Draft, drafts } from '../page/drafts.ts';
import { element, icon } from '../results/dom.ts';
import type { Gallery, GalleryEntry, Shelf } from './gallery.ts';
import { thumbnail } from './thumbnail.ts';

export interface Choices {
  entry(entry: GalleryEntry): void;
  draft(draft: Draft): void;
  /** An empty program. */
  fresh(): void;
}

export function openGallery(gallery: Gallery, choose: Choices): void {
  const shelves = element('div', { class: 'shelves' });
  const search = element('input', { type: 'search', placeholder: 'Search programs', 'aria-label': 'Search programs' });
  const close = element(
    'button',
    { class: 'quiet small', type: 'button', 'aria-label': 'Close', click: () => dialog.close() },
    icon('close'),
  );
  const fresh = element('button', { class: 'button', type: 'button' }, 'New program');
  const head = element('div', { class: 'dialog-head' }, element('h2', {}, 'Programs'), search, fresh, close);
  const dialog: HTMLDialogElement = element('dialog', { class: 'gallery', 'aria-label': 'Programs' }, head, shelves);
  const chosen = (act: () => void) => () => {
    dialog.close();
    act();
  };
  const fill = () => {
    const wanted = search.value.trim().toLowerCase();
    shelves.replaceChildren(
      ...shelf(
        'Yours',
        'Kept by this browser, the newest first.',
        draftCards(wanted, (one) => chosen(() => choose.draft(one))),
      ),
      ...gallery.shelves.flatMap((one) =>
        shelf(
          one.title,
          one.about,
          entryCards(one, wanted, (entry) => chosen(() => choose.entry(entry))),
        ),
      ),
    );
    if (shelves.childElementCount === 0) shelves.append(element('p', {}, 'No program has these words.'));
  };
  fresh.addEventListener(
    'click',
    chosen(() => choose.fresh()),
  );
  search.addEventListener('input', fill);
  dialog.addEventListener('close', () => dialog.remove());
  fill();
  document.body.append(dialog);
  dialog.showModal();
  search.focus();
}

function shelf(title: string, about: string, cards: readonly HTMLElement[]): HTMLElement[] {
  if (cards.length === 0) return [];
  return [element('h3', {}, title), element('p', {}, about), element('div', { class: 'cards' }, ...cards)];
}

function draftCards(wanted: string, choose: (draft: Draft) => () => void): HTMLElement[] {
  return drafts()
    .filter(({ title, code }) => `${title} ${code}`.toLowerCase().includes(wanted))
    .slice(0, wanted === '' ? 4 : undefined)
    .map((draft) => card(draft.title, since(draft.when), draft.language, choose(draft)));
}

function entryCards({ entries }: Shelf, wanted: string, choose: (entry: GalleryEntry) => () => void): HTMLElement[] {
  return entries
    .filter(({ title, about, code }) => `${title} ${about} ${code}`.toLowerCase().includes(wanted))
    .map((entry) => card(entry.title, entry.about, entry.language, choose(entry), thumbnail(entry.picture)));
}

function card(title: string, about: string, language: string, click: () => void, picture?: SVGElement): HTMLElement {
  const words = element(
    'span',
    { class: 'words' },
    element('span', { class: 'tag' }, `.${language}`),
    element('b', {}, title),
    element('span', { class: 'about' }, about),
  );
  return element(
    'button',
    { class: 'card', type: 'button', click },
    ...(picture === undefined ? [] : [picture]),
    words,
  );
}

function since(when: number): string {
  const minutes = Math.round((Date.now() - when) / 60_000);
  if (minutes < 1) return 'changed just now';
  if (minutes < 60) return `changed ${minutes} min ago`;
  if (minutes < 60 * 24) return `changed ${Math.round(minutes / 60)} h ago`;
  return `changed on ${new Date(when).toLocaleDateString()}`;
}
