/** Tool: one question to the person, with choices. What they answer is text for the model and allows nothing. */
import * as z from "zod/mini";
import type { PersonQuestion } from "../domain/chat/chat";
import { type CallEffects, type PersonAnswer, type Tool, ToolRefusal } from "../domain/tools/tool";
import { defineTool } from "./base/defineTool";

const line = (most: number, what: string): z.ZodMiniString =>
  z.string().check(z.minLength(1), z.maxLength(most), z.describe(what));

export function askPerson(): Tool {
  return defineTool({
    name: "ask_person",
    effect: "asks",
    description:
      "Asks the person one question and waits for the answer. Call it when the request can be read in ways that lead to different work and neither the workspace nor the conversation settles it. Give 2 to 6 choices, the one that you would take first. The answer is what they want, not an approval.",
    parameters: z.strictObject({
      question: line(1000, "The question, in one or two plain sentences, in the person's language."),
      choices: z
        .array(
          z.strictObject({
            label: line(120, "The choice in a few words."),
            description: z.optional(line(400, "What follows from it, in one sentence. Default: none.")),
          }),
        )
        .check(z.minLength(2), z.maxLength(6), z.describe("2 to 6 choices that exclude each other.")),
    }),
    prepare: ({ question, choices }) => {
      const asked: PersonQuestion = {
        text: question,
        choices: choices.map(({ label, description }) =>
          description === undefined ? { label } : { label, description },
        ),
      };
      return Promise.resolve({
        action: { type: "ask-person" as const, question },
        async run(signal: AbortSignal, effects?: CallEffects) {
          if (effects?.ask === undefined)
            throw new ToolRefusal("The person cannot be asked here. Decide yourself, and say what you assumed.");
          const answer = await effects.ask(asked, signal);
          const words = wordsOf(answer, asked);
          effects.did?.({ type: "ask-person", question, ...(words === undefined ? {} : { answer: words }) });
          return resultOf(answer, words);
        },
      });
    },
  });
}

/** The person's words; `undefined` where they left it to the model. */
function wordsOf(answer: PersonAnswer, { choices }: PersonQuestion): string | undefined {
  if (answer.type === "text") return answer.text;
  return answer.type === "choice" ? choices[answer.at]?.label : undefined;
}

function resultOf({ type }: PersonAnswer, words: string | undefined): string {
  if (type === "message") return "The person has not answered: they have sent the message that follows. Read it first.";
  if (words === undefined)
    return "The person leaves it to you. Decide yourself, go on, and say at the end what you chose.";
  return type === "choice" ? `The person chose: ${words}` : `The person answered: ${words}`;
}
