/** On which port a command serves, by what servers and clients print. */
import assert from "node:assert/strict";
import { ServedPort } from "../../../../src/tools/command/backgroundProcesses";

const portOf = (...pieces: readonly string[]): number | undefined => {
  const served = new ServedPort();
  return pieces.map((piece) => served.add(piece)).find((port) => port !== undefined);
};

describe("the port that a command serves", () => {
  it("A13: is that of the address by which a server says that it listens", () => {
    const lines: [string, number][] = [
      ["  ➜  Local:   http://localhost:5173/", 5173],
      ["Serving HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ...", 8000],
      [" * Running on http://127.0.0.1:5000", 5000],
      ["Starting development server at http://127.0.0.1:8001/", 8001],
      ["INFO:     Uvicorn running on http://127.0.0.1:8002 (Press CTRL+C to quit)", 8002],
      ["* Listening on http://[::1]:3000", 3000],
      ["PHP 8.3 Development Server (http://localhost:8003) started", 8003],
      ["INFO: Accepting connections at http://localhost:3001", 3001],
      ["    http://localhost:8888/lab?token=abc", 8888],
      ["API listening on http://localhost:3002, for the app at http://localhost:3003", 3002],
    ];
    for (const [line, port] of lines) assert.equal(portOf(`${line}\n`), port, line);
  });

  it("A13: is not that of an address that a client prints, nor one of another machine", () => {
    for (const line of [
      "GET http://localhost:9999",
      "[ready] GET http://localhost:9999/health 200",
      "Waiting for the server at http://localhost:9999",
      "Server error: connect ECONNREFUSED http://localhost:9999/",
      "fetching http://localhost:9999/open",
      "Running 12 tests against http://localhost:9999",
      "{ url: 'http://localhost:9999' }",
      "Listening on http://example.com:9999",
      "Listening on http://localhost:99999",
    ])
      assert.equal(portOf(`${line}\n`), undefined, line);
  });

  it("A13: is read to its end, wherever the output is cut", () => {
    const text = "Building\nListening on http://localhost:5173/\nReady\n";
    for (let at = 0; at <= text.length; at += 1) assert.equal(portOf(text.slice(0, at), text.slice(at)), 5173, `${at}`);
    assert.equal(portOf(...text.split("")), 5173);
    assert.equal(portOf("Listening on http://localhost:51"), undefined);
    assert.equal(portOf("x".repeat(5000), " Listening on http://localhost:51", "73\n"), 5173);
  });
});
