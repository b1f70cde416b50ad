/** A task as a shell command: the key is not in it, and a POSIX shell reads what was sent. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { taskCurl } from "../../../../src/tasks/submit/requestBody";
import { accepted, home, makeTask } from "../../../support/builders";

describe("a task as curl", () => {
  it("T7: the request that creates it, with a variable in place of the key", () => {
    assert.deepEqual(taskCurl(makeTask(), '{"prompt":"a"}')?.split(" \\\n  "), [
      "curl 'https://gateway.example/v1/tasks'",
      '-H "Authorization: Bearer $SLUICE_API_KEY"',
      "-H 'Content-Type: application/json'",
      `--data-raw '{"prompt":"a"}'`,
    ]);
  });

  it("T7: whatever is in the prompt or the address, a shell gives it to curl unchanged and runs nothing of it", function () {
    if (process.platform === "win32") this.skip();
    const body = JSON.stringify({ prompt: "it's $(touch /tmp/x) `id` \"q\" \\ ! ; \n 'x' ''" });
    const baseUrl = "https://gateway.example/v1?a='$(id)'";
    const command = taskCurl(makeTask({ intent: { home: { ...home, baseUrl } } }), body) ?? "";
    // The shell's own `printf` in place of curl: each argument, ended by a NUL.
    const script = command.replace(/^curl/, String.raw`printf '%s\0'`);
    const printed = execFileSync("sh", ["-c", script], { encoding: "utf8", env: { SLUICE_API_KEY: "k" } });
    assert.deepEqual(printed.split("\0"), [
      `${baseUrl}/tasks`,
      "-H",
      "Authorization: Bearer k",
      "-H",
      "Content-Type: application/json",
      "--data-raw",
      body,
      "",
    ]);
  });

  it("T7, T14: a task from elsewhere has no body: the request that reads it", () => {
    const watched = { isWatched: true } as const;
    const task = makeTask({ intent: watched, submission: accepted({}, { taskId: "a/b'c" }) });
    assert.match(taskCurl(task, undefined) ?? "", /^curl 'https:\/\/gateway\.example\/v1\/tasks\/a%2Fb'\\''c' \\\n/);
    assert.equal(taskCurl(makeTask({ intent: watched }), undefined), undefined);
  });
});
