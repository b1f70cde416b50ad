/** Random values of a zod schema, so that a property test meets every field and variant that the schema has. */
import fc from "fast-check";
import * as core from "zod/v4/core";
import { anyCharacter } from "./anyCharacter";

/** The kinds of schemas that the product's records are made of. */
type Known =
  | core.$ZodString
  | core.$ZodNumber
  | core.$ZodBoolean
  | core.$ZodUnknown
  | core.$ZodCustom
  | core.$ZodLiteral
  | core.$ZodEnum
  | core.$ZodArray
  | core.$ZodUnion
  | core.$ZodObject
  | core.$ZodPipe
  | core.$ZodDefault
  | core.$ZodOptional;
type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Texts that a writer or reader may damage: halves of surrogate pairs, line separators, names with a meaning. */
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: anyCharacter }),
  fc.constantFrom("\ud800 \u2028 \0", "__proto__"),
);
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constant(JSON.parse('{"__proto__":{"a":1},"10":0,"2":[],"":""}') as unknown),
);

/** `fields` replaces the values of the fields of that name, for example by ids of which there are few. */
export function arbitraryOf<T>(schema: core.$ZodType<T>, fields: Fields = {}): fc.Arbitrary<T> {
  return build(schema, fields) as fc.Arbitrary<T>;
}

function isDefault(field: core.$ZodType): boolean {
  return (field as Known)._zod.def.type === "default";
}

function build(schema: core.$ZodType, fields: Fields): fc.Arbitrary<unknown> {
  const { def } = (schema as Known)._zod;
  switch (def.type) {
    case "string":
      return text;
    case "number":
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case "boolean":
      return fc.boolean();
    case "unknown":
      return json;
    // The one custom shape: the arguments of a call.
    case "custom":
      return fc.dictionary(text, json, { maxKeys: 3 });
    case "literal":
      return fc.constantFrom(...def.values);
    case "enum":
      return fc.constantFrom(...Object.values(def.entries));
    case "array":
      return fc.array(build(def.element, fields), { maxLength: 3 });
    case "union":
      return fc.oneof(...def.options.map((option) => build(option, fields)));
    case "object": {
      const entries = Object.entries(def.shape);
      const requiredKeys = entries
        .filter(([, field]) => field._zod.optin === undefined || isDefault(field))
        .map(([name]) => name);
      const model = Object.fromEntries(entries.map(([name, field]) => [name, fields[name] ?? build(field, fields)]));
      return fc.record(model, { requiredKeys });
    }
    // The value is what a reader makes of the input.
    case "pipe":
      return build(def.in, fields).map((value) => core.parse(schema, value));
    // A reader fills in the default, so that a value that was read has one.
    case "default":
    case "optional":
      return build(def.innerType, fields);
  }
}
