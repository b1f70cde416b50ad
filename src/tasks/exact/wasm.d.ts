/** The build puts the bytes of a WebAssembly file into the bundle. */
declare module "*.wasm" {
  const bytes: Uint8Array;
  export default bytes;
}
