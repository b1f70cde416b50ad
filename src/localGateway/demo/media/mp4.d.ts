/** esbuild's `base64` loader puts an MP4 file into the bundle as text. */
declare module "*.mp4" {
  const base64: string;
  // eslint-disable-next-line no-restricted-syntax -- what the loader exports
  export default base64;
}
