import { atomicWrite } from '../host/atomic-write.ts';
import { appendFileSync } from '../host/fs.ts';
import { resolve } from '../host/path.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { machine } from '../runtime/machine.ts';
import { isFirst } from '../runtime/team.ts';

/** A text file that an option asks for, beside the program. */
export class WrittenFile {
  readonly path: string;

  constructor(
    /** In messages. */
    private readonly option: string,
    private readonly name: string,
  ) {
    this.path = resolve(machine.run.folder, name);
  }

  write(text: string): void {
    this.attempt(() => atomicWrite(this.path, text));
  }

  append(text: string): void {
    this.attempt(() => appendFileSync(this.path, text));
  }

  private attempt(action: () => void): void {
    if (!isFirst()) return;
    try {
      action();
    } catch (error) {
      const { message } = error as Error;
      throw new WaymarkError(`${this.option}: the file ${this.name} could not be written (${message}).`);
    }
  }
}
