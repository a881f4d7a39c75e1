/** Files of the reader's that programs of this visit may read by name, with `loadData`. They stay in the page. */

/** A page is no place for larger ones. */
const LARGEST = 20_000_000;

export class DataFiles {
  private readonly texts = new Map<string, string>();

  /** `told` is given what happened, in words. */
  constructor(private readonly told: (text: string) => void) {}

  get all(): Record<string, string> {
    return Object.fromEntries(this.texts);
  }

  async add(files: Iterable<File>): Promise<void> {
    for (const file of files) {
      if (file.size > LARGEST) {
        this.told(`${file.name} is larger than ${LARGEST / 1e6} MB: use the command line for it.`);
        continue;
      }
      this.texts.set(file.name, await file.text());
      this.told(`Programs can read it now: loadData('${file.name}')`);
    }
  }

  /** Lets files be chosen by a button, and dropped on an element. */
  wire(button: HTMLElement, target: HTMLElement): void {
    const chooser = document.createElement('input');
    chooser.type = 'file';
    chooser.multiple = true;
    chooser.accept = '.csv,.tsv,.json,.txt';
    chooser.onchange = () => void this.add(chooser.files ?? []);
    button.onclick = () => chooser.click();
    target.addEventListener('dragover', (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    });
    target.addEventListener(
      'drop',
      (event) => {
        const files = event.dataTransfer?.files;
        if (files === undefined || files.length === 0) return;
        event.preventDefault();
        event.stopPropagation();
        void this.add(files);
      },
      { capture: true },
    );
  }
}
