/** esbuild's `base64` loader puts an MP4 file into the bundle as text. */
declare module "*.mp4" {
  const base64: string;
  export default base64;
}
