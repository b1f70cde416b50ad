// Runs in the page of a subject: streams chunks into it and times each update, script and layout apart.

/** @typedef {{ script: number[], layout: number[], done: number, nodes: number, dropped: boolean }} Run milliseconds of each update; characters shown */

/**
 * One update a chunk, and a frame of the browser after every `updates` of them: an answer that never had a frame is not laid out. Stops after `budget` milliseconds.
 * @param {{ chunks: string[], updates: number, budget: number }} task
 * @returns {Promise<Run>}
 */
export async function measureInPage({ chunks, updates, budget }) {
  /** @type {any} */
  const page = globalThis;
  const frame = () =>
    new Promise((resolve) =>
      (page.realFrame ?? page.requestAnimationFrame)(() => page.requestIdleCallback(() => resolve(undefined))),
    );
  /** @type {Run} */
  const run = { script: [], layout: [], done: 0, nodes: 0, dropped: false };
  page.subject.begin();
  await frame();
  await frame();
  const scroller = page.document.querySelector(".transcript");
  let spent = 0;
  for (const chunk of chunks) {
    const start = performance.now();
    page.subject.update(chunk);
    const updated = performance.now();
    // The page under test scrolls to its end in its own code; reading the height forces its layout.
    if (page.realFrame) scroller.scrollHeight;
    else scroller.scrollTop = scroller.scrollHeight;
    const end = performance.now();
    run.script.push(updated - start);
    run.layout.push(end - updated);
    run.done += chunk.length;
    spent += end - start;
    if (run.script.length % updates === 0) await frame();
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

/** @typedef {{ shown: number, nodes: number, updates: number[], most: number }} ChatRun milliseconds until the last messages are painted, and of script in each update; elements */

/**
 * Opens a chat of so many messages, with the answers in turn, and streams into it.
 * @param {{ count: number, answers: string[], chunks: string[] }} task
 * @returns {Promise<ChatRun>}
 */
export async function measureChatInPage({ count, answers, chunks }) {
  /** @type {any} */
  const page = globalThis;
  const frame = () => new Promise((resolve) => page.realFrame(() => resolve(undefined)));
  const nodes = () => page.document.getElementsByTagName("*").length;
  const entries = Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? { type: "user", id: `u${index}`, text: `Question ${index}`, at: 0 }
      : {
          type: "answer",
          id: `a${index}`,
          model: "m",
          family: "messages",
          startedAt: 0,
          endedAt: 1,
          state: "complete",
          finish: "stop",
          cut: false,
          blocks: [{ type: "text", block: 0, text: answers[index % answers.length] }],
        },
  );
  const start = performance.now();
  // In pages, as the host sends them: the newest with the snapshot, the others as a person scrolls up.
  const size = 60;
  page.snapshot(entries.slice(-size), { older: entries.length - size });
  await frame();
  await frame();
  const shown = performance.now() - start;
  for (let end = entries.length - size; end > 0; end -= size) {
    const older = Math.max(0, end - size);
    page.post({
      type: "entries",
      chat: page.chatId(),
      before: entries[end]?.id,
      entries: entries.slice(older, end),
      older,
    });
    await frame();
  }
  let most = nodes();
  page.emit(
    { type: "prompt-added", id: "p", text: "Go.", at: 0 },
    { type: "turn-started" },
    { type: "answer-started", id: "a", model: "m", family: "messages", at: 0 },
  );
  const updates = [];
  for (const text of chunks) {
    const before = performance.now();
    page.emit({ type: "answer-event", id: "a", event: { type: "text-delta", block: 0, text } });
    updates.push(performance.now() - before);
    await frame();
    most = Math.max(most, nodes());
  }
  return { shown, nodes: nodes(), updates, most };
}
