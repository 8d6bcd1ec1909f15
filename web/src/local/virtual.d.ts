// What Cargo makes and the page loads; see wasm.ts.
declare module 'virtual:hansu-wasm' {
  /** The address of the rules as WebAssembly; empty where they could not be built. */
  const address: string;
  export default address;
}
declare module 'virtual:hansu-archive' {
  /** The address of what reads, names and counts games; empty where it could not be built. */
  const address: string;
  export default address;
}
declare module 'virtual:hansu-computer' {
  /** The address of the computer as WebAssembly; empty where it could not be built. */
  const address: string;
  export default address;
  /** How many bytes it has, unpacked. */
  export const bytes: number;
}
