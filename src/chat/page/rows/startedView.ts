/** The prompt file that a message was started with: what of it was sent, and its file. */
import { t } from "@vscode/l10n";
import { html, nothing } from "lit-html";
import type { UserEntry } from "../../../domain/chat/chat";
import { plural } from "../../../domain/words/plural";
import { revealAll, revealName } from "../../../webview/hiddenCharacters";
import { icon } from "../../../webview/pageParts";
import { fold, type RowActions } from "../shared/controls";

export function startedView({ id, started }: UserEntry, actions: RowActions): unknown {
  if (started === undefined) return nothing;
  const { path, kind, text, cutFrom, untrusted, name } = started;
  // Of a skill the folder has the name.
  const file = path
    ?.split("/")
    .slice(kind === "skill" ? -2 : -1)
    .join("/");
  const count = new Intl.NumberFormat(actions.locale);
  const size =
    cutFrom === undefined
      ? plural(text.length, { one: "1 character", other: "{0} characters" }, count.format(text.length))
      : plural(cutFrom, { other: "the first {0} of {1} characters" }, count.format(text.length), count.format(cutFrom));
  const state = untrusted === undefined ? size : t("{0}, not in git", size);
  const label = html`${icon("list-selection")}<span class="tool-title" title=${revealName(path ?? "")}
      >${file === undefined ? t("Your prompt") : revealName(file)}</span
    ><span class="tool-state">${state}</span>`;
  const content = html`<div class="tool-content">
    <pre tabindex="0" aria-label=${t("What was sent of it")}>${revealAll(text)}</pre>
    <button type="button" class="button secondary" @click=${() => actions.send({ type: "prompt-open", name })}>
      ${t("Open File")}
    </button>
  </div>`;
  return fold(actions, `${id}/started`, "tool", label, content);
}
