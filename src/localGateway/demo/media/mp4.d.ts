/** esbuild's `binary` loader puts the bytes of an MP4 file into the bundle. */
declare module "*.mp4" {
  const bytes: Uint8Array;
  export default bytes;
}
