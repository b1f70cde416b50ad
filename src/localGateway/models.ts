/** What this gateway offers, as `GET /v1/models` lists it (contract 6, contract T). */
import type { TaskTypeWord } from "./tasks/taskPlan";

export interface LocalModel {
  readonly id: string;
  /** Our own addition to the list's shape: what the model can do, and what it really is. */
  readonly capabilities: {
    readonly family?: "chat-completions";
    readonly streaming?: boolean;
    readonly tools?: boolean;
    readonly thinking?: boolean;
    readonly images?: boolean;
    readonly task_types?: readonly TaskTypeWord[];
    readonly note: string;
  };
}

export const localModels: readonly LocalModel[] = [
  {
    id: "demo-chat",
    capabilities: {
      family: "chat-completions",
      streaming: true,
      tools: true,
      thinking: true,
      images: false,
      note: "Demonstrator: rules, not a language model. Its answers are made up, its tool calls are real.",
    },
  },
  {
    id: "demo-image",
    capabilities: {
      task_types: ["stylized_image", "async_image"],
      note: "Demonstrator: draws a picture from the words and the seed.",
    },
  },
  {
    id: "demo-video",
    capabilities: {
      task_types: ["video"],
      note: "Demonstrator: draws a short moving picture from the words and the seed.",
    },
  },
];

export function findModel(id: string): LocalModel | undefined {
  return localModels.find((model) => model.id === id);
}

/** `created`: seconds since 1970, the same for all. */
export function modelList(): unknown {
  const data = localModels.map(({ id, capabilities }) => ({
    id,
    object: "model",
    created: 1_767_225_600,
    owned_by: "local",
    capabilities,
  }));
  return { object: "list", data };
}
