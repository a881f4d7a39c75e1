const CALM = { UCX_MEM_EVENTS: 'n', UCX_HANDLE_ERRORS: 'none', UCX_ERROR_SIGNALS: '', UCX_VFS_ENABLE: 'n' };

/**
 * UCX, a library below some MPIs, puts code of its own into the system's memory functions when it is loaded, and catches signals
 * that are V8's, unless it is told not to.
 */
export function calmUcx(): void {
  for (const [name, value] of Object.entries(CALM)) process.env[name] ??= value;
}
