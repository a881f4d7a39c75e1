/** Names of files, as this host writes them. */
export { basename, dirname, extname, join, resolve } from 'node:path';
