/** Takes an option of a prompt file to the request and back into the form. `taskOptions.test.ts` bundles it with a stub of the editor. */
import { emptyMediaFields } from "../../src/domain/task/mediaFields";
import { optionsText } from "../../src/domain/lock/lockFile";
import { writeTask } from "../../src/gateway/taskBodies";
import { mediaFieldsSchema } from "../../src/tasks/contract/mediaFormPageContract";
import { draftOfPrompts } from "../../src/tasks/host/submit/draftsOf";
import { draftOfFields, emptyDraft, fieldsOfDraft } from "../../src/tasks/host/submit/taskDraft";
import { ordersOf } from "../../src/tasks/host/submit/taskOrders";
import { listedKeys, promptKeys } from "../../src/tasks/prompts/directives";
import { offersAt } from "../../src/tasks/prompts/offers";
import { parsePrompts } from "../../src/tasks/prompts/parsePrompts";
import { readSentBody } from "../../src/tasks/submit/requestBody";
import { describeProblem, describeSettings } from "../../src/tasks/view/promptWords";
import { optionsBeside, readOptions } from "../../src/tools/tasks/taskModels";

export { listedKeys, optionsText as lockedText, promptKeys };

type Values = Readonly<Record<string, unknown>>;

/** One task that the prompt file makes. */
export interface Route {
  /** What the request holds: its model, and the object `metadata_json`. */
  readonly sent: Values;
  /** The fields of the form that is opened from this request, as the page sends them back. */
  readonly fields: Values;
  /** What the form would send. */
  readonly again: Values;
  /** The text whose hash is in the lock. */
  readonly locked: string;
  /** The words of the lens. */
  readonly lens: string;
}

/** The tasks of a prompt with these settings. */
export async function routesOf(settings: string): Promise<readonly Route[]> {
  const text = `# A\n\n<!-- sluice: type=video ${settings} -->\n\na pier\n`;
  const document = { uri: { toString: () => "file:///a.prompts.md" }, lineAt: () => ({ text: "# A" }) };
  const { prompts } = parsePrompts(text);
  const draft = await draftOfPrompts(document as never, prompts, 0);
  const memory = { get: () => undefined, update: () => Promise.resolve() };
  const asked = { ...draft, model: draft.model ?? "any", places: [] };
  const orders = (await ordersOf({ memory, board: {} } as never, asked, { origin: "" })) ?? [];
  const variants = prompts.flatMap((prompt) => prompt.variants);
  return orders.map((order, at): Route => {
    const body = JSON.parse(writeTask(order, "key", "stylized_image")) as Values;
    const { metadata } = readSentBody(JSON.stringify(body));
    const model = String(body["public_model"]);
    const { fields } = fieldsOfDraft({ ...emptyDraft, type: "video", model, prompts: ["a pier"], metadata }, undefined);
    const read = mediaFieldsSchema.parse(JSON.parse(JSON.stringify(fields)));
    const form = draftOfFields(read, [], undefined);
    return {
      sent: { ...metadata, model },
      fields: { ...read },
      again: { ...form.metadata, model: form.model },
      locked: optionsText(variants[at]?.settings ?? {}),
      lens: describeSettings(variants[at]?.settings ?? {}),
    };
  });
}

/** The field of a form that was kept before there was the option. */
export function keptWithout(key: string): unknown {
  const kept = Object.entries(emptyMediaFields("video")).filter(([name]) => name !== key);
  return new Map<string, unknown>(Object.entries(mediaFieldsSchema.parse(Object.fromEntries(kept)))).get(key);
}

/** The keys that are completed in a directive, then those in the front matter. */
export function offeredKeys(): readonly (readonly string[])[] {
  return ["# A\n<!-- sluice: ", "---\n"].map((text) =>
    (offersAt(text, text.length, () => [])?.offers ?? []).map(({ name }) => name),
  );
}

/** What is said of a value that can't be read. */
export function problemOf(key: string, value: string): string {
  const [problem] = parsePrompts(`# A\n\n<!-- sluice: ${key}=${value} -->\n\na pier\n`).problems;
  return problem === undefined ? "" : describeProblem(problem);
}

/** The options of a tool call that gives the value next to `options`. */
export function toolOptions(key: string, value: string): Values {
  const draft = new Map<string, unknown>([[key, value]]);
  optionsBeside({
    get: (name: string) => draft.get(name),
    set: (name: string, given: unknown) => draft.set(name, given),
    find: (name: string) => (draft.has(name) ? name : undefined),
    remove: (name: string) => draft.delete(name),
    notes: [],
  } as never);
  return readOptions(draft.get("options") as Values | undefined).options;
}
