// F2, F3: the chat page in headless Chromium. A streamed answer against other renderers, and a chat of 2,000 messages.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { launchBrowser } from "../scripts/browser.mjs";
import { measureChatInPage, measureInPage } from "./panel/measure.mjs";
import { serveSubjects } from "./panel/subjects.mjs";
import { createText, cutText, kinds } from "./panel/texts.mjs";

const sizes = [12, 52, 500];
/** Rounds a size; of each update and figure the least counts, because the rest is other load on the machine. */
const rounds = { 12: 8, 52: 5, 500: 3 };
/** Updates in a frame. */
const updates = 8;
/** Milliseconds of updates after which a peer is stopped. */
const budget = 6000;
/** Ours reads the whole text. */
const ownBudget = 120_000;
/** `--kinds=table,list`, `--sizes=12,52` and `--alone` measure a part of it. */
const flags = new Map(
  process.argv
    .filter((word) => word.startsWith("--"))
    .map((word) => /** @type {[string, string]} */ (word.slice(2).split("=", 2))),
);
/** @param {string} name @param {readonly (string | number)[]} all */
const chosen = (name, all) => all.filter((one) => flags.get(name)?.split(",").includes(String(one)) ?? true);
/** A part of streamdown's total at 52 KB; the last tenth to the first; milliseconds of script in one update. */
const limits = { ofStreamdown: 0.2, tenths: 1.2, update: 8 };
/** A long chat: messages of together 10 MB; milliseconds until the last are painted, of script in an update (p95), elements. */
const chat = { messages: 2000, answer: 10_000, shown: 300, update: 8, nodes: 20_000 };

/** @typedef {import("./panel/measure.mjs").Run} Run */
/** @typedef {{ name: string, total: number, first: number, last: number, p99: number, longest: number, collecting: number, layout: number, stoppedAt?: number }} Figures milliseconds of script and layout; the tenths, p99 and longest of script, `collecting` the longest with garbage collection */

/** True when our page is within every limit. */
export async function run() {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-panel-"));
  const { names, origin, close } = await serveSubjects(folder);
  // Frames come as soon as they are asked for, so that 500 KB take seconds.
  const browser = await launchBrowser(["--disable-frame-rate-limit", "--disable-gpu-vsync"]);
  let within = true;
  try {
    console.log("  one update for each chunk of about 20 characters; total: script and layout; the rest: script");
    for (const kind of /** @type {typeof kinds} */ (chosen("kinds", kinds))) {
      for (const size of /** @type {number[]} */ (chosen("sizes", sizes))) {
        const figures = [];
        for (const [index, name] of names.entries()) {
          // A peer that took that long for a tenth of the text would take minutes here.
          if (index > 0 && (size > 52 || flags.has("alone"))) continue;
          const page = await browser.newPage({ viewport: { width: 420, height: 720 } });
          await page.goto(`${origin}/${index}`, { waitUntil: "networkidle" });
          figures.push(await measure(page, name, kind, size));
          await page.close();
        }
        within = print(kind, size, figures) && within;
      }
    }
    if (!flags.has("kinds") || flags.get("kinds")?.includes("chat"))
      within = (await openChat(browser, origin)) && within;
  } finally {
    await browser.close();
    close();
    await rm(folder, { recursive: true });
  }
  return within;
}

/** @param {import("playwright-core").Page} page @param {string} name @param {import("./panel/texts.mjs").Kind} kind @param {number} size */
async function measure(page, name, kind, size) {
  const chunks = cutText(createText(kind, size * 1000));
  // So that the first tenth of the first round does not measure the compiler.
  await page.evaluate(measureInPage, { chunks: cutText(createText(kind, 6000)), updates, budget: 1500 });
  /** @type {Run[]} */
  const runs = [];
  for (let round = 0; round < rounds[/** @type {12 | 52 | 500} */ (size)]; round++) {
    const run = await page.evaluate(measureInPage, { chunks, updates, budget: name === "ours" ? ownBudget : budget });
    runs.push(run);
    if (run.dropped) break;
  }
  return summarise(name, runs);
}

/** F3: the best of three pages. @param {import("playwright-core").Browser} browser @param {string} origin */
async function openChat(browser, origin) {
  const answers = kinds.map((kind) => createText(kind, chat.answer));
  const chunks = cutText(createText("document", 6000));
  const runs = [];
  for (let round = 0; round < 3; round++) {
    const page = await browser.newPage({ viewport: { width: 420, height: 720 } });
    await page.goto(`${origin}/0`, { waitUntil: "networkidle" });
    const { shown, updates, most } = await page.evaluate(measureChatInPage, { count: chat.messages, answers, chunks });
    const sorted = updates.toSorted((one, other) => one - other);
    runs.push({ shown, most, p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0 });
    await page.close();
  }
  const shown = Math.min(...runs.map((one) => one.shown));
  const p95 = Math.min(...runs.map((one) => one.p95));
  const most = Math.max(...runs.map((one) => one.most));
  console.log(`  chat of ${chat.messages} messages, ${(chat.messages * chat.answer) / 2e6} MB`);
  console.log(`    ours  last messages after ${ms(shown, 0)}  update p95 ${ms(p95, 2)}  at most ${most} elements`);
  return shown <= chat.shown && p95 <= chat.update && most < chat.nodes;
}

/** @param {string} name @param {readonly Run[]} runs of the same chunks @returns {Figures} */
function summarise(name, runs) {
  const [first] = runs;
  if (first === undefined) throw new Error("no round");
  const least = (/** @type {(run: Run) => number} */ figure) => Math.min(...runs.map(figure));
  // What an update costs is what it takes in its best round: a collection of garbage meets another update in each.
  const script = first.script.map((_, update) => least((run) => run.script[update] ?? Infinity));
  const tenth = Math.max(1, Math.floor(script.length / 10));
  const sorted = script.toSorted((one, other) => one - other);
  return {
    name,
    total: least((run) => sum(run.script) + sum(run.layout)),
    first: sum(script.slice(0, tenth)),
    last: sum(script.slice(-tenth)),
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    longest: sorted.at(-1) ?? 0,
    collecting: least((run) => run.script.reduce((most, one) => Math.max(most, one), 0)),
    layout: least((run) => sum(run.layout)),
    ...(first.dropped ? { stoppedAt: first.done } : {}),
  };
}

/** @param {readonly number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** @param {string} kind @param {number} size @param {readonly Figures[]} figures */
function print(kind, size, figures) {
  console.log(`  ${kind}, ${size} KB`);
  const ours = figures.find(({ name }) => name === "ours");
  const streamdown = figures.find(({ name }) => name === "streamdown");
  for (const { name, total, first, last, p99, longest, collecting, layout, stoppedAt } of figures) {
    const ratio =
      ours === undefined || name === "ours"
        ? ""
        : `  ours ${(ours.total / wholeTime(size, total, stoppedAt)).toFixed(3)} ×`;
    const stopped = stoppedAt === undefined ? "" : `  stopped at ${Math.round(stoppedAt / 1000)} KB`;
    console.log(
      `    ${name.padEnd(20)} ${ms(total, 0)} total  ${ms(layout, 0)} layout  tenths ${ms(first, 1)} → ${ms(last, 1)} (${(last / first).toFixed(2)} ×)  p99 ${ms(p99, 2)}  longest ${ms(longest, 1)} (collecting ${ms(collecting, 1).trim()})${ratio}${stopped}`,
    );
  }
  if (ours === undefined) return false;
  const over = [
    size === 52 &&
    streamdown !== undefined &&
    ours.total > limits.ofStreamdown * wholeTime(size, streamdown.total, streamdown.stoppedAt)
      ? `${limits.ofStreamdown} × streamdown`
      : "",
    ours.last > limits.tenths * ours.first ? `${limits.tenths} × from the first tenth to the last` : "",
    ours.longest > limits.update ? `${limits.update} ms in one update` : "",
  ].filter(Boolean);
  if (over.length > 0) console.log(`    over the limit: ${over.join("; ")}`);
  return over.length === 0;
}

/** What the whole text takes at least: an update of one that was stopped gets no cheaper. @param {number} size @param {number} total @param {number | undefined} stoppedAt */
const wholeTime = (size, total, stoppedAt) => (stoppedAt === undefined ? total : (total * size * 1000) / stoppedAt);

/** @param {number} value @param {number} digits */
const ms = (value, digits) => `${value.toFixed(digits).padStart(7)} ms`;
