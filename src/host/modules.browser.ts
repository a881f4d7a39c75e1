/** Modules that are not part of Waymark, where there are neither packages nor files. */

export async function lodashModule(): Promise<unknown> {
  return (await import('lodash')).default;
}

export async function assertModule(): Promise<unknown> {
  return (await import('./assert.browser.ts')).assert;
}

export const requireIn =
  (_file: string): unknown =>
  (name: string) => {
    throw new Error(`require('${name}'): there are no packages here. Use import with the address of a module.`);
  };

export function installedPackage(_name: string): { readonly module: unknown; readonly file: string } | undefined {
  return undefined;
}

export function jsonModule(url: string): unknown {
  throw new Error(`${url} cannot be read here: give the program its data with the option files of run`);
}

export const contentsOf = (url: string): string | Uint8Array => url;
