/** Names of files where there are none: with slashes, from a root that nothing else is in. */

/** Without `.`, `..` and doubled slashes. */
function tidy(path: string): string {
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
  }
  return `/${kept.join('/')}`;
}

export function resolve(...parts: readonly string[]): string {
  let path = '';
  for (const part of parts) path = part.startsWith('/') ? part : `${path}/${part}`;
  return tidy(path);
}

export function join(...parts: readonly string[]): string {
  const path = parts.filter((part) => part !== '').join('/');
  return path.startsWith('/') ? tidy(path) : tidy(path).slice(1) || '.';
}

export function dirname(path: string): string {
  const end = path.lastIndexOf('/');
  if (end < 0) return '.';
  return end === 0 ? '/' : path.slice(0, end);
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function extname(path: string): string {
  const name = basename(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot);
}
