/** Scenes of a prompt that is being written: its attachments, and the lists after `#` and `/`. */
import type { ContextItem, PromptItem } from "../../../src/chat/contract/chatPageContract";
import type { PanelPage } from "../support/panelPage";

export function fileItem(path: string): ContextItem {
  const slash = path.lastIndexOf("/");
  const detail = path.slice(0, Math.max(0, slash));
  return { kind: "file", label: path.slice(slash + 1), detail, reference: { path } };
}

/** A small PNG as base64, drawn by the page. */
export async function drawn({ page }: PanelPage): Promise<string> {
  const url = await page.evaluate<string>(
    `(() => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [300, 200];
      const context = canvas.getContext("2d");
      for (const [at, colour] of ["steelblue", "gold", "seagreen"].entries()) {
        context.fillStyle = colour;
        context.fillRect(at * 100, 0, 100, 200 - at * 40);
      }
      return canvas.toDataURL("image/png");
    })()`,
  );
  return url.slice(url.indexOf(",") + 1);
}

const image = { id: "f".repeat(64), mimeType: "image/png", size: 345_678 } as const;

/** An image was sent; another, a folder and problems are attached to the next prompt; `#` is typed. */
export async function attach(panel: PanelPage): Promise<void> {
  const data = await drawn(panel);
  const reference = { path: "Pasted image", image };
  await panel.post({ type: "reference-add", chat: "chat-1", reference, data });
  await panel.until("document.querySelector('.file-chip .thumbnail')");
  const thumbnail = (await panel.page.locator(".file-chip .thumbnail").getAttribute("src")) ?? "";
  const references = [{ ...reference, image: { ...image, thumbnail } }];
  await panel.events(
    { type: "prompt-added", id: "p9", text: "What does this diagram say?", at: 0, references },
    { type: "attachments-read", id: "p9", attachments: [{ type: "image", ...reference }] },
  );
  await panel.post({ type: "reference-add", chat: "chat-1", reference: { path: "src/api", kind: "folder" } });
  await panel.post({
    type: "reference-add",
    chat: "chat-1",
    reference: { path: "src/a/long/path/app.ts", kind: "problems" },
  });
  const area = panel.page.locator(".composer textarea");
  await area.pressSequentially("Compare #a");
  const symbols = (["class", "method", "variable"] as const).map((kind): ContextItem => ({
    kind,
    label: `a${kind}`,
    detail: "src/app.ts",
    reference: { path: "src/app.ts" },
  }));
  const items: readonly ContextItem[] = [
    { kind: "selection", label: "Selection", detail: "src/app.ts" },
    { kind: "problems", label: "Problems", detail: "", reference: { path: "", kind: "problems" } },
    fileItem("src/a/folder/with/a/long/name/app.ts"),
    { kind: "image", label: "a.png", detail: "docs", uri: "file:///w/docs/a.png" },
    { kind: "folder", label: "api", detail: "src", reference: { path: "src/api", kind: "folder" } },
    ...symbols,
  ];
  await panel.post({ type: "context-found", query: "a", items });
  await area.press("ArrowDown");
}

export async function typeSlash(panel: PanelPage): Promise<void> {
  const area = panel.page.locator(".composer textarea");
  await area.fill("");
  await area.pressSequentially("/");
}

/** A prompt file that asks for a model and a mode is chosen after `/`. */
export async function choosePromptFile(panel: PanelPage): Promise<void> {
  const review: PromptItem = {
    ...{ name: "review", group: "workspace", path: ".github/prompts/review.prompt.md", hint: "path" },
    ...{ description: "Looks for faults in what was changed", model: "vendor/large", canUseModel: true },
    ...{ mode: "plan", knownMode: "plan", tools: ["read_file", "list_changes"] },
  };
  const notes: PromptItem = { name: "release-notes", group: "skill", description: "Writes the notes of a release" };
  await typeSlash(panel);
  await panel.post({ type: "prompts-listed", prompts: [review, notes], more: 0 });
  await panel.page.locator(".composer textarea").pressSequentially("review ");
  await panel.page.locator(".asked-for").waitFor();
}
