import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Put into the built text. */
export const defined = { WAYMARK_VERSION: JSON.stringify(version) };
