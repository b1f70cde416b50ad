/** The schemas of the settings, as package.json has them: what VS Code's editor of settings underlines is not used either. */
import * as z from "zod/mini";

const settingSchema = z.object({
  type: z.optional(z.string()),
  enum: z.optional(z.array(z.unknown())),
  pattern: z.optional(z.string()),
  minLength: z.optional(z.number()),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
});
export type SettingSchema = z.infer<typeof settingSchema>;

const manifestSchema = z.object({
  contributes: z.object({ configuration: z.array(z.object({ properties: z.record(z.string(), settingSchema) })) }),
});

/** By id, without `sluice.`. */
export function settingSchemas(manifest: unknown): ReadonlyMap<string, SettingSchema> {
  const groups = manifestSchema.parse(manifest).contributes.configuration;
  const entries = groups.flatMap(({ properties }) => Object.entries(properties));
  return new Map(entries.map(([id, schema]) => [id.replace(/^sluice\./, ""), schema]));
}

/** Whether a setting can be used as it is. A list is read entry by entry elsewhere. */
export function fitsSchema(schema: SettingSchema, value: unknown): boolean {
  const { type, enum: words, pattern = "", minLength = 0, minimum = -Infinity, maximum = Infinity } = schema;
  if (words) return words.includes(value);
  if (type === "boolean") return typeof value === "boolean";
  if (type === "array") return Array.isArray(value);
  if (type === "string")
    return typeof value === "string" && value.trim().length >= minLength && new RegExp(pattern).test(value.trim());
  // A part of an integer is rounded up where it is read, so that a cap of half a task is not taken for none.
  return typeof value === "number" && value >= minimum && value <= maximum;
}
