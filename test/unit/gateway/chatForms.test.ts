/** Which form of a request is tried after which refusal, what is learnt of it, and what is told in the end (S6). */
import assert from "node:assert/strict";
import { GatewayFailure } from "../../../src/domain/errors";
import type { AssistantPart, ChatRequest, Message } from "../../../src/domain/message";
import { type BeginRequest, type ChatForm, createChatForms, firstForm } from "../../../src/gateway/chatForms";

const user: Message = { role: "user", parts: [{ type: "text", text: "Hi" }] };
const call: AssistantPart = { type: "tool-call", call: "c", name: "read", input: {} };
const ask = (family: ChatRequest["family"], more: Partial<ChatRequest> = {}): ChatRequest => ({
  family,
  model: "m",
  messages: [user],
  tools: [],
  ...more,
});
const answered = (family: ChatRequest["family"], ...parts: AssistantPart[]): Message => ({
  role: "assistant",
  family,
  model: "m",
  parts,
});
const thinking = (signature: string): AssistantPart => ({
  type: "opaque",
  family: "messages",
  data: { type: "thinking", thinking: "Hm.", signature },
});
const refusal = (message: string, status = 400): GatewayFailure =>
  new GatewayFailure({ kind: "rejected", message, status });

/** Sends once through the forms; each word of `refusals` answers one try, and nothing answers the rest. */
async function send(begin: BeginRequest, request: ChatRequest, ...refusals: readonly (string | GatewayFailure)[]) {
  const forms: ChatForm[] = [];
  const told: string[] = [];
  const left = [...refusals];
  const failed = await begin(request)
    .send(
      (form) => {
        forms.push(form);
        const next = left.shift();
        return next === undefined
          ? Promise.resolve("answer")
          : Promise.reject(typeof next === "string" ? refusal(next) : next);
      },
      (error) => told.push(error.message),
    )
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  return { forms, told, failed: failed instanceof GatewayFailure ? failed.error.message : failed };
}

const calling = ask("chat-completions", { messages: [user, answered("chat-completions", call), user] });
const limited = (model: string): ChatRequest => ask("chat-completions", { model, options: { maxOutputTokens: 9 } });
const thinker = ask("messages", { options: { thinking: "low" } });
const generate = ask("generate-content");

describe("chatForms", () => {
  const cases: readonly (readonly [string, ChatRequest, string, Partial<ChatForm>])[] = [
    ["S1", ask("chat-completions"), "Unknown field: stream_options", { streamOptions: false }],
    ["S1", ask("chat-completions"), "Extra inputs are not permitted (include_usage)", { streamOptions: false }],
    ["S1", calling, "Invalid value for 'content': expected a string, got null.", { noText: "" }],
    ["S1", calling, "messages.1.content: Input should be a valid string", { noText: "" }],
    ["S1", calling, "content field is required", { noText: "" }],
    [
      "S1",
      calling,
      "The `reasoning_content` in the thinking mode must be passed back to the API.",
      { allReasoning: true },
    ],
    [
      "S1",
      limited("m"),
      "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      {
        limitField: "max_completion_tokens",
      },
    ],
    ["S1", limited("vendor/o3"), "Unknown parameter: max_completion_tokens", { limitField: "max_tokens" }],
    ["C5", thinker, "thinking.type: Input tag 'adaptive' does not match", { thinkingBudget: true }],
    ["C5", thinker, "output_config: Extra inputs are not permitted", { thinkingBudget: true }],
    ["S2", generate, "Function call is missing a thought_signature in functionCall parts.", { signCalls: true }],
  ];
  for (const [row, request, message, change] of cases) {
    it(`${row}, S6: ${JSON.stringify(message)} is asked once more, and the form is remembered`, async () => {
      const begin = createChatForms("v1");
      const first = await send(begin, request, message);
      assert.deepEqual(first, { forms: [firstForm, { ...firstForm, ...change }], told: [message], failed: undefined });
      assert.deepEqual((await send(begin, request)).forms, [{ ...firstForm, ...change }]);
      assert.deepEqual((await send(begin, { ...request, model: "another" })).forms, [firstForm], "per model");
    });

    it(`${row}, S6: ${JSON.stringify(message)} said again is told, and nothing is remembered`, async () => {
      const begin = createChatForms("v1");
      const { forms, failed } = await send(begin, request, message, message, message);
      assert.deepEqual([forms.length, failed], [2, message]);
      assert.deepEqual((await send(begin, request)).forms, [firstForm]);
    });
  }

  for (const [request, message] of [
    [ask("chat-completions"), "No such parameter"],
    [ask("messages"), "Unknown field: stream_options"],
    [ask("chat-completions"), "content must not be null"],
    [calling, "The content was blocked by a policy"],
    [limited("m"), "max_tokens is too large: 9. This model supports at most 4 completion tokens"],
    [ask("chat-completions"), "'max_tokens' is not supported. Use 'max_completion_tokens' instead."],
    [ask("messages"), "thinking: adaptive is not supported"],
    [ask("messages", { options: { thinking: "off" } }), "thinking.type: adaptive or nothing"],
    [ask("messages"), "messages.1.content.0: Invalid `signature` in `thinking` block"],
    [generate, "contents is not specified"],
  ] as const) {
    it(`S6: ${request.family}: ${JSON.stringify(message)} is told at once`, async () => {
      const { forms, failed } = await send(createChatForms("v1"), request, message);
      assert.deepEqual([forms.length, failed], [1, message]);
    });
  }

  it("S6: only a 400 or a 422 is about the form", async () => {
    const said = "Unknown field: stream_options";
    assert.equal((await send(createChatForms("v1"), ask("chat-completions"), refusal(said, 422))).forms.length, 2);
    for (const status of [401, 403, 429, 500]) {
      const { forms } = await send(createChatForms("v1"), ask("chat-completions"), refusal(said, status));
      assert.equal(forms.length, 1, String(status));
    }
  });

  it("S6: one thing after the other can be refused, each once, and all of it is remembered", async () => {
    const begin = createChatForms("v1");
    const request: ChatRequest = { ...calling, options: { maxOutputTokens: 9 } };
    const { forms, told } = await send(
      begin,
      request,
      "no stream_options",
      "content is null",
      "max_tokens: unexpected",
    );
    const last = { ...firstForm, streamOptions: false, noText: "", limitField: "max_completion_tokens" };
    assert.deepEqual([forms.length, forms.at(-1), told.length], [4, last, 3]);
    assert.deepEqual((await send(begin, request)).forms, [last]);
  });

  it("S6: another refusal of another form is the one that is told", async () => {
    const { failed } = await send(createChatForms("v1"), ask("chat-completions"), "no stream_options", "no such model");
    assert.equal(failed, "no such model");
  });

  it("S6: a request that is tried again later does not begin with what was refused", async () => {
    const formed = createChatForms("v1")(ask("chat-completions"));
    const forms: boolean[] = [];
    const failures = [refusal("no stream_options"), refusal("busy", 503)];
    const next = ({ streamOptions }: ChatForm): Promise<string> => {
      forms.push(streamOptions);
      const failure = failures.shift();
      return failure === undefined ? Promise.resolve("answer") : Promise.reject(failure);
    };
    await assert.rejects(
      formed.send(next, () => undefined),
      { message: "busy" },
    );
    await formed.send(next, () => undefined);
    assert.deepEqual(forms, [true, false, false]);
  });

  it("S5: an abort is no refusal", async () => {
    const abort = new DOMException("stream_options", "AbortError");
    const formed = createChatForms("v1")(ask("chat-completions"));
    await assert.rejects(
      formed.send(
        () => Promise.reject(abort),
        () => assert.fail("told"),
      ),
      abort,
    );
  });

  describe("older thinking", () => {
    const said = "messages.1.content.0: Invalid `signature` in `thinking` block";
    const finished = [user, answered("messages", thinking("old"), { type: "text", text: "a" }), user];
    const inLoop = [...finished, answered("messages", thinking("new"), call)];

    it("S6: is left out of finished turns only, and that history is remembered, nothing else", async () => {
      const begin = createChatForms("v1");
      const { forms } = await send(begin, ask("messages", { messages: inLoop }), said);
      assert.deepEqual(
        forms.map(({ refusedSignatures }) => [...refusedSignatures]),
        [[], ["old"]],
      );
      const later = [...inLoop, user, answered("messages", thinking("later"), call)];
      const [form] = (await send(begin, ask("messages", { messages: later }))).forms;
      assert.deepEqual([...form!.refusedSignatures], ["old"], "what came since is still sent");
    });

    it("S6: refused again, the first answer is told and nothing remembered", async () => {
      const begin = createChatForms("v1");
      const second = "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified";
      const { forms, failed } = await send(begin, ask("messages", { messages: inLoop }), said, second);
      assert.deepEqual([forms.length, failed], [2, said]);
      assert.equal((await send(begin, ask("messages"))).forms[0]!.refusedSignatures.size, 0);
    });

    it("S6: where only the work that goes on has thinking, the error is told at once", async () => {
      const messages = [user, answered("messages", thinking("new"), call)];
      assert.equal((await send(createChatForms("v1"), ask("messages", { messages }), said)).forms.length, 1);
      const foreign = finished.map((one) => (one.role === "assistant" ? { ...one, model: "other" } : one));
      assert.equal((await send(createChatForms("v1"), ask("messages", { messages: foreign }), said)).forms.length, 1);
    });

    it("S6: a loop that should have begun with thinking can't be mended by leaving out more", async () => {
      const missing =
        "Expected `thinking` or `redacted_thinking`, but found `text`. It must start with a thinking block.";
      assert.equal((await send(createChatForms("v1"), ask("messages", { messages: inLoop }), missing)).forms.length, 1);
    });
  });

  describe("thought signatures", () => {
    const signed: AssistantPart = {
      type: "opaque",
      family: "generate-content",
      data: { of: "call", call: "c", thoughtSignature: "old" },
    };
    const messages = [user, answered("generate-content", call, signed), user];

    for (const said of ["Invalid/Corrupted thought signature.", "Corrupted thought_signature"]) {
      it(`S6: ${said}: once more as it is, then without those of older turns`, async () => {
        const begin = createChatForms("v1");
        const { forms, told } = await send(begin, ask("generate-content", { messages }), said, said);
        assert.deepEqual(
          forms.map(({ refusedSignatures }) => [...refusedSignatures]),
          [[], [], ["old"]],
        );
        assert.equal(told.length, 2);
      });
    }

    it("S6: what the second try mends is not remembered", async () => {
      const begin = createChatForms("v1");
      await send(begin, ask("generate-content", { messages }), "Corrupted thought signature");
      assert.deepEqual((await send(begin, ask("generate-content", { messages }))).forms, [firstForm]);
    });

    it("S6: without older signatures it is told after the second try", async () => {
      const { forms } = await send(
        createChatForms("v1"),
        generate,
        ...Array<string>(3).fill("Corrupted thought signature"),
      );
      assert.equal(forms.length, 2);
    });
  });

  describe("the prefix of the path", () => {
    const notFound = new GatewayFailure({ kind: "not-found", message: "Not Found", status: 404 });
    const prefixes = ({ forms }: { readonly forms: readonly ChatForm[] }): readonly string[] =>
      forms.map(({ version }) => version);

    it("S6: is changed once, and remembered for all models", async () => {
      const begin = createChatForms("v1");
      assert.deepEqual(prefixes(await send(begin, generate, notFound)), ["v1", "v1beta"]);
      assert.deepEqual(prefixes(await send(begin, { ...generate, model: "another" })), ["v1beta"]);
    });

    it("S6: from what the address ends in to the other", async () => {
      assert.deepEqual(prefixes(await send(createChatForms("v1beta"), generate, notFound)), ["v1beta", "v1"]);
    });

    it("S6: one that is set is the only one", async () => {
      const forms: string[] = [];
      const formed = createChatForms("v1")(generate, "v1beta");
      const next = ({ version }: ChatForm): Promise<never> => {
        forms.push(version);
        return Promise.reject(notFound);
      };
      await assert.rejects(
        formed.send(next, () => undefined),
        notFound,
      );
      assert.deepEqual(forms, ["v1beta"]);
    });

    it("S6: a 404 about the model at the second prefix is the one that is told", async () => {
      const ofModel = new GatewayFailure({ kind: "not-found", message: "The model m does not exist", status: 404 });
      assert.equal((await send(createChatForms("v1"), generate, notFound, ofModel)).failed, ofModel.error.message);
    });
  });
});
