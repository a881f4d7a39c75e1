/** WebAssembly that the build has made (`build/bytes-plugin.ts`), as base64. */
declare module '*?bytes' {
  const base64: string;
  export default base64;
}
