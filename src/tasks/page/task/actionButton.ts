/** A button of the task page, for an action that the host has said can be taken. */
import { html, type TemplateResult } from "lit-html";
import type { PageAction } from "../../../domain/task/taskActions";
import { taskActionLabel } from "../../../domain/words/taskActionWords";
import type { TaskPageIntent } from "../../contract/taskPageContract";
import type { PageActions } from "../../../webview/page";
import { firstClick } from "../../../webview/pageParts";

export function actionButton(
  action: PageAction,
  { send }: PageActions<TaskPageIntent>,
  isPrimary: boolean | undefined = false,
): TemplateResult {
  return html`<button
    type="button"
    class="button ${isPrimary ? "" : "secondary"}"
    @click=${firstClick(() => send({ type: "task-action", action }))}
  >
    ${taskActionLabel(action)}
  </button>`;
}
