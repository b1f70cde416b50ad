// Runs in the page of a subject: streams chunks into it and times each update, script and layout apart.

/** @typedef {{ script: number[], layout: number[], done: number, nodes: number, dropped: boolean }} Run milliseconds of each update; characters shown */

/**
 * One update a chunk; the browser gets a frame after every 12 ms of work, as it would in a live stream. Stops after `budget` milliseconds.
 * @param {{ chunks: string[], budget: number }} task
 * @returns {Promise<Run>}
 */
export async function measureInPage({ chunks, budget }) {
  /** @type {any} */
  const page = globalThis;
  const frame = () =>
    new Promise((resolve) => (page.realFrame ?? page.requestAnimationFrame)(() => resolve(undefined)));
  /** @type {Run} */
  const run = { script: [], layout: [], done: 0, nodes: 0, dropped: false };
  page.subject.begin();
  await frame();
  await frame();
  const scroller = page.document.querySelector(".transcript");
  let spent = 0;
  let sinceFrame = 0;
  for (const chunk of chunks) {
    const start = performance.now();
    page.subject.update(chunk);
    const updated = performance.now();
    // Ours scrolls to the end by itself.
    if (page.realFrame) scroller.scrollHeight;
    else scroller.scrollTop = scroller.scrollHeight;
    const end = performance.now();
    run.script.push(updated - start);
    run.layout.push(end - updated);
    run.done += chunk.length;
    spent += end - start;
    sinceFrame += end - start;
    if (sinceFrame > 12) {
      await frame();
      sinceFrame = 0;
    }
    if (spent > budget) {
      run.dropped = true;
      break;
    }
  }
  const start = performance.now();
  if (!run.dropped) page.subject.end();
  run.script.push(performance.now() - start);
  run.layout.push(0);
  run.nodes = page.document.getElementsByTagName("*").length;
  await frame();
  return run;
}
