// Runs in the page of a subject: streams an answer into it, a frame for each measured piece and for every other of the rest, and marks where each begins for the trace.

/** @typedef {{ done: number, below: number }} Run characters shown; pixels that the page is from its end, where the text grows */

/**
 * The marks are `frame 0`, `frame 1`, … for the pieces that are measured, `laid 0`, … when their script and layout are done, and `rest` for everything else. Stops after `budget` milliseconds.
 * @param {{ pieces: { text: string, isMeasured: boolean }[], budget: number }} task
 * @returns {Promise<Run>}
 */
export async function measureInPage({ pieces, budget }) {
  /** @type {any} */
  const page = globalThis;
  // The message of a frame's callback arrives when the frame is painted.
  const frame = () =>
    new Promise((resolve) =>
      (page.realFrame ?? page.requestAnimationFrame)(() => {
        const { port1, port2 } = new page.MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(undefined);
      }),
    );
  performance.mark("rest");
  page.subject.begin();
  await frame();
  await frame();
  const scroller = page.document.querySelector(".transcript");
  const end = performance.now() + budget;
  let done = 0;
  for (const [index, { text, isMeasured }] of pieces.entries()) {
    performance.mark(isMeasured ? `frame ${index}` : "rest");
    page.subject.update(text);
    // The page under test scrolls to its end in its own code; reading the height forces its layout.
    if (page.realFrame) scroller.scrollHeight;
    else scroller.scrollTop = scroller.scrollHeight;
    if (isMeasured) performance.mark(`laid ${index}`);
    if (isMeasured || index % 2 === 0) await frame();
    done += text.length;
    if (performance.now() > end) break;
  }
  performance.mark("rest");
  const below = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
  page.subject.end();
  await frame();
  return { done, below };
}

/** @typedef {{ shown: number, most: number }} ChatRun milliseconds until the last messages are painted; elements */

/**
 * Shows a chat by the host's messages: the snapshot (mark `frame open`), the older pages as a person scrolls up, and an answer that is streamed (`frame 0`, …).
 * @param {{ snapshot: string, older: string[], updates: string[] }} messages as JSON
 * @returns {Promise<ChatRun>}
 */
export async function measureChatInPage({ snapshot, older, updates }) {
  /** @type {any} */
  const page = globalThis;
  const frame = () =>
    new Promise((resolve) =>
      page.realFrame(() => {
        const { port1, port2 } = new page.MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(undefined);
      }),
    );
  const nodes = () => page.document.getElementsByTagName("*").length;
  performance.mark("rest");
  // The task that this begins in has read the messages from the bench.
  await frame();
  const start = performance.now();
  performance.mark("frame open");
  page.post(JSON.parse(snapshot));
  await frame();
  await frame();
  const shown = performance.now() - start;
  performance.mark("rest");
  for (const message of older) {
    page.post(JSON.parse(message));
    await frame();
  }
  let most = nodes();
  for (const [index, message] of updates.entries()) {
    performance.mark(`frame ${index}`);
    page.post(JSON.parse(message));
    await frame();
    performance.mark("rest");
    most = Math.max(most, nodes());
  }
  return { shown, most };
}
