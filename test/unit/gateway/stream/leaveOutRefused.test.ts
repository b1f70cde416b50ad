/** A refusal that names a part of the request: it is sent again without that part, which is said and remembered for the model. */
import assert from "node:assert/strict";
import type { ChatRequest } from "../../../../src/domain/chat/message";
import { AppFailure } from "../../../../src/domain/errors/appError";
import { describeRetry } from "../../../../src/domain/words/describeAnswer";
import { readErrorResponse } from "../../../../src/gateway/http/serviceError";
import { createRequestVariants, writeRoute } from "../../../../src/gateway/stream/streamChat";
import { ask, call, refusal, send, user } from "./variantTrials";

const refused = (status: number, body: object): AppFailure =>
  new AppFailure(readErrorResponse({ status, headers: { get: () => undefined }, text: JSON.stringify(body), now: 0 }));

const error = (message: string, more: object = {}): object => ({
  error: { message, type: "invalid_request_error", ...more },
});

/** As the services answer. */
const thinkingRefusals: readonly (readonly [string, ChatRequest, AppFailure])[] = [
  [
    "a model that always thinks",
    ask("chat-completions", { model: "gpt-5.1-codex", options: { thinking: "off" } }),
    refused(
      400,
      error("Unsupported value: 'none' is not supported with the 'gpt-5.1-codex' model.", {
        param: "reasoning_effort",
      }),
    ),
  ],
  [
    "a model that never thinks",
    ask("chat-completions", { model: "gpt-4.1", options: { thinking: "high" } }),
    refused(400, error("Unrecognized request argument supplied: reasoning_effort")),
  ],
  [
    "a budget of nothing",
    ask("generate-content", { model: "gemini-2.5-pro", options: { thinking: "off" } }),
    refused(400, error("Budget 0 is invalid. This model only works in thinking mode.", { status: "INVALID_ARGUMENT" })),
  ],
  [
    "a level that it lacks",
    ask("generate-content", { model: "gemini-3-pro", options: { thinking: "off" } }),
    refused(400, error("Thinking level MINIMAL is not supported for this model.", { status: "INVALID_ARGUMENT" })),
  ],
  [
    "thinking that can't be disabled",
    ask("messages", { options: { thinking: "off" } }),
    refused(400, { type: "error", ...error("thinking.type: disabled is not supported for this model") }),
  ],
];

const bodyOf = (request: ChatRequest, variant: Parameters<typeof writeRoute>[1]): string =>
  writeRoute(request, variant).body;

describe("a part of a request that is refused", () => {
  for (const [what, request, failure] of thinkingRefusals)
    it(`C5 (field 15): ${request.family}: the choice of thinking is left out for ${what}, and is remembered`, async () => {
      const begin = createRequestVariants("v1");
      const { variants, failed } = await send(begin, request, failure);
      assert.equal(failed, undefined);
      assert.equal(variants.length, 2);
      const [first, second] = variants.map((variant) => bodyOf(request, variant));
      assert.match(first!, /reasoning_effort|thinking/);
      assert.doesNotMatch(second!, /reasoning_effort|thinking/);
      assert.equal((await send(begin, request)).variants.length, 1, "it is not refused again");
      // Another choice is another question.
      const other = { ...request, options: { thinking: "medium" as const } };
      const [next] = (await send(begin, other)).variants;
      assert.match(bodyOf(other, next!), /reasoning_effort|thinking/);
      const [unlearnt] = (await send(begin, { ...request, model: "another" })).variants;
      assert.deepEqual(unlearnt!.leftOut, []);
    });

  it("C5 (field 15): what is left out is said", async () => {
    const words: string[] = [];
    const request = ask("chat-completions", { options: { thinking: "off", temperature: 0.5 } });
    const refusals = [refusal("temperature is not supported"), refusal("reasoning_effort is not supported")];
    await createRequestVariants("v1")(request).send(
      () => {
        const next = refusals.shift();
        return next === undefined ? Promise.resolve() : Promise.reject(next);
      },
      (cause, leftOut) => words.push(describeRetry({ error: cause, ...(leftOut && { leftOut }) })),
    );
    assert.deepEqual(words, [
      "This model does not take the temperature 0.5: it is left out.",
      "This model does not take this choice of thinking: it is left to the model.",
    ]);
  });

  const tools = ["one", "two", "three"].map((name) => ({ name, description: "", parameters: {} }));
  const toolRefusals: readonly (readonly [ChatRequest["family"], string])[] = [
    ["messages", "tools.1.custom.input_schema: JSON schema is invalid"],
    ["chat-completions", "Invalid schema for function 'two': In context=(), object schema missing properties"],
    ["chat-completions", "Invalid 'tools[1].function.parameters': unsupported keyword"],
    [
      "generate-content",
      "* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties: should be non-empty",
    ],
  ];
  for (const [family, message] of toolRefusals)
    it(`S1 (field 5): ${family}: the one tool that a refusal names is left out: ${message}`, async () => {
      const request = ask(family, { tools });
      const { variants } = await send(createRequestVariants("v1"), request, message);
      const body = bodyOf(request, variants[1]!);
      assert.ok(body.includes('"one"') && body.includes('"three"') && !body.includes('"two"'), body);
    });

  it("S6 (field 15): at most three parts are left out, and what names none of them is not sent again", async () => {
    const request = ask("messages", { tools, options: { thinking: "off" }, mustCallTool: true });
    const again = await send(createRequestVariants("v1"), request, ...Array<string>(9).fill("tools.0: no"));
    assert.equal(again.variants.length, 4);
    for (const message of ["messages.1: no", "max_tokens: 9 > 8, thinking included", "no", "tools are not supported"]) {
      const once = await send(createRequestVariants("v1"), request, message);
      assert.equal(once.variants.length, 1, message);
    }
    const paid = await send(createRequestVariants("v1"), request, refusal("the budget is used up", 402));
    assert.equal(paid.variants.length, 1);
  });

  // deepseek-ai/DeepSeek-V3#1376, vectorize-io/hindsight#1286
  for (const message of [
    "Thinking mode does not support this tool_choice",
    "deepseek-reasoner does not support this tool_choice",
    "tool_choice 'required' is not supported while reasoning is enabled",
  ])
    it(`S1: a forced call of a tool is left out where a model that thinks refuses it: ${message}`, async () => {
      const request = ask("chat-completions", { tools, mustCallTool: true });
      const { variants } = await send(createRequestVariants("v1"), request, refusal(message, 400));
      const [first, second] = variants.map((variant) => JSON.parse(bodyOf(request, variant)) as object);
      assert.ok(first !== undefined && "tool_choice" in first);
      assert.ok(second !== undefined && !("tool_choice" in second) && "tools" in second);
    });

  it("S1 (field 15): a limit is sent to a gateway that requires one, and the person's own is never left out", async () => {
    const message = "anthropic error: max_tokens: Field required";
    const { variants } = await send(createRequestVariants("v1"), ask("chat-completions"), message);
    assert.equal(JSON.parse(bodyOf(ask("chat-completions"), variants[1]!) as string)["max_tokens"], 8192);
    const limited = ask("chat-completions", { options: { maxOutputTokens: 9, thinking: "off" } });
    const { variants: tried } = await send(createRequestVariants("v1"), limited, "reasoning_effort: no");
    assert.equal(JSON.parse(bodyOf(limited, tried[1]!) as string)["max_tokens"], 9);
  });
});

describe("ids of tool calls", () => {
  const history = (model: string, wireId: string): ChatRequest["messages"] => [
    user,
    { role: "assistant", family: "chat-completions", model, parts: [{ ...call, wireId } as typeof call] },
    { role: "tool", call: "c", name: "read", text: "1", isError: false },
    user,
  ];
  const idsIn = (request: ChatRequest, variant: Parameters<typeof writeRoute>[1]): string[] =>
    [...bodyOf(request, variant).matchAll(/"(?:tool_call_)?id":"([^"]*)"/g)].map(([, id]) => id!);

  it("S1 (field 1): those of another model are nine letters and digits, the same for a call and its result, each time", async () => {
    for (const wireId of ["call_0fypS1hVXabcdef", "x".repeat(412), ""]) {
      const request = ask("chat-completions", { model: "mistral-large", messages: history("gpt-5.4", wireId) });
      const [variant] = (await send(createRequestVariants("v1"), request)).variants;
      const ids = idsIn(request, variant!);
      assert.match(ids[0] ?? "", /^[a-z0-9]{9}$/);
      assert.deepEqual(ids, [ids[0], ids[0]]);
      assert.deepEqual(idsIn(request, variant!), ids);
    }
  });

  it("S1 (field 1): the model's own ids are kept, and made anew once they are refused", async () => {
    const request = ask("chat-completions", { model: "m", messages: history("m", "call_0fypS1hVXabcdef") });
    for (const message of [
      "Tool call id was call_0fypS1hVXabcdef but must be a-z, A-Z, 0-9, with a length of 9.",
      "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40.",
    ]) {
      const { variants } = await send(createRequestVariants("v1"), request, message);
      assert.deepEqual(idsIn(request, variants[0]!), ["call_0fypS1hVXabcdef", "call_0fypS1hVXabcdef"]);
      assert.match(idsIn(request, variants[1]!)[0] ?? "", /^[a-z0-9]{9}$/);
    }
  });
});
