/** What the build puts into the files that are loaded at the start: chat, tools and network come with their first use. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { filesOf } from "../support/startChunks";

describe("the build", () => {
  const later =
    /node_modules\/(undici|socks|ip-address|eventsource-parser|diff|lowlight|highlight\.js)\/|^src\/(chat|tools|webview|localGateway|protocol)\/|^src\/gateway\/(http|stream|families|tasks)\//;
  const strangers = (part: string): readonly string[] => filesOf(part).inputs.filter((input) => later.test(input));

  it("F5: the entry holds only what registers commands and views", () => {
    const { inputs } = filesOf("extension");
    assert.deepEqual(
      inputs.filter(
        (input) => !/^src\/(extension|base\/\w+|tasks\/settledMark|vscode\/(firstUse|ids))\.ts$/.test(input),
      ),
      [],
    );
  });

  it("F5: the first part holds nothing of chat, tools and network", () => {
    assert.deepEqual(strangers("mountTasks"), []);
    assert.ok(filesOf("mountTasks").inputs.includes("src/tasks/board.ts"));
  });

  it("F5: the network is in a part of its own, with one HTTP parser and nothing of undici that Sluice does not use", () => {
    const { inputs } = filesOf("httpGateway");
    const undici = inputs.flatMap((input) => /undici\/(.*)$/.exec(input)?.[1] ?? []);
    assert.ok(undici.includes("lib/dispatcher/pool.js"));
    assert.deepEqual(
      undici.filter((file) =>
        /(fetch|websocket|cookies|eventsource|mock|cache|interceptor|handler|milo|client-h2)/.test(file),
      ),
      [],
    );
    assert.deepEqual(
      undici.filter((file) => file.endsWith("-wasm.js")),
      ["lib/llhttp/llhttp_simd-wasm.js"],
    );
  });

  it("F5: the page loads the highlighter with the first code block", () => {
    const outputs = JSON.parse(readFileSync("dist/meta.json", "utf8")) as {
      outputs: Record<string, { inputs: object }>;
    }[];
    const page = outputs
      .flatMap((one) => Object.entries(one.outputs))
      .find(([file]) => file === "dist/webview/chat.js");
    assert.ok(page);
    assert.deepEqual(
      Object.keys(page[1].inputs).filter((input) => /lowlight|highlight\.js/.test(input)),
      [],
    );
  });
});
