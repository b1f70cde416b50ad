// A3, A13: questions about commands in recorded tasks of a model that had a shell alone: with no longer yes, with rules, with the session's profile, in the sandbox.
import { createReadStream } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";

const goal = 5;
/** What is reached. */
const limit = 12;
/** Where the recorded tasks ran. */
const root = "/testbed";

/** @typedef {{ readonly read: number, readonly edits: readonly string[], readonly commands: readonly string[] }} Step what our tools would have done in place of one recorded command */
/** @typedef {"none" | "rules" | "profile" | "sandbox"} Mode */

/** @param {import("../agent.bench.mjs").AgentBench} bench @returns {Promise<import("../verdicts.mjs").Verdict[]>} */
export default async function questions({ subject, data }) {
  const parts = await subject("bench/agent/questions.subject.mjs");
  /** @type {{ commands: string[], module: string }[]} */
  const runs = [];
  const lines = createInterface({
    input: createReadStream(path.join(data, "runs.jsonl.gz")).pipe(createGunzip()),
  });
  for await (const line of lines) {
    /** @type {{ task: string, rounds: { commands: string[] }[] }} */
    const { task, rounds } = JSON.parse(line);
    const [, module = ""] = /__([a-z]+)/.exec(task) ?? [];
    runs.push({ module, commands: rounds.flatMap(({ commands }) => commands) });
  }
  /** @type {Record<Mode, { commands: number[], edits: number[] }>} */
  const asked = { none: none(), rules: none(), profile: none(), sandbox: none() };
  for (const { commands, module } of runs) {
    const steps = commands.map((command) => stepOf(command));
    for (const mode of /** @type {Mode[]} */ (Object.keys(asked))) {
      const { commands: ofCommands, edits } = await play({ ...parts, module }, steps, mode);
      asked[mode].commands.push(ofCommands);
      asked[mode].edits.push(edits);
    }
  }
  console.log(
    `${runs.length} recorded tasks; what file tools replace counts as those. Questions a task, median (mean):`,
  );
  const words = {
    none: "no longer yes",
    rules: "each rule that is offered",
    profile: "the profile, then rules",
    sandbox: "the sandbox",
  };
  for (const mode of /** @type {Mode[]} */ (Object.keys(asked))) {
    const { commands, edits } = asked[mode];
    console.log(`  ${words[mode]}: commands ${figure(commands)}, edits ${figure(edits)}`);
  }
  const before = median(asked.none.commands);
  const today = median(asked.profile.commands);
  console.log(`  commands before ${before}, with the longest yes ${today}`);
  const why =
    "a rule is the line itself, so a line with another option asks; installers and code in the command ask each time, four in a task; where their output, or that of a script outside of the workspace, is text of others, the profile ends";
  return [
    {
      what: "questions about commands in a task, median, longest yes",
      ...{ today, limit, unit: "questions" },
      missed: { goal, why },
    },
    {
      what: "questions about commands in a task, median, in the sandbox",
      ...{ today: median(asked.sandbox.commands), limit: 2, unit: "questions" },
      missed: { goal: 0, why: "installers need the network, and each of their commands asks for it" },
    },
  ];
}

const none = () => ({ commands: /** @type {number[]} */ ([]), edits: /** @type {number[]} */ ([]) });

/** @param {number[]} values */
function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** @param {number[]} values */
function figure(values) {
  return `${median(values)} (${(values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(1)})`;
}

/** How the model would hand in its change: no part of the task here. */
const handingIn = /COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|\bpatch\.txt\b/;
const heredoc =
  /(?:cat|tee)\s*(?:>+\s*)?(?<before>[^\s<>|&;]+)?\s*<<-?\s*['"]?(?<end>\w+)['"]?(?:\s*>+\s*(?<after>\S+))?[^\n]*\n[\s\S]*?\n\k<end>(?=\n|$)/g;
const script = /(?:python[\d.]*)\s*-?\s*<<-?\s*['"]?(?<end>\w+)['"]?[^\n]*\n(?<code>[\s\S]*?)\n\k<end>(?=\n|$)/g;
const readers = new Set(
  "cat sed head tail grep egrep fgrep rg find ls nl wc tree awk diff sort uniq cut pwd echo file stat basename xargs".split(
    " ",
  ),
);
const listers = /^git (?:diff|status)\b/;

/** @param {string} recorded @returns {Step} */
function stepOf(recorded) {
  /** @type {string[]} */
  const edits = [];
  let read = 0;
  if (handingIn.test(recorded)) return { read: 1, edits, commands: [] };
  let text = recorded.replaceAll(heredoc, (_whole, ...rest) => {
    const groups = rest.at(-1);
    edits.push(groups.before ?? groups.after ?? "new.txt");
    return "";
  });
  text = text.replaceAll(script, (_whole, ...rest) => {
    const { code } = rest.at(-1);
    // One command, in one line.
    if (!touchesFiles(code)) return "python -";
    if (writes(code)) edits.push(namedIn(code));
    else read += 1;
    return "";
  });
  /** @type {string[]} */
  const commands = [];
  for (const command of linesOf(text)) {
    const kind = kindOf(command);
    if (kind === "read") read += 1;
    else if (kind === "edit") edits.push(namedIn(command));
    else commands.push(command);
  }
  return { read, edits, commands };
}

/** Lines outside of quotes; a comment is none. @param {string} text */
function linesOf(text) {
  const found = [];
  let line = "";
  let quote = "";
  for (const [at, character] of Array.from(text).entries()) {
    if (quote === "" && character === "\n" && !line.endsWith("\\")) {
      found.push(line);
      line = "";
      continue;
    }
    if (quote === "" && (character === "'" || character === '"') && !(at > 0 && line.endsWith("\\"))) quote = character;
    else if (character === quote && !(quote === '"' && line.endsWith("\\"))) quote = "";
    line += character;
  }
  return [...found, line]
    .map((one) =>
      one
        .trim()
        .replace(/^(?:&&|;)\s*/, "")
        .replace(/\s*(?:&&|;)$/, ""),
    )
    .filter((one) => one !== "" && !one.startsWith("#") && !/^cd \S+$/.test(one));
}

/** @param {string} command @returns {"read" | "edit" | "command"} */
function kindOf(command) {
  const line = command.replace(/^cd \S+ *(?:&&|;) */, "");
  const code = /^python[\d.]* -c (?<code>["'][\s\S]*)$/.exec(line)?.groups?.["code"];
  if (code !== undefined) return touchesFiles(code) ? (writes(code) ? "edit" : "read") : "command";
  if (/^(?:sed -i|sed --in-place|patch\b|git apply\b|mv\b|rm (?!-r)|touch\b)/.test(line)) return "edit";
  if (listers.test(line) && !/>/.test(line.replace(/\d?>(?:&1|\/dev\/null)/g, ""))) return "read";
  // What reads files may have been written in ways that only a shell reads, such as globs.
  const quiet = line
    .replaceAll(/\d?>(?:&1|\s*\/dev\/null)/g, "")
    .replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "_")
    .replaceAll(/\\./g, "");
  if (/[><`]|\$\(/.test(quiet)) return "command";
  const programs = quiet.split(/&&|\|\|?|;/).map((part) => /^\s*([\w./-]+)/.exec(part)?.[1] ?? "");
  return programs.every((program) => readers.has(program) || program === "true") &&
    programs.some((one) => one !== "echo")
    ? "read"
    : "command";
}

/** @param {string} code */
const touchesFiles = (code) => /\bopen\(|read_text|write_text|fileinput/.test(code);
/** @param {string} code */
const writes = (code) => /open\([^)]*,\s*\\?["'][wa]|\.write\(|write_text|writelines/.test(code);
/** @param {string} code */
const namedIn = (code) => /[\w./-]+\.(?:py|sql|cfg|txt|md|rst|toml|html|js|json|ya?ml)\b/.exec(code)?.[0] ?? "new.py";

/** @param {any} product @param {readonly Step[]} steps @param {Mode} mode */
async function play(product, steps, mode) {
  const { Guard, GrantRules, filePolicy } = product;
  let kept = { rules: [], changed: [] };
  const rules = new GrantRules(
    { read: async () => kept, change: async (/** @type {any} */ edit) => void (kept = edit(kept)) },
    { now: () => 0 },
  );
  const guard = new Guard({ rules, files: filePolicy, log: { warn() {} } });
  const chat = { id: "chat" };
  /** @type {Set<string>} */
  const foreign = new Set();
  /** @type {{ source: string } | undefined} */
  let read;
  const asked = { commands: 0, edits: 0 };
  /** @param {any} call @param {"commands" | "edits"} what */
  const ask = async (call, what) => {
    const judgement = await guard.judge(call, chat, read);
    if (judgement.rules) {
      await guard.use(judgement.rules, call, chat);
      return;
    }
    asked[what] += 1;
    if (judgement.changed) await guard.noteSeen(judgement.changed);
    const scopes =
      mode === "profile" ? ["full-profile", "workspace", "session"] : mode === "rules" ? ["workspace", "session"] : [];
    const offer = scopes.flatMap((scope) =>
      judgement.offers.filter((/** @type {any} */ one) => one.scope === scope),
    )[0];
    if (offer) await guard.grant(offer, chat);
  };
  for (const { edits, commands } of steps) {
    for (const edit of edits) {
      const file = inRoot(edit);
      await ask({ reasons: ["writes-file"], grant: { type: "file", change: "edit", path: file } }, "edits");
      foreign.delete(file);
    }
    for (const line of commands) {
      if (mode === "sandbox") {
        // The model asks for the network where it reads that there is none.
        if (needsNetwork(line)) asked.commands += 1;
        continue;
      }
      const command = readLine(product, line, foreign);
      await ask(command.call, "commands");
      if (read === undefined && writesText(line) && !(await isOwn(product, command, foreign))) read = { source: line };
    }
  }
  return asked;
}

/** The output of an installer that succeeds is kept back. @param {string} line */
const writesText = (line) =>
  !/^pip3? install\b[^;&]*$|^pip3? install\b.*2>&1 \| tail[^;&]*$/.test(line.replace(/^cd \S+ *(?:&&|;) */, ""));

/** @param {string} line */
const needsNetwork = (line) =>
  /\b(?:pip3? (?:install|download)|-m pip install|conda install|(?:npm|pnpm|yarn) (?:i|install|ci|add)\b|apt(?:-get)? |git (?:clone|fetch|pull|push)|curl |wget )/.test(
    line,
  );

/** @param {string} given */
function inRoot(given) {
  return path.posix.relative(root, path.posix.resolve(root, given)) || ".";
}

/** What `run_command` would prepare. @param {any} product @param {string} line @param {ReadonlySet<string>} foreign */
function readLine(product, line, foreign) {
  const read = product.readCommandLine(line, false);
  const folder = read?.folder === undefined ? root : path.posix.resolve(root, read.folder);
  if (read === undefined || (folder !== root && !folder.startsWith(`${root}/`)))
    return { line, parts: undefined, call: { reasons: ["runs-command", "shell"] } };
  const parts = read.parts.map((/** @type {any} */ part) =>
    product.granted(part, namedPaths(product, part.argv, foreign)),
  );
  const label = path.posix.relative(root, folder) || ".";
  const grant = { type: "command", folder: label, isOwnFolder: true, parts };
  return { line: read.line, parts: read.parts, call: { reasons: ["runs-command"], grant } };
}

/** @param {any} product @param {{ line: string, parts: any }} command @param {ReadonlySet<string>} foreign */
function isOwn(product, { line, parts }, foreign) {
  return product.isOwnOutput(
    product,
    { line: line.replace(/^cd \S+ *(?:&&|;) */, ""), ...(parts && { parts }) },
    async (/** @type {readonly string[]} */ words) => namedPaths(product, words, foreign),
  );
}

/**
 * The disk of the recorded tasks is not there: a word that reads as a path below the root is a file of the project, or a folder
 * where it has no ending; the tasks ran on fresh checkouts. @param {any} product @param {readonly string[]} words @param {ReadonlySet<string>} foreign
 */
function namedPaths(product, words, foreign) {
  /** @type {{ files: string[], folders: string[], modules: string[], writable: string[], foreign: string[] }} */
  const paths = { files: [], folders: [], modules: [], writable: [], foreign: [] };
  for (const word of words) {
    // The package that the task is about, and its tests.
    const module = word.replace(/^--settings=/, "");
    if (module.split(".", 1)[0] === product.module || /^(?:\w+\.)*\w*tests?(?:[._]\w[\w.]*)?$/.test(module))
      paths.modules.push(module);
    const file = inRoot(word.split("::", 1)[0] ?? "");
    if (product.leadsOut(word) || product.mayNameSecret(word) || foreign.has(file)) paths.foreign.push(word);
    else if (word.startsWith("-")) continue;
    else if (file.startsWith("../")) paths.foreign.push(word);
    else if (/^[^\s]*\.[a-z]\w*$/i.test(file) && !/^\d/.test(file)) {
      paths.files.push(word);
      if (!product.filePolicy.isExecuted?.(file)) paths.writable.push(word);
    } else if (/^[\w.-]+(?:\/[\w.-]+)*$/.test(file) && (word.includes("/") || file === ".")) paths.folders.push(word);
  }
  return paths;
}
