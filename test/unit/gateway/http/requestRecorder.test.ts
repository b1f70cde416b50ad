/** What is kept of a response: the beginning and the end of its bytes, its times, never the key. */
import assert from "node:assert/strict";
import { RequestRecorder } from "../../../../src/gateway/http/requestRecorder";
import { createScrub } from "../../../../src/gateway/scrub";

const key = "sk-canary-0123456789abcdef";
const kept = 65_536;

function record(chunks: readonly Uint8Array[], gap = 10): RequestRecorder {
  let now = 1000;
  const recorder = new RequestRecorder({ scrub: createScrub(key), now: () => now });
  for (const chunk of chunks) {
    now += gap;
    recorder.onChunk(chunk);
  }
  recorder.onEnd();
  return recorder;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("the recorder of a request", () => {
  it("S4: a short body is kept whole, with its times", () => {
    const { received, times } = record([bytes("data: 1\n\n"), bytes("data: 2\n\n")]).trace;
    assert.deepEqual(received, {
      bytes: 18,
      chunks: 2,
      longestGap: 10,
      head: "data: 1\n\ndata: 2\n\n",
      tail: "",
      omitted: 0,
    });
    assert.deepEqual(times, { begun: 1000, firstByte: 1010, lastByte: 1020, ended: 1020 });
  });

  for (const size of [1, 7, 1000, 65_536, 300_000]) {
    it(`S4: of a long body the first and the last 64 KiB are kept, in chunks of ${size} bytes`, () => {
      const whole = Uint8Array.from({ length: 300_000 }, (_, at) => 97 + ((at * 7 + Math.floor(at / 251)) % 26));
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < whole.length; at += size) chunks.push(whole.subarray(at, at + size));
      const { received } = record(chunks).trace;
      const text = new TextDecoder().decode(whole);
      assert.equal(received.bytes, 300_000);
      assert.equal(received.head, text.slice(0, kept));
      assert.equal(received.tail, text.slice(-kept));
      assert.equal(received.omitted, 300_000 - 2 * kept);
    });
  }

  it("S4: between 64 and 128 KiB nothing is left out and nothing is doubled", () => {
    const text = "abcdefghij".repeat(9000);
    const { received } = record([bytes(text.slice(0, 50_000)), bytes(text.slice(50_000))]).trace;
    assert.equal(received.head + received.tail, text);
    assert.equal(received.omitted, 0);
  });

  it("S4: a chunk is copied: its buffer may be used again", () => {
    const chunk = bytes("first");
    const recorder = record([chunk]);
    chunk.fill(0);
    assert.equal(recorder.trace.received.head, "first");
  });

  it("C2, S4: the key is in no part of it", () => {
    const recorder = record([bytes(`data: ${key}\n\n`)]);
    const url = new URL(`https://gateway.example/v1/chat/completions?key=${key}`);
    recorder.onRequest({ method: "POST", url, body: `{"a":"${key}"}`, withKey: true, headers: { "x-note": key } });
    assert.equal(JSON.stringify(recorder.trace).includes(key), false);
  });
});
