// `npm start`: opens a VS Code with Sluice from this folder on a sample workspace. `--headless` prints one line of JSON and runs until it is ended.
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import path from "node:path";
import { beforeLeaving, leave, projectNode, run, startTree, stopTree, plainEnvironment } from "./processes.mjs";
import { endByArgument } from "./desktop.mjs";
import { ensureVsCode, findOnPath, onProjectNode, say } from "./setup.mjs";
import { startVsCodeServer, writeSettings } from "./vscodeServer.mjs";
import { sampleWorkspace, temporaryFolder } from "./workspace.mjs";

await onProjectNode(import.meta.filename);

const { values: options } = parseArgs({
  options: { headless: { type: "boolean" }, server: { type: "boolean" } },
});

say("Building …");
if ((await run(projectNode(), ["esbuild.mjs"], { toStderr: true })).code !== 0) await leave(1);
const folder = await sampleWorkspace();
await makeRepository();
// A desktop VS Code refuses to run as root.
const desktop = options.headless || options.server || process.getuid?.() === 0 ? undefined : await findOnPath("code");

if (desktop) {
  await onDesktop(desktop);
} else {
  await ensureVsCode();
  // The token keeps other pages of the browser out. Headless callers have no cookies to carry one.
  const token = options.headless ? undefined : randomBytes(16).toString("hex");
  const server = await startVsCodeServer(token === undefined ? {} : { connectionToken: token });
  beforeLeaving(server.stop);
  void server.ended.then(() => leave(1));
  const url = server.url({ folder, development: path.resolve(".") });
  if (options.headless) {
    process.stdout.write(`${JSON.stringify({ url, pid: process.pid })}\n`);
  } else {
    say(`\nVS Code with Sluice: ${url}\n`);
    sayWhatToTry();
  }
}

/** Edits of files that git tracks can be reviewed after they have landed. Without git the sample has none. */
async function makeRepository() {
  const who = ["-c", "user.name=Sluice", "-c", "user.email=sample@localhost", "-c", "commit.gpgSign=false"];
  for (const args of [["init"], ["add", "."], [...who, "commit", "-m", "Begin"]]) {
    const { code } = await run("git", ["-C", folder, ...args], { quiet: true }).catch(() => ({ code: 1 }));
    if (code !== 0) return;
  }
}

function sayWhatToTry() {
  say(
    "Try: open hero.prompts.md, select a prompt and run “Sluice: Submit Selection as Task…”; watch it in the Tasks view.",
  );
  say(
    "Try: in the Chat view ask “Replace `hour > 18` with `hour >= 18` in src/greeting.ts”. Ctrl+C here ends everything.",
  );
}

/** @param {string} code the command of a VS Code for the desktop */
async function onDesktop(code) {
  // It has settings and extensions of its own, so that the person's are untouched and this instance can be ended.
  const userData = await temporaryFolder();
  await writeSettings(userData);
  const args = [`--extensionDevelopmentPath=${path.resolve(".")}`, "--new-window", "--wait", "--skip-welcome"];
  args.push(
    "--disable-workspace-trust",
    `--user-data-dir=${userData}`,
    `--extensions-dir=${path.join(userData, "extensions")}`,
  );
  const shell = process.platform === "win32";
  const quoted = [...args, folder].map((arg) => (shell ? `"${arg}"` : arg));
  const child = startTree(shell ? `"${code}"` : code, quoted, { stdio: "ignore", shell, env: plainEnvironment() });
  beforeLeaving(async () => {
    await stopTree(child.pid);
    await endByArgument(userData);
  });
  say("\nVS Code opens with Sluice in a window of its own.\n");
  sayWhatToTry();
  child.on("error", (error) => {
    say(`${code} did not start: ${error.message}`);
    void leave(1);
  });
  child.on("exit", (status) => void leave(status ?? 1));
}
