/** The model that the form sends, and what the gateway lists for it. */
import type { MediaFields } from "../../../domain/task/mediaFields";
import type { MediaFormSnapshot, ModelChoice } from "../../contract/mediaFormPageContract";

export function modelOf({ models }: MediaFormSnapshot, fields: MediaFields | undefined): ModelChoice | undefined {
  return models.find(({ id }) => id === fields?.model.trim());
}

/** The one that was used last for the type, else the first that is listed for it; empty where there is none. */
export function firstModel({ types, models }: MediaFormSnapshot, { type }: MediaFields): string {
  const last = types.find((one) => one.type === type)?.lastModel;
  return last ?? models.find((model) => model.types.includes(type))?.id ?? "";
}
