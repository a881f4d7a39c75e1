/** WebAssembly that the build has made: see `build/bytes-plugin.ts`. */
declare module '*?bytes' {
  const built: import('./host.ts').BuiltModule;
  export default built;
}
