/** Tries the variants of a chat request and remembers, for one gateway, which of them a model accepts (S6). */
import { type AppError, AppFailure, toAppError } from "../../domain/errors/appError";
import type { LeftOut } from "../../domain/chat/chat";
import type { ChatRequest } from "../../domain/chat/message";
import { familyDefinitions } from "../families/familyDefinitions";
import type { RequestVariant, VariantRule } from "../families/shared/requestVariant";
import type { ApiVersion } from "../http/addresses";

/** One request in its variants. Each rule is applied at most once, also over several calls of `send`. */
export interface VariantRequest {
  /**
   * Sends the known variant, and the next one while the service refuses the form; `onChange` is called before. Rejects
   * as `send` does: with the first error, where the next variant was refused for the same reason.
   */
  send<Response>(
    send: (variant: RequestVariant) => Promise<Response>,
    onChange: (error: AppError, leftOut: LeftOut | undefined) => void,
  ): Promise<Response>;
}

/** `version`: the only prefix that may be used, where the settings prescribe one. */
export type BeginRequest = (request: ChatRequest, version?: ApiVersion) => VariantRequest;

/** For one gateway. `prefix`: the version that its address ends in, or `v1`. */
export function createRequestVariants(prefix: ApiVersion): BeginRequest {
  /** By family and model. */
  const learnt = new Map<string, RequestVariant>();
  /** The prefix belongs to the gateway, not to a model. */
  let learntPrefix = prefix;

  return (request, version) => {
    const name = `${request.family} ${request.model}`;
    const { firstVariant, variantRules } = familyDefinitions[request.family];
    const known: RequestVariant = { ...(learnt.get(name) ?? firstVariant), version: version ?? learntPrefix };
    const unused = new Set(variantRules);
    let next = known;

    const attempt: VariantRequest["send"] = async (send, onChange) => {
      const variant = next;
      try {
        const response = await send(variant);
        if (variant !== known) learnt.set(name, variant);
        if (variant.version !== known.version) learntPrefix = variant.version;
        return response;
      } catch (failure) {
        if (!(failure instanceof AppFailure)) throw failure;
        const change = findChange(unused, failure.error, variant, request);
        if (change === undefined || (version !== undefined && change.variant.version !== version)) throw failure;
        unused.delete(change.rule);
        const hasMore = change.variant.leftOut.length > next.leftOut.length;
        next = change.variant;
        onChange(failure.error, hasMore ? next.leftOut.at(-1) : undefined);
        return attempt(send, onChange).catch((second: unknown) => {
          throw change.rule.matches(toAppError(second)) ? failure : second;
        });
      }
    };
    return { send: attempt };
  };
}

function findChange(
  rules: Iterable<VariantRule>,
  error: AppError,
  tried: RequestVariant,
  request: ChatRequest,
): { readonly rule: VariantRule; readonly variant: RequestVariant } | undefined {
  for (const rule of rules) {
    const variant = rule.matches(error) ? rule.change(tried, request, error) : undefined;
    if (variant !== undefined) return { rule, variant };
  }
  return undefined;
}
