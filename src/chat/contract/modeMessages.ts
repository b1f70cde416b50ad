/** The messages about how a chat works: its mode. */
import * as z from "zod/mini";
import { chatModes } from "../../domain/chat/chatMode";
import { stepLengthCap, stepStates } from "../../domain/chat/plan";

const step = z.string().check(z.minLength(1), z.maxLength(100));
const stepText = z.string().check(z.minLength(1), z.maxLength(stepLengthCap));

const planPlace = {
  answer: z.string().check(z.maxLength(64)),
  call: z.string().check(z.maxLength(1000)),
};

export const modeIntents = {
  /** `chat`: the one that the page showed. */
  "mode-set": { chat: z.string().check(z.maxLength(64)), mode: z.enum(chatModes) },
  /** What the person says to a question of the model: a choice by its place, words, or neither, which leaves it to the model. `question` is the id that the host issued. */
  "question-answer": {
    question: z.string().check(z.maxLength(64)),
    choice: z.exactOptional(z.int().check(z.gte(0), z.lte(5))),
    text: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(10_000))),
  },
  /** What the person does to the plan. A new step has an id that the page makes. */
  "plan-edit": {
    chat: z.string().check(z.maxLength(64)),
    edit: z.discriminatedUnion("do", [
      z.object({ do: z.literal("mark"), step, state: z.enum(stepStates) }),
      z.object({ do: z.literal("reword"), step, text: stepText }),
      z.object({ do: z.literal("remove"), step }),
      z.object({ do: z.literal("add"), step, text: stepText }),
      z.object({ do: z.literal("clear") }),
    ]),
  },
  /** Opens the plan that the call has presented, in an editor. */
  "plan-open": planPlace,
  /** Has the model carry it out. */
  "plan-start": planPlace,
  /** Lists the modes. */
  "mode-choose": {},
};
