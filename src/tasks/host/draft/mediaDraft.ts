/** From the fields of the form for media to the draft that is submitted. Pure, so that it can be tested without an editor. */
import { definedFields } from "../../../base/definedFields";
import { type MediaFields, optionsOf } from "../../../domain/task/mediaFields";
import { withCommon } from "../../submit/metadata";
import type { Reference } from "../../submit/references";
import { type DraftDestination, emptyDraft, type TaskDraft } from "./taskDraft";

/** Of fields without a problem. Several tasks have seeds that follow each other, and the same place: each gets a free name there. */
export function draftOfFields(
  fields: MediaFields,
  references: readonly Reference[],
  destination: DraftDestination | undefined,
): TaskDraft {
  const { type, count } = fields;
  const { seed, ...common } = optionsOf(fields);
  const draft: TaskDraft = {
    ...emptyDraft,
    type,
    references,
    model: fields.model.trim(),
    prompts: Array.from({ length: count }, () => fields.prompt.trim()),
    metadata: withCommon({}, common),
  };
  if (count === 1)
    return { ...draft, metadata: withCommon(draft.metadata, { seed }), ...definedFields({ destination }) };
  const each = draft.prompts.map((_, at) => {
    const own = seed === undefined ? undefined : seed + at;
    const metadata = withCommon({}, { seed: own });
    return { words: own === undefined ? "" : `seed: ${own}`, metadata, ...definedFields({ destination }) };
  });
  return { ...draft, each };
}
