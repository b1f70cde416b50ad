/** A button of the task page, for an action that the host has said can be taken. */
import { html, type TemplateResult } from "lit-html";
import type { TaskAction, TaskPageIntent } from "../../protocol/taskPageMessages";
import type { PageActions } from "../page";
import { actionName } from "./actionName";

export function actionButton(
  action: TaskAction,
  { send }: PageActions<TaskPageIntent>,
  isPrimary = false,
): TemplateResult {
  return html`<button
    type="button"
    class="button ${isPrimary ? "" : "secondary"}"
    @click=${() => send({ type: "task-action", action })}
  >
    ${actionName(action)}
  </button>`;
}
