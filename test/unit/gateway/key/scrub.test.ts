/** What the removal of the key takes, what it leaves, and how long it needs. */
import assert from "node:assert/strict";
import { createKeylessLog, createScrub, createStreamScrub } from "../../../../src/gateway/scrub";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import { keptLog } from "../../../support/builders";
import { assertLinear } from "../../../support/growth";

const key = "sk-Tq7mWz3RkX9vLp2Bn8Yc5Hd1-Gf6Js4Ua0Eo";
const scrub = createScrub(key);
const text = (from: string): string => scrub.text(from);

describe("scrub", () => {
  it("C2 (finding S13): leaves text without the key as it is, also where it could be an encoding", () => {
    for (const said of [
      'The model does not exist. Try "gpt-5" or C:\\new\\table, 100% of &lt;users&gt; do.',
      "Incorrect API key provided: sk-Tq7****a0Eo. See https://x.example/a?b=c%20d&e=f+g.",
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
      "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0",
      "余额不足：请充值 🙂 <b>now</b>",
      "",
    ]) {
      assert.equal(text(said), said);
    }
  });

  it("C2 (finding S13): takes the key and nothing beside it", () => {
    const base64 = Buffer.from(`Bearer ${key}`).toString("base64");
    assert.equal(text(`Bad key ${key}.`), "Bad key [key].");
    assert.equal(text(`${key}${key} ${key}`), "[key] [key]");
    assert.equal(text(`a?key=${encodeURIComponent(key)}&b=1`), "a?key=[key]&b=1");
    assert.match(text(`{"Authorization":"Basic ${base64}"}`), /^\{"Authorization":"Basic QmVhcmVyIH\[key\]w==/);
    assert.equal(text(`The key ${key.slice(0, 20)} was cut`), "The key [key] was cut");
    assert.equal(text(`…${key.slice(-10)} ends it`), "…[key] ends it");
  });

  it("C2 (finding S13): cuts after the key is taken out, never through it", () => {
    const before = "x ".repeat(490);
    for (let more = 0; more <= 40; more += 1) {
      const { message } = scrub.error({ kind: "rejected", message: `${before}${"y".repeat(more)}${key}${key}` });
      assert.doesNotMatch(message, /Tq7|7mW/);
    }
    assert.equal(scrub.error({ kind: "rejected", message: key.repeat(100_000) }).message, "[key]");
  });

  it("C2 (finding S13): a name or address is changed only for 12 characters of the key in a row, not for a word of it", () => {
    const wordy = createScrub("sk-demo-image-key-of-my-team");
    const model = { id: "demo-image", url: "https://cdn.example/demo-image.png", list: [1, null, true] };
    assert.equal(wordy.value(model), model);
    assert.deepEqual(scrub.value({ [key]: `https://cdn.example/${key}.png`, same: [key] }), {
      "[key]": "https://cdn.example/[key].png",
      same: ["[key]"],
    });
  });

  it("C2 (finding S13): a short key is no secret: of 6 characters it goes as a whole word, of fewer not at all", () => {
    const six = createScrub("sk-1234");
    assert.equal(six.text("Wrong key sk-1234: use sk-12345."), "Wrong key [key]: use sk-12345.");
    for (const short of ["a", "local", ""]) {
      const said = "a local gateway at local";
      assert.equal(createScrub(short).text(said), said);
    }
    assert.equal(createScrub("!!??##!!??##").text("is !!??##!!??## it"), "is [key] it");
  });

  it("C2 (finding S13): a log has the key neither in its messages nor in its facts", () => {
    const lines: unknown[] = [];
    const note = (...line: readonly unknown[]): void => void lines.push(line);
    const log = createScrub(key).log({ debug: note, info: note, warn: note, error: note });
    log.warn(`failed with ${key}`, { id: key, ms: 3, none: undefined });
    assert.deepEqual(lines, [["failed with [key]", { id: "[key]", ms: 3, none: undefined }]]);
  });

  it("C2 (finding S13): the log of the whole extension hides each key that was used, also an older one", () => {
    const lines = keptLog();
    const keyless = createKeylessLog(lines);
    const older = "sk-0lder9Kq2Vx8Wm4Zt6Yb1";
    for (const one of [older, key, key]) keyless.hide(one);
    keyless.log.error("A command failed.", { message: `${key} and ${older}` });
    assert.deepEqual(lines.lines, ['A command failed. {"message":"[key] and [key]"}']);
  });

  it("R6 (finding S9, S13): of a record what can't be searched in time is left out, of what must come back whole only the key", () => {
    const long = "x".repeat(70_000);
    assert.deepEqual(scrub.record({ a: long, b: `data:,${long}`, c: "c" }), { a: "", b: `data:,${long}`, c: "c" });
    assert.deepEqual(scrub.value([`${long}${key}`, long]), [`${long}[key]`, long]);
    const many = Array.from({ length: 100 }, () => "y".repeat(60_000));
    assert.equal(scrub.record(many).at(-1), "");
    assert.equal(scrub.value(many), many);
  });

  it("R6 (finding S9, S13): the time grows with the length of the text only, whatever it is made of", async () => {
    for (const one of ["%25", "a", " ", key.slice(0, 8), key])
      await assertLinear(
        32_000,
        (length) => {
          const long = one.repeat(length / one.length);
          return () => text(long);
        },
        one,
      );
  });
});

describe("streamScrub", () => {
  const run = (events: readonly ChatEvent[]): readonly ChatEvent[] => {
    const clean = createStreamScrub(key, createScrub(key));
    return events.flatMap((event) => clean(event));
  };
  const delta = (said: string, block = 0): ChatEvent => ({ type: "text-delta", block, text: said });

  it("C2 (finding S13): holds back only what may begin the key, and gives it on when it does not", () => {
    const events = [delta("This is"), delta("k, as sk"), delta("-T"), delta("oast"), delta("s", 1), delta("o", 1)];
    const end: ChatEvent = { type: "message-end", finish: "stop", cut: false };
    const out = run([...events, end]);
    assert.equal(
      out.map((event) => (event.type === "text-delta" ? event.text : "")).join(""),
      "This isk, as sk-Toastso",
    );
    assert.equal(out.at(-1), end);
    const untouched = delta("Hello there.");
    assert.equal(run([untouched])[0], untouched, "the very same object");
  });

  it("C2 (finding S13): a stream that ends inside the key does not end with its beginning", () => {
    const out = run([delta(`It is ${key.slice(0, 30)}`), { type: "message-end", finish: "unknown", cut: true }]);
    assert.deepEqual(out.slice(0, 2), [delta("It is "), delta("[key]")]);
  });
});
