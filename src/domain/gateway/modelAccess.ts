/** The fields of an entry of `sluice.models` that state how its model is reached, in addition to its id and family. */
import * as z from "zod/mini";

export const modelAccessFields = {
  /** The place in a request where the gateway's key is sent. One that the model's family does not have is not used. */
  authentication: z.exactOptional(z.enum(["bearer", "x-api-key", "x-goog-api-key", "query"])),
  /** A date for the header `anthropic-version` of the messages family, or the prefix of the paths of the generate-content family. */
  version: z.exactOptional(z.string().check(z.regex(/^(?:\d{4}-\d{2}-\d{2}|v1|v1beta)$/))),
  /** The value of `task_type` that the gateway expects for stylized-image tasks. The first entry that has one counts for the gateway. */
  stylizedImageTaskType: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(100))),
};

const entrySchema = z.looseObject({ id: z.string(), ...modelAccessFields });
export type ModelAccess = Pick<z.infer<typeof entrySchema>, keyof typeof modelAccessFields>;

export const defaultStylizedImageWord = "stylized_image";

/** Entries that can't be read are left out: VS Code marks them in settings.json. `entries`: of any shape. */
function readEntries(entries: unknown): readonly z.infer<typeof entrySchema>[] {
  return (Array.isArray(entries) ? (entries as unknown[]) : []).flatMap((entry) => {
    const read = entrySchema.safeParse(entry);
    return read.success ? [read.data] : [];
  });
}

/** The last one of several entries of a model counts, as for its other fields. */
export function readModelAccess(entries: unknown, model: string): ModelAccess {
  return readEntries(entries).findLast(({ id }) => id === model) ?? {};
}

export function readStylizedImageWord(entries: unknown): string {
  const named = readEntries(entries).find(({ stylizedImageTaskType }) => stylizedImageTaskType !== undefined);
  return named?.stylizedImageTaskType ?? defaultStylizedImageWord;
}
