/**
 * Links this package's own command into node_modules/.bin, as npm does for every other package, so that
 * `npx waymark` works in the repository itself. Without the link npx would install the folder into its cache first.
 */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../node_modules/.bin', import.meta.url));
const link = `${folder}/waymark`;

try {
  mkdirSync(folder, { recursive: true });
  rmSync(link, { force: true });
  symlinkSync('../../bin/waymark.js', link);
} catch (error) {
  // Systems that forbid symbolic links lose nothing but the shortcut.
  console.warn(`npx will be slower here: ${error.message}`);
}
