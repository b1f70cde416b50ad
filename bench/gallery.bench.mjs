// T15: the gallery in headless Chromium with 100, 1,000 and 10,000 results, beside a plain page that shows the same thumbnails: from the first message to painted pictures, whole frames while it scrolls, and memory.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { launchBrowser } from "../scripts/browser.mjs";
import { serveGalleries } from "./gallery/pages.mjs";
import { traceFrames } from "./panel/frames.mjs";

const counts = [100, 1000, 10_000];
/** Odd, for medians. */
const rounds = 3;
/** Frames of a scroll from the start to the end, and pixels of the slow one, in which each row is drawn. */
const scrolls = { frames: 300, step: 120 };
/** Milliseconds of CPU of the page's main thread; times the plain page's; elements; times the memory before. */
const limits = { opened: 200, ofPlain: 0.2, growth: 4, frame: 16, jump: 80, longest: 160, nodes: 1000, heap: 1.5 };
const everyCell = "each jump draws all cells of the view with other pictures";
const missed = {
  jump: { goal: 16, why: everyCell },
  longest: { goal: 16, why: everyCell },
};

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {{ opened: number, slow: readonly number[], far: readonly number[], nodes: number, heap: number }} Figures `heap`: that after the scroll over that before */

/** @returns {Promise<import("./verdicts.mjs").Verdict[]>} */
export async function run() {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-gallery-"));
  const { origin, close } = await serveGalleries(folder);
  // Frames come as soon as they are asked for.
  const browser = await launchBrowser(["--disable-frame-rate-limit", "--disable-gpu-vsync", "--js-flags=--expose-gc"]);
  try {
    console.log(
      `  CPU of the page's main thread; ${scrolls.frames} frames of a scroll by ${scrolls.step} px, and as many over all results`,
    );
    /** @type {Map<string, Figures>} */
    const figures = new Map();
    for (const count of counts)
      for (const name of ["ours", "plain"]) {
        const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
        const found = await measurePage(page, `${origin}/${name}`, count);
        await page.close();
        figures.set(`${name} ${count}`, found);
        console.log(`    ${String(count).padStart(6)} ${name.padEnd(6)} ${inWords(found)}`);
      }
    return verdictsOf((name, count) => figures.get(`${name} ${count}`));
  } finally {
    await browser.close();
    close();
    await rm(folder, { recursive: true });
  }
}

/** @param {Figures} figures */
function inWords({ opened, slow, far, nodes, heap }) {
  const ms = (/** @type {number} */ value) => `${value.toFixed(1)} ms`;
  return `open ${ms(opened).padStart(9)}, a scroll's frames p99 ${ms(quantile(slow, 0.99))}, jumps p99 ${ms(quantile(far, 0.99))}, longest ${ms(Math.max(...far))}, ${nodes} elements, memory ${heap.toFixed(2)} ×`;
}

/** @param {(name: "ours" | "plain", count: number) => Figures | undefined} of @returns {import("./verdicts.mjs").Verdict[]} */
function verdictsOf(of) {
  const [few, , many] = counts.map((count) => of("ours", count));
  const plain = of("plain", 10_000);
  if (!few || !many || !plain) return [];
  const p99 = (/** @type {readonly number[]} */ frames) => quantile(frames, 0.99);
  const ofPlain = many.opened / plain.opened;
  return [
    { what: "10,000 results: opened, CPU", today: many.opened, limit: limits.opened, unit: "ms" },
    { what: "10,000 results: opened, of the plain page's CPU", today: ofPlain, limit: limits.ofPlain, unit: "×" },
    {
      what: "opened with 10,000 results over 100, CPU",
      today: many.opened / few.opened,
      limit: limits.growth,
      unit: "×",
    },
    { what: "10,000 results: frames of a scroll, p99", today: p99(many.slow), limit: limits.frame, unit: "ms" },
    {
      what: "10,000 results: jumps by seven rows, p99",
      today: p99(many.far),
      limit: limits.jump,
      unit: "ms",
      missed: missed.jump,
    },
    {
      what: "10,000 results: jumps by seven rows, longest",
      today: Math.max(...many.far),
      limit: limits.longest,
      unit: "ms",
      missed: missed.longest,
    },
    { what: "10,000 results: elements at most", today: many.nodes, limit: limits.nodes, unit: "" },
    {
      what: "10,000 results: memory after a scroll, of that before",
      today: many.heap,
      limit: limits.heap,
      unit: "×",
    },
  ];
}

/** @param {Page} page @param {string} address @param {number} count @returns {Promise<Figures>} */
async function measurePage(page, address, count) {
  /** @type {number[]} */
  const opened = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.goto(address, { waitUntil: "networkidle" });
    const { frames } = await traceFrames(page, openInPage, count);
    opened.push(frames.get("frame open") ?? Number.NaN);
  }
  const before = await heapOf(page);
  const { result: nodes, frames } = await traceFrames(page, scrollInPage, scrolls);
  const heap = (await heapOf(page)) / before;
  const named = (/** @type {string} */ kind) =>
    [...frames].flatMap(([name, ms]) => (name.startsWith(`frame ${kind} `) ? [ms] : []));
  return { opened: quantile(opened, 0.5), slow: named("slow"), far: named("far"), nodes, heap };
}

/** Until the pictures in view are decoded and painted. @param {number} count */
async function openInPage(count) {
  const page = /** @type {any} */ (globalThis);
  const frame = () => new Promise((resolve) => page.requestAnimationFrame(() => resolve(undefined)));
  performance.mark("frame open");
  page.subject.open(count);
  await frame();
  await frame();
  const inView = () =>
    [...page.document.images].filter((/** @type {any} */ one) => one.getBoundingClientRect().top < page.innerHeight);
  for (
    let look = 0;
    look < 200 && (inView().length === 0 || inView().some((/** @type {any} */ one) => !one.complete));
    look += 1
  )
    await new Promise((resolve) => setTimeout(resolve, 5));
  await frame();
  performance.mark("rest");
}

/** @param {{ frames: number, step: number }} scrolls */
async function scrollInPage({ frames, step }) {
  const page = /** @type {any} */ (globalThis);
  const scroller = page.subject.scroller();
  const frame = () => new Promise((resolve) => page.requestAnimationFrame(() => resolve(undefined)));
  let nodes = 0;
  const to = async (/** @type {string} */ name, /** @type {number} */ top) => {
    performance.mark(`frame ${name}`);
    scroller.scrollTop = top;
    await frame();
    await frame();
    nodes = Math.max(nodes, page.document.querySelectorAll("*").length);
    performance.mark("rest");
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  for (let at = 1; at <= frames; at += 1) await to(`slow ${at}`, at * step);
  const height = scroller.scrollHeight;
  for (let at = 1; at <= frames; at += 1) await to(`far ${at}`, (height * at) / frames);
  scroller.scrollTop = 0;
  await frame();
  await new Promise((resolve) => setTimeout(resolve, 200));
  return nodes;
}

/** Bytes of what is alive. @param {Page} page */
async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}

/** @param {readonly number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
