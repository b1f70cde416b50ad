/** The extension host's part of the build's record (`dist/meta.json`): which files a part loads, and what is in them. */
import { readFileSync } from "node:fs";
import * as z from "zod/mini";

const output = z.object({
  bytes: z.number(),
  entryPoint: z.optional(z.string()),
  inputs: z.record(z.string(), z.object({ bytesInOutput: z.number() })),
  imports: z.array(z.object({ path: z.string(), kind: z.string(), external: z.optional(z.boolean()) })),
});
const record = z.array(z.object({ outputs: z.record(z.string(), output) }));

export interface LoadedFiles {
  readonly bytes: number;
  /** Source files of which more than an empty module's frame is left after bundling. */
  readonly inputs: readonly string[];
}

/** Returns what is evaluated when a part loads: `extension`, or the name of a module that is imported by need. `metafile` may be another build's. */
export function filesOf(part: string, metafile = "dist/meta.json"): LoadedFiles {
  const [host] = record.parse(JSON.parse(readFileSync(metafile, "utf8")));
  const outputs = host?.outputs ?? {};
  // The name of a file is its hash.
  const first = Object.keys(outputs).find((file) => outputs[file]?.entryPoint?.endsWith(`/${part}.ts`) === true);
  if (first === undefined) throw new Error(`The build has no ${part}.`);
  const files = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === "import-statement" && path in outputs) visit(path);
  };
  visit(first);
  const found = [...files].flatMap((file) => outputs[file] ?? []);
  return {
    bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
    inputs: found.flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 200 ? [input] : [])),
    ),
  };
}
