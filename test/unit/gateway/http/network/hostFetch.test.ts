/** How the errors of VS Code's fetch are read. */
import assert from "node:assert/strict";
import { defaultLimits } from "../../../../../src/gateway/http/network/wire";
import { sendByHostFetch } from "../../../../../src/gateway/http/network/transport";
import { readTransportError } from "../../../../../src/gateway/http/network/transportError";

describe("hostFetch", () => {
  const nodeFetch = globalThis.fetch;
  afterEach(() => {
    globalThis.fetch = nodeFetch;
  });

  /** The code of the error that a body ends with. */
  const codeOf = async (failure: Error): Promise<string | undefined> => {
    globalThis.fetch = () =>
      Promise.resolve(new Response(new ReadableStream({ pull: (controller) => controller.error(failure) })));
    const url = new URL("https://gateway.example/v1/models");
    const request = { method: "GET", url, headers: {}, firstByte: 1000, alone: false } as const;
    const { body } = await sendByHostFetch(request, defaultLimits);
    const error: unknown = await body[Symbol.asyncIterator]()
      .next()
      .catch((reason: unknown) => reason);
    return readTransportError(error).code;
  };

  it("S3 (finding 37): a lost connection has a code, whatever the text of the fetch is", async () => {
    assert.equal(await codeOf(new TypeError("terminated")), "UND_ERR_SOCKET");
    assert.equal(await codeOf(new TypeError("network error")), "UND_ERR_SOCKET");
    const reset = Object.assign(new Error("reset"), { code: "ECONNRESET" });
    assert.equal(await codeOf(new TypeError("terminated", { cause: reset })), "ECONNRESET");
    assert.equal(await codeOf(new Error("something else")), undefined);
  });
});
