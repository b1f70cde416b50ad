/** A workspace of several folders, two of one name: where a path of a tool leads, and which file is attached. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { temporaryFolder } from "../../../scripts/workspace.mjs";
import { type ChatPage, openChat } from "../../support/fakeVscode/chatPage";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";

const playing = (...calls: readonly string[]): string => `Look.\n\n\`\`\`calls\n${calls.join("\n\n")}\n\`\`\``;

describe("a chat in several folders", () => {
  let opened: OpenedWindow;
  let chat: ChatPage;
  before("open a workspace of three", async () => {
    const town = await temporaryFolder();
    const files = {
      "site/README.md": "# Site\n",
      "shop/README.md": "# Shop\n",
      "shop/src/cart.ts": "export const cart = [];\n",
      "old/shop/lamp.md": "# An old lamp\n",
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(town, name)), { recursive: true });
      await writeFile(path.join(town, name), text);
    }
    const folders = [
      { at: path.join(town, "site"), name: "site" },
      { at: path.join(town, "shop") },
      { at: path.join(town, "old", "shop") },
    ];
    opened = await openWindow({ folders });
    chat = await openChat(opened.window);
  });
  after(closeWindows);

  it("V4, A2: a path without a folder's name leads to the only folder that has it, else the model is told the names", async () => {
    await chat.turn(playing('read_file {"path": "src/cart.ts"}', 'read_file {"path": "README.md"}'));
    const [cart, readme] = chat.calls;
    assert.match(JSON.stringify(cart), /shop\/src\/cart\.ts.*export const cart/);
    assert.match(JSON.stringify(readme), /There are site\/README\.md and shop\/README\.md\. Begin the path with/);
  });

  it("V4, C4: a file of two folders of one name is attached from its own", async () => {
    const { window, person } = opened;
    const [, , old] = window.folders;
    await window.openFile(window.uri("README.md").with({ path: `${old?.uri.path ?? ""}/lamp.md` }));
    const before = chat.messages.length;
    await person.palette("Sluice: Add to Sluice Chat").ended();
    const { reference } = await chat.until("it is attached", ({ messages }) =>
      messages.slice(before).find((message) => message.type === "reference-add"),
    );
    assert.deepEqual(reference, { path: "shop (2)/lamp.md" });
    const entries = chat.entries.length;
    chat.send({
      type: "prompt-submit",
      chat: chat.chat.id,
      text: "What does it say?",
      references: [{ path: reference.path }],
    });
    await chat.until("the turn has begun", () => chat.entries.length > entries);
    await chat.ended();
    const sent = chat.entries.findLast((entry) => entry.type === "user");
    assert.deepEqual(sent?.attachments, [{ path: "shop (2)/lamp.md", type: "text", text: "# An old lamp\n" }]);
  });
});
