/** States of the form for media, with the words that its host has for them. */
import { emptyMediaFields } from "../../../src/domain/task/mediaFields";
import { type TaskType, taskTypes } from "../../../src/domain/task/taskTypes";
import { describePrice } from "../../../src/domain/words/describePrice";
import { originWords } from "../../../src/domain/words/gatewayWords";
import { describeTaskType, taskTypeName } from "../../../src/domain/words/taskTypeWords";
import type { MediaFormSnapshot } from "../../../src/tasks/contract/mediaFormPageContract";
import { describeImageReference, describeReferenceProblem } from "../../../src/tasks/view/requestWords";
import { describeError } from "../../../src/domain/words/describeError";
import type { TabPage } from "../support/tabPage";

const models: MediaFormSnapshot["models"] = [
  { id: "vendor/image-fast", types: ["async-image", "stylized-image"], sizes: ["512x512", "768x768"], promptLimit: 80 },
  { id: "vendor/image-large", types: ["async-image"] },
  { id: "vendor/video-large", types: ["video"] },
];

export function mediaFormScene(
  type: TaskType = "async-image",
  change: Partial<MediaFormSnapshot> = {},
): MediaFormSnapshot {
  return {
    version: 1,
    fields: emptyMediaFields(type),
    references: [],
    refusals: [],
    referenceLimit: 10_000_000,
    gateway: { target: "https://gateway.example a", name: originWords("https://gateway.example"), isStarting: false },
    types: taskTypes.map((one) => ({ type: one, name: taskTypeName(one), about: describeTaskType(one) })),
    models,
    folder: "assets",
    attempt: 0,
    isSubmitting: false,
    canRestore: false,
    ...change,
  };
}

const reference = (index: number, url?: string): MediaFormSnapshot["references"][number] => ({
  id: `id-${index}`,
  words: describeImageReference({ name: `vendor/a-${index}`, url: "", bytes: 34_000 + index, mimeType: "image/png" }),
  ...(url === undefined ? {} : { url }),
});

const filledFields = (): Partial<MediaFormSnapshot> => ({
  fields: {
    ...emptyMediaFields("async-image", "vendor/image-fast"),
    prompt: "Poster of a lighthouse at dusk, waves breaking on dark rocks",
    count: 4,
    size: "512x512",
    seed: "7",
    isPlaced: true,
  },
  references: [reference(1, "/results/made-1.png"), reference(2, "/results/made-2.png"), reference(3)],
  price: describePrice({ amount: 0.16, currency: "USD", source: "your-list" }, "en-US"),
  sameAt: "2:05 PM",
  origin: { name: "old.png", prompt: "a lighthouse, <b>\u202edusk", seed: 77 },
  carried: "guidance 4.5 · style in\u202ek",
});

/** For icons that a manifest names and that are not there. */
const exactFields = (): Partial<MediaFormSnapshot> => ({
  fields: {
    ...emptyMediaFields("async-image", "vendor/image-fast"),
    prompt: "App icon for Tide Clock: one simple, bold shape, centred",
    size: "512x512",
    isPlaced: true,
    destination: "icons/512.png",
    isTransparent: true,
    exact: {
      root: "file:///w",
      files: [512, 192, 96, 48, 32, 24, 16].map((side) => ({ file: `icons/${side}.png`, width: side, height: side })),
    },
  },
  hasEarlier: true,
});

/** Made when they are asked for: the host's words in them are those of the language then. */
export function mediaFormScenes(): Readonly<Record<string, MediaFormSnapshot>> {
  const filled = filledFields();
  const refused = describeError({ kind: "insufficient-balance", status: 402, message: "low" }, "submit");
  return {
    empty: mediaFormScene("video"),
    filled: mediaFormScene("async-image", filled),
    exact: mediaFormScene("async-image", exactFields()),
    submitting: mediaFormScene("async-image", { ...filled, isSubmitting: true }),
    rehearsing: mediaFormScene("async-image", { ...filled, isSubmitting: true, sends: "rehearsal" }),
    submitted: mediaFormScene("async-image", {
      ...filled,
      submitted: { count: 4, isBatch: true, isSending: false, at: "2:05 PM" },
    }),
    refused: mediaFormScene("async-image", {
      ...filled,
      refusals: [describeReferenceProblem("vendor/notes", "no-image", 0)],
      problem: { text: `${refused.title} ${refused.meaning}`, actions: [refused.action.label] },
    }),
  };
}

/** Every field that can be wrong, as after an attempt to submit. */
export async function fillInWrong({ page }: TabPage): Promise<void> {
  await page.locator("#model").selectOption({ index: 2 });
  await page.locator("#prompt").fill("");
  await page.locator("#size").selectOption({ index: 4 });
  await page.locator("#size-typed").fill("512");
  await page.locator("#seed").fill("1.5");
  await page.locator("#destination").fill("../window/512");
  await page.locator("#destination").press("Control+Enter");
  await page.locator("#destination-note.field-problem").waitFor();
}
