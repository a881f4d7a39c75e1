/** What pages of the site do: search, theme, the list of pages on narrow screens. */
import { isDark, startTheme } from '../../playground/page/theme.ts';
import { element, icon } from '../../playground/results/dom.ts';
import '../../playground/style/theme.css';
import '../../playground/style/results.css';
import '../style/site.css';
import { type SearchEntry, search } from './search.ts';

const root = document.body.dataset.root ?? '.';

function startSearch(field: HTMLInputElement, found: HTMLElement): void {
  let entries: Promise<SearchEntry[]> | undefined;
  const show = async () => {
    entries ??= fetch(`${root}/search.json`).then((response) => response.json() as Promise<SearchEntry[]>);
    const asked = field.value;
    const results = search(await entries, asked);
    if (asked !== field.value) return;
    const rows = results.map(({ page, heading, url, text }) =>
      element(
        'li',
        {},
        element(
          'a',
          { href: `${root}/${url}` },
          element('b', {}, heading || page),
          element('span', {}, heading ? page : ''),
          element('small', {}, text.slice(0, 110)),
        ),
      ),
    );
    found.replaceChildren(
      ...(rows.length > 0 ? rows : [element('li', { class: 'none' }, 'Nothing has all these words.')]),
    );
    found.hidden = asked.trim() === '';
  };
  field.addEventListener('input', () => void show());
  field.addEventListener('keydown', (event) => {
    const links = [...found.querySelectorAll('a')];
    if (event.key === 'Enter') links[0]?.click();
    else if (event.key === 'ArrowDown') links[0]?.focus();
    else return;
    event.preventDefault();
  });
  found.addEventListener('keydown', (event) => {
    const links = [...found.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'ArrowDown') (links[at + 1] ?? links[at])?.focus();
    else if (event.key === 'ArrowUp') (links[at - 1] ?? field).focus();
    else return;
    event.preventDefault();
  });
  const close = () => {
    found.hidden = true;
  };
  addEventListener('click', (event) => {
    if (!(event.target as Element).closest?.('.search')) close();
  });
  addEventListener('keydown', (event) => {
    const writing = (event.target as Element).closest?.('input, textarea, waymark-editor, [contenteditable]');
    if (event.key === 'Escape') close();
    if (event.key !== '/' || writing) return;
    event.preventDefault();
    field.focus();
  });
}

function startMenu(button: HTMLButtonElement, beside: HTMLElement): void {
  button.addEventListener('click', () => {
    const open = beside.classList.toggle('open');
    button.setAttribute('aria-expanded', String(open));
  });
}

const find = <E extends Element>(selector: string) => document.querySelector(selector) as E;
const theme = find<HTMLButtonElement>('.theme');
const draw = () => theme.replaceChildren(icon(isDark() ? 'sun' : 'moon'));
const themes = startTheme(draw);
theme.addEventListener('click', () => themes.toggle());
draw();
startSearch(find('.search input'), find('.found'));
startMenu(find('.menu'), find('.beside'));
