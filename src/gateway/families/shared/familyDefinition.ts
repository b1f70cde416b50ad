/** What a family of chat interfaces consists of, for the registry: decoder, request, route and the variants of the request. */
import type { Family } from "../../../domain/chat/chatEvent";
import type { ChatRequest } from "../../../domain/chat/message";
import type { ApiVersion } from "../../http/addresses";
import type { KeyPlace } from "../../../domain/gateway/key";
import type { JsonRecord } from "../../../base/jsonValue";
import type { Answer } from "./answer";
import type { FamilyDecoder } from "./familyDecoder";
import type { RequestVariant, VariantRule } from "./requestVariant";

/** Methods, not function fields: the registry holds families whose variants and settings differ; each gets only its own. */
export interface FamilyDefinition<Variant extends RequestVariant = RequestVariant, Settings = unknown> {
  readonly family: Family;
  readonly firstVariant: Variant;
  /** Tried in this order. */
  readonly variantRules: readonly VariantRule<Variant>[];
  createDecoder(answer: Answer): FamilyDecoder;
  /** `settings`: the user's settings for this family, where there are any. */
  writeRequest(request: ChatRequest, variant: Variant, settings: Settings | undefined): FamilyRequest;
  /** The prefix of the path that the settings prescribe. */
  versionOf?(settings: Settings | undefined): ApiVersion | undefined;
}

export interface FamilyRequest {
  /** After the prefix of the version. */
  readonly path: string;
  /** In place of the version that the gateway's address ends in. */
  readonly version?: ApiVersion;
  readonly headers: Readonly<Record<string, string>>;
  readonly keyPlace: KeyPlace;
  readonly body: JsonRecord;
}
