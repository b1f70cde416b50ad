/** The variants of a request: what a family changes when a service refuses the form of a request, not its content (S6). */
import type { AppError } from "../../../domain/errors/appError";
import type { LeftOut } from "../../../domain/chat/chat";
import type { ChatRequest } from "../../../domain/chat/message";
import type { ApiVersion } from "../../http/addresses";

/** Every family extends this by its own choices. */
export interface RequestVariant {
  /** The prefix of the path, for families that are served under two. */
  readonly version: ApiVersion;
  /** Parts with these signatures are omitted. */
  readonly refusedSignatures: ReadonlySet<string>;
  /** False once the model has refused images at all. */
  readonly images: boolean;
  /** The data of images that the service could not use. */
  readonly refusedImages: ReadonlySet<string>;
  /** Options and tools that the model's service refused. */
  readonly leftOut: readonly LeftOut[];
}

export const baseVariant: RequestVariant = {
  version: "v1",
  refusedSignatures: new Set(),
  images: true,
  refusedImages: new Set(),
  leftOut: [],
};

/** Methods, not function fields: lists may hold the rules of several families, and each gets back only its own variants. */
export interface VariantRule<Variant extends RequestVariant = RequestVariant> {
  /** Whether the service refused what this rule changes. */
  matches(error: AppError): boolean;
  /** The variant to try next; `undefined` where the request does not contain what was refused. */
  change(variant: Variant, request: ChatRequest, error: AppError): Variant | undefined;
}

/** Whether a 400 or 422 names this in its message. */
export function isRefusalOf(error: AppError, pattern: RegExp): boolean {
  return (error.status === 400 || error.status === 422) && pattern.test(error.message);
}

/**
 * Omits the signatures of turns before the last prompt: those of the turn in progress are required. The refused
 * signatures are remembered, not a switch, so the history is written identically each time, and neither later thinking
 * nor other chats lose theirs.
 */
export function refuseOlderSignatures<Variant extends RequestVariant>(
  variant: Variant,
  { family, model, messages }: ChatRequest,
  readSignature: (data: unknown) => string | undefined,
): Variant | undefined {
  const prompt = messages.findLastIndex(({ role }) => role === "user");
  const older = messages.slice(0, Math.max(prompt, 0)).flatMap((message) => {
    if (message.role !== "assistant" || message.family !== family || message.model !== model) return [];
    return message.parts.flatMap((part) => (part.type === "opaque" ? (readSignature(part.data) ?? []) : []));
  });
  const refusedSignatures = new Set([...variant.refusedSignatures, ...older]);
  return refusedSignatures.size > variant.refusedSignatures.size ? { ...variant, refusedSignatures } : undefined;
}
