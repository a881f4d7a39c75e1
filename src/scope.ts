/** What `.wppl` programs have in scope: all of `waymark`, and of `waymark/webppl`. */
export * from './index.ts';
export * from './webppl.ts';
