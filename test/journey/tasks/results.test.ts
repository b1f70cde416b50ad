/** Results: fetched without a click, saved into the workspace, inserted into a document, and a download that is given up. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { TreeRow } from "../../support/fakeVscode/trees";
import { WaitingClock } from "../../support/fakeVscode/waitingClock";
import { openWindowOnGateway, submitImage } from "../../support/fakeVscode/onGateway";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import { placeResult } from "../../support/fakeVscode/placedResults";
import { serve, type TestServer } from "../../loopback/gateway/rawServer";

const tasksView = "sluice.tasks";

/** Those that are whole. */
async function filesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => []))
    .filter((name) => !name.startsWith(".") && !name.endsWith(".tmp"))
    .sort();
}

describe("results in a window", () => {
  const prompt = "A paper lantern on black water";
  const saved = "a-paper-lantern-on-black-water.png";
  let opened: OpenedWindow;
  before("submit an image", async () => {
    // The five seconds that a thumbnail may hold up its result are a limit for real work.
    const clock = new WaitingClock(Date.now(), { longestPause: 4000 });
    opened = await openWindow({
      clock,
      files: { "cards.md": `# Cards\n\n${prompt}\n`, "page.md": "# Page\n\nhere\n", "new.md": "here\n" },
    });
    const { window, person } = opened;
    await window.openFile("cards.md");
    await person.select(prompt);
    const submitting = person.start("sluice.task.submitSelection");
    await person.choose(/^Image/);
    await person.through("Model, or type another id", "Free on the local gateway");
    await submitting.ended();
  });
  after(closeWindows);

  const row = (): Promise<TreeRow> => opened.person.row(tasksView, /, succeeded.*A paper lantern/);
  const assets = (): Promise<readonly string[]> => filesIn(path.join(opened.folder, "assets"));

  it("T8 (findings 6, 18): a result is here without a click, with its thumbnail", async () => {
    const { window, inside } = opened;
    const icon = await window.until("the thumbnail is the icon of the row", async () => {
      const { iconPath } = (await row()).item;
      const file = typeof iconPath === "object" && "fsPath" in iconPath ? path.basename(iconPath.fsPath) : "";
      return file.endsWith(".thumbnail.png") && file;
    });
    const [picture = "", thumbnail = "", ...others] = await filesIn(path.join(inside.storage, "results"));
    assert.match(picture, /^a-paper-lantern-on-black-water-[0-9a-f]{16}\.png$/);
    assert.equal(thumbnail, picture.replace(".png", ".thumbnail.png"));
    assert.deepEqual(others, []);
    assert.equal(icon, thumbnail);
  });

  it("T8 (finding 18): Save into Workspace on the row; once more makes no second file", async () => {
    const { window, person } = opened;
    for (let time = 1; time <= 2; time += 1) {
      assert.equal(
        window.menuOf(await row()).find(({ title }) => title === "Save into Workspace")?.group,
        "inline",
        "it is a button of the row",
      );
      window.messages.flashed.length = 0;
      await person.inMenu(await row(), "Save into Workspace").ended();
      assert.ok(window.messages.flashed.some((text) => text.includes(`Saved as assets/${saved}`)));
      assert.deepEqual(await assets(), [saved]);
    }
  });

  it("T8 (finding 18): Insert Link writes the reference at the cursor, and uses the file that is there", async () => {
    const { window, person, folder } = opened;
    const editor = await window.openFile("page.md");
    await person.select("here");
    const saving = person.inMenu(await row(), "Save Result…");
    await person.choose("Insert Link");
    await person.step("Alt Text");
    await person.press("Enter");
    await saving.ended();
    const reference = `![${prompt}](assets/${saved})`;
    assert.equal(editor.document.getText(), `# Page\n\n${reference}\n`);
    assert.ok(editor.selection.isEmpty, "what is typed next replaces nothing");
    await editor.document.save();
    assert.equal(await readFile(path.join(folder, "page.md"), "utf8"), `# Page\n\n${reference}\n`);
    assert.deepEqual(await assets(), [saved]);
  });

  it("T8, T20: Insert Link asks for the alt text first: Esc leaves neither a file nor a line of the lock, Enter saves and links", async () => {
    const { window, person, folder } = opened;
    const isLocked = async (): Promise<boolean> =>
      (await readFile(path.join(folder, "sluice.lock"), "utf8").catch(() => "")).includes("a-ferry-in-the-fog");
    const editor = await window.openFile("new.md");
    await placeResult(opened, { name: "fog.png", prompt: "A ferry in the fog" });
    for (const key of ["Escape", "Enter"] as const) {
      await person.select("here");
      const saving = person.inMenu(await person.row(tasksView, /A ferry in the fog/), "Save Result…");
      await person.choose("Insert Link");
      await person.step("Alt Text");
      await person.press(key);
      await saving.ended();
      if (key === "Enter") continue;
      assert.deepEqual([await assets(), await isLocked(), editor.document.getText()], [[saved], false, "here\n"]);
    }
    await window.until("its line of the lock", isLocked);
    assert.deepEqual(await assets(), ["a-ferry-in-the-fog.png", saved]);
    assert.equal(editor.document.getText(), "![A ferry in the fog](assets/a-ferry-in-the-fog.png)\n");
  });
});

describe("a result that stalls", () => {
  let gateway: TestServer;
  /** Settles when the client gives the download up. */
  let givenUp: Promise<void>;

  before("serve a picture that never ends", async () => {
    let giveUp = (): void => undefined;
    givenUp = new Promise((resolve) => (giveUp = resolve));
    const accepted = { task_id: "task-1", status: 1, request_id: "request-1", hold_id: "hold-1" };
    gateway = await serve((response, { url, method }) => {
      if (url === "/picture.png") {
        response.on("close", giveUp);
        response.writeHead(200, { "content-type": "image/png", "content-length": 1_000_000 }).write("picture");
        return;
      }
      const assets = JSON.stringify({ image_url: `${gateway.url}/picture.png` });
      const succeeded = { task_id: "task-1", task_type: 3, status: 4, result_assets_json: assets };
      const answer = method === "POST" ? accepted : url.endsWith("/models") ? { data: [] } : succeeded;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer));
    });
  });
  after(async () => {
    await closeWindows();
    await gateway.close();
  });

  it("T8 (finding 36): Cancel ends the download, says nothing more and leaves no file", async () => {
    const target = { baseUrl: `${gateway.url}/v1`, key: "sk-canary-window" };
    const opened = await openWindowOnGateway(target, { files: { "notes.md": "A lighthouse at dusk\n" } });
    const { window, person, inside } = opened;
    const results = path.join(inside.storage, "results");
    await window.showView(tasksView);
    await window.openFile("notes.md");
    await (await submitImage(opened, "lighthouse")).ended();
    const row = await person.row(tasksView, /, succeeded.*lighthouse/);
    const { command, arguments: args = [] } = row.item.command ?? { command: "" };
    const opening = person.start(command, ...(args as unknown[]));
    const progress = await window.until("a progress with Cancel", () =>
      window.messages.progress.find(({ title, isCancellable }) => title === "Getting the result" && isCancellable),
    );
    await window.until("a part of the picture is here", async () => (await readdir(results)).length > 0);
    progress.cancel();
    await window.during("the download is given up", givenUp);
    await opening.ended();
    await window.until("nothing of it is left", async () => (await readdir(results)).length === 0);
    assert.deepEqual(window.messages.progress, []);
    assert.deepEqual(window.messages.shown, []);
  });
});
