/** `POST /v1/chat/completions`: the built-in model's answer as one object or as server-sent chunks (service-spec 4.5, contract 1, 6). */
import { once } from "node:events";
import type { Clock } from "../../base/clock";
import { cutLine, type Exchange, readJson, sendJson } from "../exchange";
import { faultKinds } from "../faults";
import type { ChatPace, Services } from "../services";
import { mix } from "../seeded";
import { type Answer, answerOf } from "./builtInModel";
import { type CompletionRequest, readCompletionRequest } from "./completionRequest";
import { countTokens, tokensOf } from "./tokens";

const largestBody = 20_000_000;

export async function completeChat(exchange: Exchange, services: Services): Promise<void> {
  const request = readCompletionRequest(await readJson(exchange, largestBody), services.seed);
  const answer = answerOf(request.conversation);
  const id = `chatcmpl-${exchange.requestId.slice(4)}`;
  const created = Math.floor(services.clock.now() / 1000);
  const head = { id, created, model: request.model };
  if (request.stream) await streamCompletion(exchange, services, request, answer, head);
  else await sendCompletion(exchange, services, request, answer, head);
}

interface Head {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** One token of the answer, as the delta that carries it. */
interface Step {
  readonly kind: "reasoning" | "content" | "call-start" | "call-arguments";
  readonly delta: Readonly<Record<string, unknown>>;
}

function* stepsOf(answer: Answer): Generator<Step> {
  for (const token of tokensOf(answer.reasoning)) {
    yield { kind: "reasoning", delta: { reasoning_content: token } };
  }
  for (const token of tokensOf(answer.text)) yield { kind: "content", delta: { content: token } };
  for (const [index, { id, name, arguments: text }] of answer.calls.entries()) {
    const call = { index, id, type: "function", function: { name, arguments: "" } };
    yield { kind: "call-start", delta: { tool_calls: [call] } };
    for (const token of tokensOf(text)) {
      yield { kind: "call-arguments", delta: { tool_calls: [{ index, function: { arguments: token } }] } };
    }
  }
}

async function streamCompletion(
  exchange: Exchange,
  { faults, pace, clock }: Services,
  request: CompletionRequest,
  answer: Answer,
  head: Head,
): Promise<void> {
  const { response, route, signal } = exchange;
  const cutAfter = faults.take(faultKinds.endCut, route)?.value;
  const noDone = faults.take(faultKinds.endNoDone, route) !== undefined;
  const drip = faults.take(faultKinds.sseDrip, route) !== undefined;
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" });
  response.flushHeaders();
  const send = (text: string): Promise<void> => write(exchange, text, drip);
  const chunk = (delta: unknown, finish: string | null = null): Promise<void> =>
    send(event({ ...head, object, choices: [{ index: 0, delta, finish_reason: finish }] }));
  const beat = startBeat(clock, pace, signal);
  let written = 0;
  let content = 0;
  let finish = answer.calls.length > 0 ? "tool_calls" : "stop";
  let reasoning = 0;
  await beat(0);
  await chunk({ role: "assistant", content: answer.calls.length > 0 && answer.text === "" ? null : "" });
  for (const { kind, delta } of stepsOf(answer)) {
    if (written >= request.maxTokens) {
      finish = "length";
      break;
    }
    if (cutAfter !== undefined && content >= cutAfter) {
      await cutStream(exchange);
      return;
    }
    await beat(written);
    await chunk(delta);
    written += 1;
    if (kind === "reasoning") reasoning += 1;
    else content += 1;
  }
  if (cutAfter !== undefined) {
    await cutStream(exchange);
    return;
  }
  await chunk({}, finish);
  if (request.includeUsage) {
    await send(event({ ...head, object, choices: [], usage: usage(request, written, reasoning) }));
  }
  if (!noDone) await send("data: [DONE]\n\n");
  response.end();
}

/** What was sent before the cut arrives first: between the last bytes and the end of a line there is always some time. */
async function cutStream(exchange: Exchange): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 25));
  cutLine(exchange);
}

const object = "chat.completion.chunk";
const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

async function sendCompletion(
  exchange: Exchange,
  { clock, pace }: Services,
  request: CompletionRequest,
  answer: Answer,
  head: Head,
): Promise<void> {
  let written = 0;
  let reasoning = 0;
  const kept = { reasoning: "", content: "" };
  let cut = false;
  for (const { kind, delta } of stepsOf(answer)) {
    cut = written >= request.maxTokens;
    if (cut) break;
    written += 1;
    if (kind === "reasoning") {
      reasoning += 1;
      kept.reasoning += String(delta["reasoning_content"]);
    }
    if (kind === "content") kept.content += String(delta["content"]);
  }
  const beat = startBeat(clock, pace, exchange.signal);
  await beat(written);
  const calls = cut ? [] : answer.calls;
  const message = {
    role: "assistant",
    content: kept.content === "" && calls.length > 0 ? null : kept.content,
    refusal: null,
    ...(kept.reasoning === "" ? {} : { reasoning_content: kept.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(wireCall) }),
  };
  const finish = cut ? "length" : calls.length > 0 ? "tool_calls" : "stop";
  const choices = [{ index: 0, message, finish_reason: finish, logprobs: null }];
  const body = { ...head, object: "chat.completion", choices, usage: usage(request, written, reasoning) };
  sendJson(exchange, 200, body);
}

function wireCall({ id, name, arguments: text }: Answer["calls"][number]): unknown {
  return { id, type: "function", function: { name, arguments: text } };
}

function usage({ conversation }: CompletionRequest, written: number, reasoning: number): unknown {
  const prompt = conversation.turns.reduce((sum, turn) => sum + countTokens(turn.text) + 4, 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: written,
    total_tokens: prompt + written,
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

/** Waits until the nth token is due. Lateness is not added up: after a pause the rest comes in time. */
function startBeat(clock: Clock, pace: ChatPace, signal: AbortSignal): (token: number) => Promise<void> {
  const begun = clock.now();
  return async (token) => {
    // Nobody speaks in an even beat: each token is up to a third early or late, the same each time.
    const jitter = token === 0 ? 0 : (mix(token) / 0x1_0000_0000 - 0.5) * 0.6;
    const due = begun + pace.firstTokenMs + ((token + jitter) * 1000) / pace.tokensPerSecond;
    const wait = due - clock.now();
    if (wait >= 1) await clock.delay(wait, signal);
    else signal.throwIfAborted();
  };
}

/** Waits for a slow reader; rejects when it is gone. */
async function write({ response, signal }: Exchange, text: string, drip: boolean): Promise<void> {
  const bytes = Buffer.from(text);
  const size = drip ? 1 : bytes.length;
  for (let at = 0; at < bytes.length; at += size) {
    signal.throwIfAborted();
    const flowing = response.write(bytes.subarray(at, at + size));
    if (!flowing) await once(response, "drain", { signal });
    // Bytes written in one turn of the loop would leave in one packet.
    if (drip) await new Promise((resolve) => setImmediate(resolve));
  }
}
