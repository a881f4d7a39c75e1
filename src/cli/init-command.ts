import { existsSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { flag, UsageError } from './arguments.ts';
import { command } from './command.ts';
import { whyNotWritten } from './files.ts';
import { makeFolder } from './make-folder.ts';
import { projectFiles } from './project-files.ts';
import { STDERR, STDOUT, write } from './streams.ts';

/** Put in by the build, from package.json. */
declare const WAYMARK_VERSION: string;

export const initCommand = command({
  summary: 'make a project that works: a typed model, a test, and what they need',
  usage: '[FOLDER]',
  details: [
    'Writes package.json, tsconfig.json, a model in TypeScript and a test of it into FOLDER, or into this folder.',
    'Files that are there already are left alone, and nothing is written then.',
  ],
  options: { help: flag('show this help') },

  async run({ operands }) {
    if (operands.length > 1) throw new UsageError(`waymark init makes one folder, got ${operands.join(' and ')}.`);
    const [folder = '.'] = operands;
    const place = resolve(folder);
    const files = projectFiles(packageName(basename(place)), WAYMARK_VERSION);
    const taken = Object.keys(files).filter((name) => existsSync(join(place, name)));
    if (taken.length > 0) {
      throw new UsageError(`${join(folder, taken[0])} is there already. Give a new folder: waymark init my-model.`);
    }
    try {
      makeFolder(place);
      for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text, { flag: 'wx' });
    } catch (error) {
      write(STDERR, `${folder} cannot be written: ${whyNotWritten(error)}.\n`);
      return 1;
    }
    const steps = [...(folder === '.' ? [] : [`cd ${folder}`]), 'npm install', 'npm start', 'npm test'];
    write(STDOUT, `A model and its test are in ${folder}. Now:\n\n${steps.map((step) => `  ${step}\n`).join('')}`);
    return 0;
  },
});

/** A folder's name as npm takes it. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '');
  return name === '' || name === 'waymark' || name === 'node_modules' ? 'my-model' : name;
}
