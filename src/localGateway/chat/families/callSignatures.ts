/** Signatures of function calls: on the first call of each step; the client must send it back on the same part. */
import { invalidRequest } from "../../http/httpError";
import type { AnswerSignatures } from "../answerSignatures";
import type { Content, Part } from "./contentParts";

const kind = "call";
/** The value for a call that another model made. */
const skip = "skip_thought_signature_validator";

/** `args`: JSON text. */
export function signCall(signatures: AnswerSignatures, name: string, args: string): string {
  return signatures.sign(kind, `${name} ${args}`);
}

/** Checks the steps after the last prompt; earlier ones are complete. */
export function checkSignatures(contents: readonly Content[], signatures: AnswerSignatures): void {
  const prompt = contents.findLastIndex(({ role, parts }) => role !== "model" && !parts.some(isResponse));
  for (const [index, { role, parts }] of contents.entries()) {
    if (role !== "model" || index < prompt) continue;
    const first = parts.find(({ functionCall }) => functionCall !== undefined);
    if (first?.functionCall === undefined) continue;
    const { name, args } = first.functionCall;
    const { thoughtSignature: signature } = first;
    if (signature === undefined) {
      throw invalidRequest(
        `Function call is missing a thought_signature in functionCall parts: \`${name}\` in contents.${index}. ` +
          "It must come back on the part on which it came.",
      );
    }
    if (signature === skip) continue;
    if (signatures.verify(kind, `${name} ${JSON.stringify(args ?? {})}`, signature) !== "genuine") {
      throw invalidRequest(`Invalid or corrupted thought signature: \`${name}\` in contents.${index}.`);
    }
  }
}

const isResponse = ({ functionResponse }: Part): boolean => functionResponse !== undefined;
