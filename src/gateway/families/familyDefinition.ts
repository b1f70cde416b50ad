/** What the registry holds of a family of chat interfaces: its decoder, its requests with their routes, and the variants of a request. */
import type { Family } from "../../domain/chat/chatEvent";
import type { ChatRequest } from "../../domain/chat/message";
import type { ApiVersion } from "../http/httpRequest";
import type { KeyPlace } from "../../domain/gateway/account";
import type { JsonRecord } from "../../base/jsonValue";
import type { Answer } from "./answer";
import type { AppError } from "../../domain/errors/appError";
import type { LeftOut } from "../../domain/chat/chat";

/**
 * It has methods and no fields with functions, because TypeScript checks parameters of methods less strictly: so one registry can hold families of
 * different variants and settings. Each family gets only its own.
 */
export interface FamilyDefinition<Variant extends RequestVariant = RequestVariant, Settings = unknown> {
  readonly family: Family;
  readonly firstVariant: Variant;
  /** The rules are tried in this order. */
  readonly variantRules: readonly VariantRule<Variant>[];
  createDecoder(answer: Answer): FamilyDecoder;
  writeRequest(request: ChatRequest, variant: Variant): FamilyRequest;
  /** The fields of access that the person's settings for this family prescribe. A refusal does not change these. */
  accessOf?(settings: Settings): FamilyAccess;
}

export interface FamilyRequest {
  /** The path after the prefix of the version. */
  readonly path: string;
  /** Replaces the version at the end of the gateway's address. */
  readonly version?: ApiVersion;
  readonly headers: Readonly<Record<string, string>>;
  readonly keyPlace: KeyPlace;
  readonly body: JsonRecord;
}

// `decodeStream` feeds a decoder JSON values one by one; the decoder emits the end of the answer.

export interface FamilyDecoder {
  /** Whether the family's own last event was read: the rest is ignored, even if the connection stays open (Q-F17). */
  readonly done: boolean;
  /** Whether the service gave a finish reason. */
  readonly hasReason: boolean;
  /** Whether a call was begun whose arguments are not complete, and that may run or fail at the end of the answer. */
  readonly hasOpenCall: boolean;
  /** Decodes one JSON value of the stream; `event` is the name of its server-sent event, if it had one. */
  chunk(value: unknown, event?: string): void;
  /** Ends the answer with `message-end`, because everything was read or no more will come. */
  end(ending: StreamEnding): void;
}

export interface StreamEnding {
  /** Whether the stream was completed: by `[DONE]`, or as a whole document. */
  readonly done: boolean;
  /** Whether the body was a JSON array, which servers write element by element. */
  readonly array: boolean;
}

// A service may refuse the form of a request and not its content. The family then sends it in another form, which is a variant (S6).

/** The choices that all families have. Each family extends them by its own. */
export interface RequestVariant {
  /** The prefix of the path, for families that are served under two prefixes. */
  readonly version: ApiVersion;
  readonly keyPlace: KeyPlace;
  /** The value of the header `anthropic-version`, for the family that has it. Missing: the default of the family. */
  readonly headerVersion?: string;
  /** Parts with these signatures are omitted. */
  readonly refusedSignatures: ReadonlySet<string>;
  /** False once the model has refused all images. */
  readonly images: boolean;
  /** The data of images that the service could not use. */
  readonly refusedImages: ReadonlySet<string>;
  /** Options and tools that the model's service refused. */
  readonly leftOut: readonly LeftOut[];
}

/** How requests of a family reach a gateway. A missing field is that of the variant in use. */
export type FamilyAccess = Partial<Pick<RequestVariant, "version" | "keyPlace" | "headerVersion">>;

export const baseVariant: RequestVariant = {
  version: "v1",
  keyPlace: "bearer",
  refusedSignatures: new Set(),
  images: true,
  refusedImages: new Set(),
  leftOut: [],
};

/** It has methods for the same reason as `FamilyDefinition`: a list can hold the rules of several families, and each gets only its own variants. */
export interface VariantRule<Variant extends RequestVariant = RequestVariant> {
  /** Whether the service refused what this rule changes. */
  matches(error: AppError): boolean;
  /** The variant to try next; `undefined` if the request does not contain the refused part. */
  change(variant: Variant, request: ChatRequest, error: AppError): Variant | undefined;
  /**
   * Called with the error of the changed request when that failed too. True where the error of the first request explains more and is reported
   * instead. Without this method `matches` decides.
   */
  saysLess?(error: AppError): boolean;
}

/** Whether the error is a 400 or 422 whose message matches the pattern. */
export function isRefusalOf(error: AppError, pattern: RegExp): boolean {
  return (error.status === 400 || error.status === 422) && pattern.test(error.message);
}

/**
 * Sends the key in the family's own header where it was refused in `Authorization`, and the other way round. It is never moved into the query, which
 * proxies may log.
 */
export function moveKey<Variant extends RequestVariant>(own: KeyPlace): VariantRule<Variant> {
  return {
    matches: ({ kind, notSent }) => kind === "unauthorized" && notSent !== true,
    change: (variant) => ({ ...variant, keyPlace: variant.keyPlace === "bearer" ? own : "bearer" }),
    // A gateway that looks for the key elsewhere may refuse the second request for any reason. The first error is told then: the key can be mended.
    saysLess: ({ kind }) => kind === "unauthorized" || kind === "forbidden" || kind === "rejected",
  };
}

/**
 * Adds the signatures of the turns before the last prompt to those that are left out; the service requires those of the turn in progress. The
 * variant lists each signature instead of leaving out all: so the history is written in the same way each time, and later thinking and other chats
 * keep theirs. `undefined` where there is none to add.
 */
export function omitOlderSignatures<Variant extends RequestVariant>(
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
