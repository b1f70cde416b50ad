/** The gateway's own models and what they can do. */
import type { Family } from "../../domain/chat/chatEvent";
import { subjectNames } from "./drawing/subjects";
import { englishWords } from "./model/englishWords";
import type { TaskTypeWord } from "./taskKinds";

export interface LocalModel {
  readonly id: string;
  /** An addition to the service's shape: the abilities of the model, and a note for people. */
  readonly capabilities: {
    /** Set for a chat model, which has only the endpoint of this family. */
    readonly family?: Family;
    readonly streaming?: boolean;
    readonly tools?: boolean;
    readonly thinking?: boolean;
    readonly images?: boolean;
    readonly json?: boolean;
    /** Tokens; known only for models of other programs. */
    readonly context_size?: number;
    readonly task_types?: readonly TaskTypeWord[];
    /** Set if the model is rules, not a language model. */
    readonly demoModel?: true;
    readonly note: string;
  };
}

const apis: Readonly<Record<Family, string>> = {
  "chat-completions": "chat completions",
  messages: "the messages API",
  "generate-content": "generate content",
};

const drawn = englishWords.join(subjectNames.map((name) => englishWords.subjects[name]));

function demoModel(id: string, family: Family): LocalModel {
  return {
    id,
    capabilities: {
      family,
      streaming: true,
      tools: true,
      thinking: true,
      images: true,
      json: true,
      demoModel: true,
      note: `Demo model of ${apis[family]}: answers by rules, real tool calls.`,
    },
  };
}

export const localModels: readonly LocalModel[] = [
  demoModel("demo-chat", "chat-completions"),
  demoModel("demo-messages", "messages"),
  demoModel("demo-generate", "generate-content"),
  {
    id: "demo-image",
    capabilities: {
      task_types: ["stylized_image", "async_image"],
      note: `Demo model: draws ${drawn} by rules, PNG, JPEG or WebP up to 2048x2048.`,
    },
  },
  {
    id: "demo-video",
    capabilities: {
      task_types: ["video"],
      note: "Demo model: films such a drawing, up to 60 seconds.",
    },
  },
];

export function findModel(id: string): LocalModel | undefined {
  return localModels.find((model) => model.id === id);
}

export function hasFamily(id: string, family: Family): boolean {
  return findModel(id)?.capabilities.family === family;
}
