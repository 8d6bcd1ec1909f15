// What Cargo makes and the page loads; see wasm.ts.
declare module 'virtual:hansu-wasm' {
  /** The address of the rules as WebAssembly; empty where they could not be built. */
  const address: string;
  export default address;
}
