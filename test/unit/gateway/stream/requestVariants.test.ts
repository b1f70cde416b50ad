/** Which variant of a request is tried after which refusal, what is learnt of it, and which error the caller gets (S6). */
import assert from "node:assert/strict";
import { AppFailure } from "../../../../src/domain/errors/appError";
import type { AppErrorKind } from "../../../../src/domain/errors/errorKinds";
import type { AssistantPart, ChatRequest } from "../../../../src/domain/chat/message";
import type { RequestVariant } from "../../../../src/gateway/families/familyDefinition";
import { LearntAccess } from "../../../../src/gateway/learntAccess";
import { createRequestVariants } from "../../../../src/gateway/stream/streamChat";
import type { AnyVariant } from "../families/histories";
import {
  answered,
  ask,
  call,
  calling,
  firstOf,
  generate,
  limited,
  refusal,
  send,
  thinker,
  thinking,
  user,
} from "./variantTrials";

describe("chatForms", () => {
  const cases: readonly (readonly [string, ChatRequest, string, Partial<AnyVariant>])[] = [
    ["S1", ask("chat-completions"), "Unknown field: stream_options", { streamOptions: false }],
    ["S1", ask("chat-completions"), "Extra inputs are not permitted (include_usage)", { streamOptions: false }],
    ["S1", calling, "Invalid value for 'content': expected a string, got null.", { emptyContent: "" }],
    ["S1", calling, "messages.1.content: Input should be a valid string", { emptyContent: "" }],
    ["S1", calling, "content field is required", { emptyContent: "" }],
    [
      "S1",
      calling,
      "The `reasoning_content` in the thinking mode must be passed back to the API.",
      { alwaysReasoning: true },
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
    ["A14", ask("chat-completions"), "System role not supported", { systemInPrompt: true }],
    [
      "A14",
      ask("chat-completions"),
      "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
      { systemInPrompt: true },
    ],
    [
      "A14",
      ask("chat-completions"),
      "Conversation roles must alternate user/assistant/user/assistant/...",
      { systemInPrompt: true },
    ],
    ["A14", generate, "Developer instruction is not enabled for models/gemma-3-27b-it", { systemInPrompt: true }],
    ["S2", generate, "Function call is missing a thought_signature in functionCall parts.", { signCalls: true }],
  ];
  for (const [row, request, message, change] of cases) {
    it(`${row}, S6: ${JSON.stringify(message)} is asked once more, and the variant is remembered`, async () => {
      const begin = createRequestVariants("v1");
      const firstVariant = firstOf(request);
      const first = await send(begin, request, message);
      assert.deepEqual(first, {
        variants: [firstVariant, { ...firstVariant, ...change }],
        told: [message],
        failed: undefined,
      });
      assert.deepEqual((await send(begin, request)).variants, [{ ...firstVariant, ...change }]);
      assert.deepEqual((await send(begin, { ...request, model: "another" })).variants, [firstVariant], "per model");
    });

    it(`${row}, S6: ${JSON.stringify(message)} said again is told, and nothing is remembered`, async () => {
      const begin = createRequestVariants("v1");
      const { variants, failed } = await send(begin, request, ...Array<string>(9).fill(message));
      // What the refusal names is left out before it is given up (field 15).
      const leftOut = request === thinker ? [{ type: "thinking", value: "low" }] : [];
      assert.deepEqual([variants.length, failed], [2 + leftOut.length, message]);
      assert.deepEqual(variants.at(-1)?.leftOut, leftOut);
      assert.deepEqual((await send(begin, request)).variants, [firstOf(request)]);
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
    [ask("messages"), "messages.1.content.0: Invalid `signature` in `thinking` block"],
    [generate, "contents is not specified"],
  ] as const) {
    it(`S6: ${request.family}: ${JSON.stringify(message)} is told at once`, async () => {
      const { variants, failed } = await send(createRequestVariants("v1"), request, message);
      assert.deepEqual([variants.length, failed], [1, message]);
    });
  }

  it("S6: only a 400 or a 422 is about the variant", async () => {
    const said = "Unknown field: stream_options";
    assert.equal(
      (await send(createRequestVariants("v1"), ask("chat-completions"), refusal(said, 422))).variants.length,
      2,
    );
    for (const status of [401, 403, 429, 500]) {
      const { variants } = await send(createRequestVariants("v1"), ask("chat-completions"), refusal(said, status));
      assert.equal(variants.length, 1, String(status));
    }
  });

  it("S6: one thing after the other can be refused, each once, and all of it is remembered", async () => {
    const begin = createRequestVariants("v1");
    const request: ChatRequest = { ...calling, options: { maxOutputTokens: 9 } };
    const { variants, told } = await send(
      begin,
      request,
      "no stream_options",
      "content is null",
      "max_tokens: unexpected",
    );
    const last = { ...firstOf(request), streamOptions: false, emptyContent: "", limitField: "max_completion_tokens" };
    assert.deepEqual([variants.length, variants.at(-1), told.length], [4, last, 3]);
    assert.deepEqual((await send(begin, request)).variants, [last]);
  });

  it("S6: another refusal of another variant is the one that is told", async () => {
    const { failed } = await send(
      createRequestVariants("v1"),
      ask("chat-completions"),
      "no stream_options",
      "no such model",
    );
    assert.equal(failed, "no such model");
  });

  it("S6: a request that is tried again later does not begin with what was refused", async () => {
    const varied = createRequestVariants("v1")(ask("chat-completions"));
    const variants: boolean[] = [];
    const failures = [refusal("no stream_options"), refusal("busy", 503)];
    const next = (variant: RequestVariant): Promise<string> => {
      variants.push((variant as AnyVariant).streamOptions);
      const failure = failures.shift();
      return failure === undefined ? Promise.resolve("answer") : Promise.reject(failure);
    };
    await assert.rejects(
      varied.send(next, () => undefined),
      { message: "busy" },
    );
    await varied.send(next, () => undefined);
    assert.deepEqual(variants, [true, false, false]);
  });

  it("S5: an abort is no refusal", async () => {
    const abort = new DOMException("stream_options", "AbortError");
    const varied = createRequestVariants("v1")(ask("chat-completions"));
    await assert.rejects(
      varied.send(
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
      const begin = createRequestVariants("v1");
      const { variants } = await send(begin, ask("messages", { messages: inLoop }), said);
      assert.deepEqual(
        variants.map(({ refusedSignatures }) => [...refusedSignatures]),
        [[], ["old"]],
      );
      const later = [...inLoop, user, answered("messages", thinking("later"), call)];
      const [variant] = (await send(begin, ask("messages", { messages: later }))).variants;
      assert.deepEqual([...variant!.refusedSignatures], ["old"], "what came since is still sent");
    });

    it("S6: refused again, the first answer is told and nothing remembered", async () => {
      const begin = createRequestVariants("v1");
      const second = "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified";
      const { variants, failed } = await send(begin, ask("messages", { messages: inLoop }), said, second);
      assert.deepEqual([variants.length, failed], [2, said]);
      assert.equal((await send(begin, ask("messages"))).variants[0]!.refusedSignatures.size, 0);
    });

    it("S6: where only the work that goes on has thinking, the error is told at once", async () => {
      const messages = [user, answered("messages", thinking("new"), call)];
      assert.equal((await send(createRequestVariants("v1"), ask("messages", { messages }), said)).variants.length, 1);
      const foreign = finished.map((one) => (one.role === "assistant" ? { ...one, model: "other" } : one));
      assert.equal(
        (await send(createRequestVariants("v1"), ask("messages", { messages: foreign }), said)).variants.length,
        1,
      );
    });

    it("S6: a loop that should have begun with thinking can't be mended by leaving out more", async () => {
      const missing =
        "Expected `thinking` or `redacted_thinking`, but found `text`. It must start with a thinking block.";
      assert.equal(
        (await send(createRequestVariants("v1"), ask("messages", { messages: inLoop }), missing)).variants.length,
        1,
      );
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
        const begin = createRequestVariants("v1");
        const { variants, told } = await send(begin, ask("generate-content", { messages }), said, said);
        assert.deepEqual(
          variants.map(({ refusedSignatures }) => [...refusedSignatures]),
          [[], [], ["old"]],
        );
        assert.equal(told.length, 2);
      });
    }

    it("S6: what the second try mends is not remembered", async () => {
      const begin = createRequestVariants("v1");
      await send(begin, ask("generate-content", { messages }), "Corrupted thought signature");
      assert.deepEqual((await send(begin, ask("generate-content", { messages }))).variants, [firstOf(generate)]);
    });

    it("S6: without older signatures it is told after the second try", async () => {
      const { variants } = await send(
        createRequestVariants("v1"),
        generate,
        ...Array<string>(3).fill("Corrupted thought signature"),
      );
      assert.equal(variants.length, 2);
    });
  });

  const notFound = new AppFailure({ kind: "not-found", message: "Not Found", status: 404 });

  describe("the prefix of the path", () => {
    const prefixes = ({ variants }: { readonly variants: readonly RequestVariant[] }): readonly string[] =>
      variants.map(({ version }) => version);

    it("S6: is changed once, and remembered for all models", async () => {
      const begin = createRequestVariants("v1");
      assert.deepEqual(prefixes(await send(begin, generate, notFound)), ["v1", "v1beta"]);
      assert.deepEqual(prefixes(await send(begin, { ...generate, model: "another" })), ["v1beta"]);
    });

    it("S6: from what the address ends in to the other", async () => {
      assert.deepEqual(prefixes(await send(createRequestVariants("v1beta"), generate, notFound)), ["v1beta", "v1"]);
    });

    it("S6: one that is set is the only one", async () => {
      const variants: string[] = [];
      const varied = createRequestVariants("v1")(generate, { version: "v1beta" });
      const next = ({ version }: RequestVariant): Promise<never> => {
        variants.push(version);
        return Promise.reject(notFound);
      };
      await assert.rejects(
        varied.send(next, () => undefined),
        notFound,
      );
      assert.deepEqual(variants, ["v1beta"]);
    });

    it("S6: a 404 about the model at the second prefix is the one that is told", async () => {
      const ofModel = new AppFailure({ kind: "not-found", message: "The model m does not exist", status: 404 });
      assert.equal(
        (await send(createRequestVariants("v1"), generate, notFound, ofModel)).failed,
        ofModel.error.message,
      );
    });
  });

  describe("the place of the key and the version", () => {
    const refused = new AppFailure({ kind: "unauthorized", message: "Missing API key", status: 401 });
    const access = ({ variants }: { readonly variants: readonly RequestVariant[] }): readonly unknown[] =>
      variants.map(({ keyPlace, version, headerVersion }) => [keyPlace, headerVersion ?? version]);
    const messages = ask("messages");
    /** The learnt access of two origins, and what a new gateway of the first one begins with. */
    const remembered = () => {
      const kept: { entries: unknown } = { entries: undefined };
      const learnt = new LearntAccess({
        read: () => kept.entries,
        write: (entries) => (kept.entries = JSON.parse(JSON.stringify(entries)) as unknown),
      });
      return { kept, learnt, begin: () => createRequestVariants("v1", learnt.at("https://a.example")) };
    };

    it("C5, S6: the key goes into the family's own header once it was refused, and that is kept for the origin until it is forgotten", async () => {
      const { learnt, begin } = remembered();
      assert.deepEqual(access(await send(begin(), messages, refused)), [
        ["bearer", "v1"],
        ["x-api-key", "v1"],
      ]);
      assert.deepEqual(access(await send(begin(), generate, refused, notFound)), [
        ["bearer", "v1"],
        ["x-goog-api-key", "v1"],
        ["x-goog-api-key", "v1beta"],
      ]);
      const connected = begin();
      assert.deepEqual(access(await send(connected, { ...messages, model: "another" })), [["x-api-key", "v1"]]);
      assert.deepEqual(access(await send(connected, generate)), [["x-goog-api-key", "v1beta"]]);
      assert.deepEqual(access(await send(connected, ask("chat-completions"))), [["bearer", "v1"]]);
      assert.deepEqual(learnt.of("https://b.example"), []);
      learnt.forget("https://a.example");
      assert.deepEqual(access(await send(connected, generate)), [["bearer", "v1"]], "also while it is connected");
    });

    it("C5: a place that is refused later is left again, and nothing stays to be forgotten", async () => {
      const { learnt, begin } = remembered();
      await send(begin(), messages, refused);
      assert.deepEqual(access(await send(begin(), messages, refused)), [
        ["x-api-key", "v1"],
        ["bearer", "v1"],
      ]);
      assert.deepEqual(learnt.of("https://a.example"), []);
    });

    it("C5: a key that both places refuse is told as it was first, and teaches nothing", async () => {
      const { learnt, begin } = remembered();
      const again = new AppFailure({ kind: "unauthorized", message: "No key in x-api-key", status: 401 });
      const { variants, failed } = await send(begin(), messages, refused, again);
      assert.deepEqual([variants.length, failed], [2, "Missing API key"]);
      assert.deepEqual(learnt.of("https://a.example"), []);
    });

    it("C5: a refusal of the key is told as it was first, whatever the refusal at the other place says; other failures there are told", async () => {
      const failure = (kind: AppErrorKind, status: number) => new AppFailure({ kind, message: kind, status });
      for (const request of [messages, generate]) {
        for (const second of [failure("forbidden", 403), failure("rejected", 400)])
          assert.equal((await send(remembered().begin(), request, refused, second)).failed, "Missing API key");
        for (const second of [failure("unavailable", 503), failure("insufficient-balance", 402)])
          assert.equal((await send(remembered().begin(), request, refused, second)).failed, second.error.message);
      }
    });

    it("C5: a version that a refusal names is sent; without one the refusal is told", async () => {
      const { begin } = remembered();
      const named = "anthropic-version: 2023-06-01 is not served, use 2026-10-21";
      assert.deepEqual(access(await send(begin(), messages, named)), [
        ["bearer", "v1"],
        ["bearer", "2026-10-21"],
      ]);
      assert.deepEqual(access(await send(begin(), messages)), [["bearer", "2026-10-21"]]);
      const { failed } = await send(createRequestVariants("v1"), messages, "anthropic-version is not served");
      assert.equal(failed, "anthropic-version is not served");
    });

    it("C2, C5: what is set is not changed by a refusal; an unreadable memory and one of other shapes teaches nothing", async () => {
      const { kept, learnt, begin } = remembered();
      const prescribed = begin()(messages, { keyPlace: "bearer", headerVersion: "2023-06-01" });
      let count = 0;
      const refuse = (): Promise<never> => {
        count += 1;
        return Promise.reject(refused);
      };
      await assert.rejects(
        prescribed.send(refuse, () => undefined),
        refused,
      );
      assert.equal(count, 1);
      const entry = { origin: "https://a.example", family: "messages" };
      for (const entries of ["x", [1, { ...entry, keyPlace: "query" }], [{ ...entry, headerVersion: "x\ny" }]]) {
        kept.entries = entries;
        assert.deepEqual(learnt.of("https://a.example"), []);
      }
    });
  });
});
