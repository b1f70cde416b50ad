/** Tools of Anthropic's own, which have a type and no schema: those that run at the client get theirs, those that the service would run are left out. */
import { asArray, asRecord, asText, type JsonRecord } from "../../../base/jsonValue";

const text = { type: "string" };
const fileCommands = { type: "string", enum: ["view", "create", "str_replace", "insert"] };
const files = {
  description: "Views and edits files.",
  input_schema: {
    type: "object",
    properties: { command: fileCommands, path: text, file_text: text, old_str: text, new_str: text, insert_text: text },
    required: ["command", "path"],
  },
};
const shell = {
  description: "Runs a command.",
  input_schema: { type: "object", properties: { command: text, restart: { type: "boolean" } } },
};

/** By the type without its date. */
const ofTheClient: Readonly<Record<string, JsonRecord>> = { bash: shell, text_editor: files, memory: files };
const ofTheService = /^(?:web_search|web_fetch|code_execution|tool_search_tool_(?:regex|bm25))$/;

/** The body with these tools as custom ones. Any other type stays for the schema to refuse. */
export function withOwnTools(body: unknown): unknown {
  const fields = asRecord(body);
  if (!Array.isArray(fields?.["tools"])) return body;
  const tools = asArray(fields["tools"]).flatMap((one) => {
    const tool = asRecord(one);
    const type = asText(tool?.["type"])?.replace(/_\d{8}$/, "") ?? "";
    if (ofTheService.test(type)) return [];
    return Object.hasOwn(ofTheClient, type) ? [{ ...tool, ...ofTheClient[type], type: "custom" }] : [one];
  });
  return { ...fields, tools };
}
