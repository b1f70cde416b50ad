/** Reads the titles of commands from package.json. */
import { readFileSync } from "node:fs";
import * as z from "zod/mini";

const manifest = z.object({
  contributes: z.object({ commands: z.array(z.object({ command: z.string(), title: z.string() })) }),
});
const texts = z.record(z.string(), z.string());

/** The title of a command in English, as menus have it. */
export function titleOf(command: string): string {
  const { commands } = manifest.parse(JSON.parse(readFileSync("package.json", "utf8"))).contributes;
  const title = commands.find((one) => one.command === command)?.title ?? "";
  const text = texts.parse(JSON.parse(readFileSync("package.nls.json", "utf8")))[title.slice(1, -1)];
  if (text === undefined) throw new Error(`package.json has no command ${command}.`);
  return text;
}
