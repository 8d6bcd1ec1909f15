// WebAssembly modules that Cargo builds and the page loads; see wasm.ts.
declare module 'virtual:hansu-wasm' {
  /** The address of the rules; empty if they could not be built. */
  const address: string;
  export default address;
}
declare module 'virtual:hansu-archive' {
  /** The address of the archive; empty if it could not be built. */
  const address: string;
  export default address;
}
declare module 'virtual:hansu-computer' {
  /** The address of the computer; empty if it could not be built. */
  const address: string;
  export default address;
  /** Its size in bytes, unpacked. */
  export const bytes: number;
}
