/** What to say where something needs compiled text and there is none. */
export const HOW_TO_COMPILE =
  'Run the program with `waymark run`, or have the modules of an app that import from waymark compiled: by ' +
  'node --import waymark/register, or by the plugin waymark/vite, waymark/esbuild, … of your bundler (docs/in-your-app.md).';
