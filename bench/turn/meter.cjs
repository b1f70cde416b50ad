// An extension next to the product, in the same extension host. It meters the CPU that the host had used when a request's last byte was written, and
// when each piece of an answer came.
const { subscribe } = require("node:diagnostics_channel");
const { createServer } = require("node:http");
const { setTimeout: delay } = require("node:timers/promises");

/** Returns the milliseconds of all threads of the host. */
function used() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Waits until the host has nothing else to do. */
async function settle() {
  for (;;) {
    const before = performance.eventLoopUtilization();
    await delay(300);
    if (performance.eventLoopUtilization(before).utilization < 0.03) return;
  }
}

exports.activate = async function activate() {
  let begun = 0;
  /** @type {{ what: "sent" | "received", cpu: number }[]} since `begun` */
  let marks = [];
  /** @param {"sent" | "received"} what @returns {(message: any) => void} */
  const mark = (what) => (message) => {
    if (message.request.path.endsWith("/chat/completions")) marks.push({ what, cpu: used() - begun });
  };
  subscribe("undici:request:bodySent", mark("sent"));
  subscribe("undici:request:bodyChunkReceived", mark("received"));
  const server = createServer((request, response) => {
    if (request.url === "/marks") {
      response.end(JSON.stringify(marks));
      return;
    }
    void settle().then(() => {
      marks = [];
      response.on("finish", () => (begun = used()));
      response.end();
    });
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    void fetch(`${process.env["SLUICE_BENCH_TURN"]}/meter`, { method: "POST", body: String(port) });
  });
};
