/** The forms that one and the same request can be written in, and what is learnt of the one that a model takes (S6). */
import type { Family } from "../domain/chat";
import { type GatewayError, GatewayFailure, toGatewayError } from "../domain/errors";
import type { ChatRequest } from "../domain/message";
import type { ApiVersion } from "./http/addresses";
import { readSignature } from "./families/shared/signatures";

export interface ChatForm {
  /** Chat completions: a server that counts tokens says so in a stream only when it is asked; strict ones refuse that. */
  readonly streamOptions: boolean;
  /** Chat completions: what stands for the text of an answer that has none but calls tools. */
  readonly noText: "" | null;
  /** Chat completions: answers that call tools say what was thought, also where that is nothing: a model that thinks asks for it. */
  readonly allReasoning: boolean;
  /** Chat completions: what the limit of an answer is called; by the model's id when left out. */
  readonly limitField?: "max_tokens" | "max_completion_tokens";
  /** Messages: older models think up to a number of tokens, newer ones with an effort. */
  readonly thinkingBudget: boolean;
  /** Generate content: the prefix of the path. */
  readonly version: ApiVersion;
  /** Generate content: a call that was never signed says so; by the model's id when left out. */
  readonly signCalls?: true;
  /** What bears one of these is not sent back. */
  readonly refusedSignatures: ReadonlySet<string>;
}

export const firstForm: ChatForm = {
  streamOptions: true,
  noText: null,
  allReasoning: false,
  thinkingBudget: false,
  version: "v1",
  refusedSignatures: new Set(),
};

/** One request in its forms. No form is tried twice, also when the request is sent again for another reason. */
export interface FormedRequest {
  /**
   * Tries the known form, and at once the next while the service says that it is the form that it does not take; `onChange`
   * is told before. Rejects as `send` does: with what was said first, where another form was refused for the same reason.
   */
  send<Answer>(send: (form: ChatForm) => Promise<Answer>, onChange: (error: GatewayError) => void): Promise<Answer>;
}

/** `version`: the only prefix that may be used, where one is set. */
export type BeginRequest = (request: ChatRequest, version?: ApiVersion) => FormedRequest;

/** For one gateway, whose address ends in `prefix` or means it. */
export function createChatForms(prefix: ApiVersion): BeginRequest {
  /** By family and model. */
  const learnt = new Map<string, ChatForm>();
  /** A prefix is the gateway's, not a model's. */
  let learntPrefix = prefix;

  return (request, version) => {
    const name = `${request.family} ${request.model}`;
    const known: ChatForm = { ...(learnt.get(name) ?? firstForm), version: version ?? learntPrefix };
    const used = new Set<Rule>(version === undefined ? [] : [otherPrefix]);
    let form = known;

    const attempt: FormedRequest["send"] = async (send, onChange) => {
      const tried = form;
      try {
        const answer = await send(tried);
        if (tried !== known) learnt.set(name, tried);
        if (tried.version !== known.version) learntPrefix = tried.version;
        return answer;
      } catch (failure) {
        if (!(failure instanceof GatewayFailure)) throw failure;
        const change = findChange(request, tried, failure.error, used);
        if (change === undefined) throw failure;
        used.add(change.rule);
        form = change.form;
        onChange(failure.error);
        return attempt(send, onChange).catch((second: unknown) => {
          throw change.rule.refuses(toGatewayError(second)) ? failure : second;
        });
      }
    };
    return { send: attempt };
  };
}

interface Rule {
  readonly family: Family;
  /** Whether this is what the service does not take. */
  refuses(error: GatewayError): boolean;
  /** What to try instead; nothing where the request does not have what was refused. */
  change(form: ChatForm, request: ChatRequest): ChatForm | undefined;
}

function findChange(
  request: ChatRequest,
  tried: ChatForm,
  error: GatewayError,
  used: ReadonlySet<Rule>,
): { readonly rule: Rule; readonly form: ChatForm } | undefined {
  for (const rule of rules) {
    if (rule.family !== request.family || used.has(rule) || !rule.refuses(error)) continue;
    const form = rule.change(tried, request);
    if (form !== undefined) return { rule, form };
  }
  return undefined;
}

const saysOf = (error: GatewayError, pattern: RegExp): boolean =>
  (error.status === 400 || error.status === 422) && pattern.test(error.message);

const withoutUsage: Rule = {
  family: "chat-completions",
  refuses: (error) => saysOf(error, /stream_options|include_usage/),
  change: (form) => (form.streamOptions ? { ...form, streamOptions: false } : undefined),
};

const withEmptyText: Rule = {
  family: "chat-completions",
  refuses: (error) =>
    saysOf(error, /\bcontents?\b/i) &&
    saysOf(error, /\b(?:null|none(?:type)?|nil|string|str|missing|required|empty)\b/i),
  change: (form, { messages }) => {
    const hasNone = messages.some(
      (message) =>
        message.role === "assistant" &&
        message.parts.some(({ type }) => type === "tool-call") &&
        message.parts.every((part) => part.type !== "text" || part.text === ""),
    );
    return form.noText === null && hasNone ? { ...form, noText: "" } : undefined;
  },
};

const withAllReasoning: Rule = {
  family: "chat-completions",
  refuses: (error) => saysOf(error, /reasoning_content/) && saysOf(error, /\b(?:must|missing|required|passed)\b/i),
  change: (form) => (form.allReasoning ? undefined : { ...form, allReasoning: true }),
};

const withOtherLimit: Rule = {
  family: "chat-completions",
  // A limit that is too high is named as well, and is not mended by another name.
  refuses: (error) =>
    saysOf(error, /max_(?:completion_)?tokens/) &&
    saysOf(error, /unsupported|not (?:supported|permitted|allowed)|un(?:known|recogni[sz]ed|expected)|extra|instead/i),
  change: (form, { options, model }) =>
    options?.maxOutputTokens === undefined
      ? undefined
      : { ...form, limitField: limitField(form, model) === "max_tokens" ? "max_completion_tokens" : "max_tokens" },
};

/** Models that think refuse the older name, and many servers know no other. */
export function limitField(form: ChatForm, model: string): "max_tokens" | "max_completion_tokens" {
  return form.limitField ?? (/(?:^|\/)(?:o\d|gpt-[5-9])/i.test(model) ? "max_completion_tokens" : "max_tokens");
}

const withBudget: Rule = {
  family: "messages",
  refuses: (error) => saysOf(error, /\badaptive\b|output_config|\beffort\b|thinking\.(?:type|display)/),
  change: (form, { options }) =>
    typeof options?.thinking === "string" && options.thinking !== "off" && !form.thinkingBudget
      ? { ...form, thinkingBudget: true }
      : undefined,
};

const withoutOlderThinking: Rule = {
  family: "messages",
  // What the work that goes on should have begun with can't be mended by leaving more out.
  refuses: (error) => saysOf(error, /\bsignatures?\b|thinking\W{0,2} blocks?\b/i) && !saysOf(error, /\bexpected\b/i),
  change: forgetOlder,
};

const badSignature = /(?:invalid|corrupt\w*)[^.]{0,20} thought.?signature/i;

/** A gateway that took another way to the model: the next way may be the right one. */
const unchanged: Rule = {
  family: "generate-content",
  refuses: (error) => saysOf(error, badSignature),
  change: (form) => form,
};

const withoutOlderSignatures: Rule = {
  family: "generate-content",
  refuses: (error) => saysOf(error, badSignature),
  change: forgetOlder,
};

const withSignedCalls: Rule = {
  family: "generate-content",
  refuses: (error) => saysOf(error, /missing[^.]{0,20} thought.?signature/i),
  change: (form) => (form.signCalls ? undefined : { ...form, signCalls: true }),
};

const otherPrefix: Rule = {
  family: "generate-content",
  refuses: ({ status, code, message, firstBytes }) => {
    if (status !== 404) return false;
    // A gateway that knows the path says which model it does not have; one that does not know it says something else.
    const isOfModel = firstBytes === undefined && /\bmodel\b/i.test(`${code ?? ""} ${message}`.replaceAll("_", " "));
    return !isOfModel || /api version/i.test(message);
  },
  change: (form) => ({ ...form, version: form.version === "v1beta" ? "v1" : "v1beta" }),
};

const rules: readonly Rule[] = [
  withoutUsage,
  withAllReasoning,
  withEmptyText,
  withOtherLimit,
  withBudget,
  withoutOlderThinking,
  unchanged,
  withoutOlderSignatures,
  withSignedCalls,
  otherPrefix,
];

/**
 * What was thought before the last prompt may be left out, what belongs to the work that goes on may not. It is the
 * signatures that are remembered, not that there may be none: the same history then goes out in the same way each time,
 * and neither what is thought from now on nor another chat loses anything.
 */
function forgetOlder(form: ChatForm, { family, model, messages }: ChatRequest): ChatForm | undefined {
  const prompt = messages.findLastIndex(({ role }) => role === "user");
  const older = messages.slice(0, Math.max(prompt, 0)).flatMap((message) => {
    if (message.role !== "assistant" || message.family !== family || message.model !== model) return [];
    return message.parts.flatMap((part) => (part.type === "opaque" ? (readSignature(part.data) ?? []) : []));
  });
  const refused = new Set([...form.refusedSignatures, ...older]);
  return refused.size > form.refusedSignatures.size ? { ...form, refusedSignatures: refused } : undefined;
}
