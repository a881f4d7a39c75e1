/** Put in by the build, from package.json. */
declare const WAYMARK_VERSION: string | undefined;

/** Of Waymark. */
export const version: string = typeof WAYMARK_VERSION === 'string' ? WAYMARK_VERSION : 'not built';
