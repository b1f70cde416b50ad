/** Errors of an answer that holds nothing: the model may well give another one when it is asked again. */
import type { AppError } from "./appError";

/** The answer came to its end without a word, a call or a picture. */
export const emptyAnswer = { kind: "malformed", message: "The answer is empty.", code: "empty_answer" } as const;

/** Gemini's reason for the end of an answer whose call it could not write in a form that can be read. */
const unreadableCall = "MALFORMED_FUNCTION_CALL";

export function isEmptyAnswer({ code }: AppError): boolean {
  return code === emptyAnswer.code || isUnreadableCall({ code });
}

export function isUnreadableCall({ code }: { readonly code?: string | undefined }): boolean {
  return code?.toUpperCase() === unreadableCall;
}
