/** The text of the worker that runs programs in pages: the build puts it here (`build/host-plugin.ts`). */
export const text: string = '';
