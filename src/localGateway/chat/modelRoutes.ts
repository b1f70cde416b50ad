/** `GET /v1/models` and `GET /v1/models/{model}`, in the shape of the client's family. */
import type { Family } from "../../domain/chat/chatEvent";
import { HttpError } from "../http/httpError";
import { type RequestContext, sendJson } from "../http/requestContext";
import { familyOf } from "../http/familyErrors";
import { type LocalModel, localModels } from "../demo/models";
import type { ChatServices } from "./chatServices";
import type { TaskTypeNames } from "../tasks/taskTypeNames";

/** Seconds since 1970. */
const created = 1_767_225_600;

/** Responds with the models, after a new probe of the relay. */
export async function listModels(context: RequestContext, { relay, typeNames, dialect }: ChatServices): Promise<void> {
  const family = familyOf(context);
  const relayed = (await relay?.probe()) ?? [];
  // The lists of the other families have no field for task models.
  const own = family === "chat-completions" ? localModels : localModels.filter((model) => isOf(model, family));
  const models = family === "chat-completions" ? [...own, ...relayed.map(({ model }) => model)] : own;
  const data = models.map((model) => ({
    ...describe(model, family, typeNames),
    ...dialect.model?.(model),
  }));
  if (family === "generate-content") sendJson(context, 200, { models: data });
  else if (family === "chat-completions") sendJson(context, 200, { object: "list", data });
  else {
    const ends = { first_id: models[0]?.id ?? null, last_id: models.at(-1)?.id ?? null };
    sendJson(context, 200, { data, has_more: false, ...ends });
  }
}

export function getModel(context: RequestContext, { relay, typeNames, dialect }: ChatServices): void {
  const family = familyOf(context);
  const id = context.params["model"] ?? "";
  const models = [...localModels, ...(relay?.models ?? []).map(({ model }) => model)];
  const model = models.find((one) => one.id === id && (family === "chat-completions" || isOf(one, family)));
  if (model === undefined) throw noSuchModel(id, family);
  sendJson(context, 200, { ...describe(model, family, typeNames), ...dialect.model?.(model) });
}

/** The error for an unknown model, with the message of the family's own service. */
export function noSuchModel(id: string, family: Family): HttpError {
  const messages: Readonly<Record<Family, string>> = {
    "chat-completions": `The model '${id}' does not exist on this gateway, or does not speak chat completions.`,
    messages: `model: ${id}`,
    "generate-content":
      `models/${id} is not found for this API version, or is not supported for generateContent. ` +
      "List the models to see what there is.",
  };
  return new HttpError(404, "model_not_found", messages[family], { param: "model" });
}

const isOf = ({ capabilities }: LocalModel, family: Family): boolean => capabilities.family === family;

function describe({ id, capabilities: own }: LocalModel, family: Family, names: TaskTypeNames): object {
  const { task_types: types } = own;
  const capabilities = types === undefined ? own : { ...own, task_types: types.map((type) => names.nameOf(type)) };
  switch (family) {
    case "chat-completions":
      return { id, object: "model", created, owned_by: "local", capabilities };
    case "messages":
      return { type: "model", id, display_name: id, created_at: new Date(created * 1000).toISOString(), capabilities };
    case "generate-content":
      return {
        name: `models/${id}`,
        version: "1",
        displayName: id,
        description: capabilities.note,
        inputTokenLimit: 1_000_000,
        outputTokenLimit: 65_536,
        supportedGenerationMethods: ["generateContent", "countTokens"],
        capabilities,
      };
  }
}
