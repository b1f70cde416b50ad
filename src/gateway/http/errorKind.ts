/** The kind of an error, from its status, its codes and, as a last resort, its message. */
import type { AppErrorKind } from "../../domain/errors/errorKinds";
import { saysTooLong } from "./overflow";

export interface ErrorFacts {
  /** The HTTP status, or the number in an error inside a stream. */
  readonly status: number | undefined;
  readonly codes: readonly string[];
  readonly message: string;
}

const byCode: readonly (readonly [RegExp, AppErrorKind])[] = [
  [/not_enabled|(?:capability|feature|task_type)_disabled|capability_not/, "not-enabled"],
  [
    /insufficient_(?:\w{1,40}_)?(?:quota|balance|funds?|credits?)|billing|quota_exceeded|payment_required|out_of_credits|arrear|pre_consume/,
    "insufficient-balance",
  ],
  [/api_key_invalid|(?:invalid|incorrect)_api_key|unauthenticated|authentication|^unauthorized$/, "unauthorized"],
  [
    /context_length|context_window|context_size|max_prompt_tokens|too_many_prompt_tokens|request_too_large|payload_too_large/,
    "too-large",
  ],
  [/already_(?:terminal|exists|finished)|conflict|^aborted$/, "conflict"],
  [/rate_limit|too_many_requests|resource_exhausted|throttl/, "rate-limited"],
  [/not_found|not_exist|unknown_model/, "not-found"],
  [/permission|forbidden|access_denied/, "forbidden"],
  [/overloaded|unavailable|server_error|internal|api_error|deadline|timeout|upstream/, "unavailable"],
  [/invalid|bad_request|failed_precondition|out_of_range|unsupported|tool_use_failed/, "rejected"],
];

const balanceText =
  /\b(?:insufficient|not enough|exceeded your)\b.{0,40}\b(?:balance|quota|credits?|funds?)\b|余额不足|额度不足/i;
const notEnabledText =
  /\b(?:task[ _]?type|capability|feature)\b.{0,60}\b(?:not (?:been )?enabled|disabled|not available)\b/i;

/** What llama.cpp reports as a failure of the server: it refuses the form of a chat request, and would again. No words that a task could be refused with. */
const refusedForm =
  /\btools? param requires\b|\bunsupported param: tools?\b|\bcannot use tools?\b|\bsystem role not supported\b|\bconversation roles must alternate\b/i;

export function classifyError({ status, codes, message }: ErrorFacts): AppErrorKind {
  const names = codes.map((code) => code.toLowerCase().replaceAll(/[\s-]/g, "_"));
  const named = byCode.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
  if (status === undefined) return named ?? classifyText(message) ?? "unavailable";
  // A server that failed may have processed the request before. Only a task type that is not enabled excludes that.
  if (status >= 500 && refusedForm.test(message)) return "rejected";
  if (status >= 500)
    return named === "not-enabled" || (status === 501 && notEnabledText.test(message)) ? "not-enabled" : "unavailable";
  if (status < 400) return "malformed";
  switch (status) {
    case 401:
      return "unauthorized";
    case 402:
      return "insufficient-balance";
    case 408:
      return "timed-out";
    case 409:
      return "conflict";
    case 413:
      return "too-large";
    case 429:
      return named === "insufficient-balance" || named === "not-enabled" ? named : "rate-limited";
    case 425:
      return "unavailable";
    case 403:
      return named === "insufficient-balance" || named === "not-enabled" || named === "rate-limited"
        ? named
        : (classifyText(message) ?? "forbidden");
    case 404:
      return named === "not-enabled" ? named : notEnabledText.test(message) ? "not-enabled" : "not-found";
    case 400:
    case 422:
      // Services send a long prompt back with the code of any invalid request; only the message names the length.
      if (named === "rejected" && saysTooLong(message)) return "too-large";
      return named !== undefined && named !== "unavailable" ? named : (classifyText(message) ?? "rejected");
    default:
      return named !== undefined && named !== "unavailable" ? named : (classifyText(message) ?? "rejected");
  }
}

function classifyText(message: string): AppErrorKind | undefined {
  if (notEnabledText.test(message)) return "not-enabled";
  if (balanceText.test(message)) return "insufficient-balance";
  if (saysTooLong(message)) return "too-large";
  return undefined;
}
