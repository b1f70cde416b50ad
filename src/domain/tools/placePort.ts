/** What the editor and the person's settings give of the place where a chat works. */
import type { PromptContext } from "../chat/environmentSchema";

export interface PlacePort {
  /** The operating system and what runs a command line that is more than plain words. */
  readonly host: { readonly system: string; readonly shell: string };
  /** A file of the workspace with the lines that are selected. */
  activeEditor(): PromptContext["editor"];
  /** The setting `sluice.instructions`. */
  instructions(): string;
  /** Files that the person has allowed to be instructions, by their real paths; kept with the workspace. */
  readonly allowed: { has(path: string): boolean; add(path: string): void };
}
