/** The link to a program, to be copied. */
import { element } from '../results/dom.ts';
import { toast } from './toast.ts';

/** Some programs that send messages cut longer links. */
const LONG = 8000;

export async function openShare(link: string): Promise<void> {
  const field = element('input', { readonly: true, 'aria-label': 'Link to this program' });
  field.value = link;
  const copied = await navigator.clipboard?.writeText(link).then(
    () => true,
    () => false,
  );
  const words = 'The whole program is in the link, compressed. Nothing is stored on a server.';
  const long =
    link.length > LONG ? ` It has ${link.length.toLocaleString('en')} letters: some mail programs cut such links.` : '';
  const close = element('button', { class: 'primary', type: 'button', click: () => dialog.close() }, 'Done');
  const dialog: HTMLDialogElement = element(
    'dialog',
    { class: 'share-box', 'aria-label': 'Share this program' },
    element('h2', {}, copied ? 'Link copied' : 'Share this program'),
    element('p', {}, words + long),
    element('div', { class: 'row' }, field, close),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  field.select();
  if (copied) toast('The link is in the clipboard.');
}
