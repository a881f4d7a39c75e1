/** The parts of the page, as `index.html` has them. */

function part<E extends HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`index.html has no #${id}`);
  return found as E;
}

export const parts = {
  title: part<HTMLInputElement>('title'),
  saved: part('saved'),
  gallery: part<HTMLButtonElement>('gallery-button'),
  share: part<HTMLButtonElement>('share-button'),
  theme: part<HTMLButtonElement>('theme-button'),
  run: part<HTMLButtonElement>('run'),
  stop: part<HTMLButtonElement>('stop'),
  language: part<HTMLSelectElement>('language'),
  seed: part<HTMLInputElement>('seed'),
  dice: part<HTMLButtonElement>('dice'),
  limit: part<HTMLSelectElement>('limit'),
  data: part<HTMLButtonElement>('data'),
  editor: part('editor'),
  splitter: part('splitter'),
  status: part('status'),
  clear: part<HTMLButtonElement>('clear'),
  results: part('results'),
  tabProgram: part<HTMLButtonElement>('tab-program'),
  tabResults: part<HTMLButtonElement>('tab-results'),
  main: document.querySelector('main') as HTMLElement,
};
