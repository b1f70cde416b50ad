/** A row that could not be rendered, block by block as plain text. An approval in it still works. */
import { render } from "lit-html";
import type { Block, Entry } from "../../../domain/chat/chat";
import type { RowActions } from "../shared/controls";
import { askedTogether } from "./approvalGroup";
import { toolCallView } from "./toolCall";

/** Replaces the content of the row; a block that fails here too is omitted. */
export function createPlainRow(entry: Entry, actions: RowActions): HTMLElement[] {
  if (!("blocks" in entry)) return [createText(entry.text)];
  return entry.blocks.map((block) => {
    const place = createText(block.type === "tool-call" ? block.name : textOf(block));
    if (block.type !== "tool-call" || entry.type !== "answer") return place;
    const call = document.createElement("div");
    try {
      render(toolCallView(entry.id, block, askedTogether(entry, block), actions), call);
      return call;
    } catch (error) {
      actions.report("tool call", error);
      return place;
    }
  });
}

function textOf(block: Exclude<Block, { type: "tool-call" }>): string {
  if (block.type === "text" || block.type === "reasoning") return block.text;
  return block.type === "citation" ? [block.title, block.url].filter(Boolean).join(" ") : "";
}

function createText(text: string): HTMLElement {
  const element = document.createElement("div");
  element.className = "plain";
  element.textContent = text;
  return element;
}
