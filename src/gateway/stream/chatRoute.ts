/** The path, headers and body of a chat request: the family's own, with the user's `extraBody` merged in. */
import type { ChatRequest } from "../../domain/chat/message";
import { type ChatSettings, familyDefinitions } from "../families/familyDefinitions";
import type { FamilyRequest } from "../families/shared/familyDefinition";
import type { RequestVariant } from "../families/shared/requestVariant";
import { isRecord, type JsonRecord } from "../../base/jsonValue";

export interface ChatRoute extends Omit<FamilyRequest, "body"> {
  /** JSON. */
  readonly body: string;
}

export function writeRoute(request: ChatRequest, variant: RequestVariant, settings: ChatSettings): ChatRoute {
  const { family, options } = request;
  const { body, ...route } = familyDefinitions[family].writeRequest(request, variant, settings[family]);
  return { ...route, body: JSON.stringify(mergeBody(body, options?.extraBody ?? {})) };
}

/** Fields of `extra` replace or extend those of `body`; objects are merged, lists are replaced. */
function mergeBody(body: JsonRecord, extra: JsonRecord): JsonRecord {
  const merged = Object.entries(extra).map(([name, value]): [string, unknown] => {
    const before = Object.hasOwn(body, name) ? body[name] : undefined;
    return [name, isRecord(before) && isRecord(value) ? mergeBody(before, value) : value];
  });
  return { ...body, ...Object.fromEntries(merged) };
}
