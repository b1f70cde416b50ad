// Runs in the extension host of each window, and never ends: shows the Sluice view and a document, asks for the key in the first window, and counts how often the thread of a store tells the window of a change.
const { appendFileSync, existsSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const { Worker } = require("node:worker_threads");
const vscode = require("vscode");

/** `notices`: a folder with a file for each window, named after its process, that grows by a byte with each change. @type {{ notices: string, document: string }} */
const { notices, document } = JSON.parse(process.env["SLUICE_BENCH_IDLE"] ?? "{}");

function countChanges() {
  const file = path.join(notices, String(process.pid));
  writeFileSync(file, "");
  const { emit } = Worker.prototype;
  Worker.prototype.emit = function (name, ...args) {
    const [message] = args;
    if (name === "message" && message?.type === "changed") appendFileSync(file, "c");
    return emit.call(this, name, ...args);
  };
}

exports.run = async function run() {
  await vscode.commands.executeCommand("workbench.view.extension.sluice");
  await vscode.commands.executeCommand("sluice.tasks.focus");
  await vscode.window.showTextDocument(vscode.Uri.file(document));
  const asked = path.join(notices, "key");
  if (!existsSync(asked)) {
    writeFileSync(asked, "");
    await vscode.commands.executeCommand("sluice.key.set");
  }
  countChanges();
  await new Promise(() => undefined);
};
