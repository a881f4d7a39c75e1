/** How packages in the form of CommonJS are loaded, where not by Node's `require`: the command keeps compiled code of them (`cli/v8/kept-packages.ts`). */
export const packages: { load?: (name: string) => unknown } = {};
