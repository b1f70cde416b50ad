/** The parts of the extension that submitting needs. */
import type * as vscode from "vscode";
import type { Environment } from "../../../domain/environment";
import type { ReadyConnection } from "../../../domain/ports";
import type { ModelCatalog } from "../../../gateway/modelCatalog";
import type { TaskTypeAvailability } from "../../submit/availability";
import type { TaskBoard } from "../../board/board";
import type { Outbox } from "../../submit/outbox";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import type { EditedTexts } from "./editedTexts";
import type { KeptDrafts } from "./draftMemory";

export interface SubmitOptions extends Pick<Environment, "settings"> {
  readonly board: TaskBoard;
  readonly outbox: Outbox;
  readonly models: ModelCatalog;
  readonly dialogs: Dialogs;
  readonly memory: vscode.Memento;
  readonly availability: TaskTypeAvailability;
  readonly keptDrafts: Pick<KeptDrafts, "read" | "keep" | "forget">;
  readonly editing: EditedTexts;
  readonly now: () => number;
  /** Rejects with the reason why no task can be sent. */
  readonly ready: () => Promise<ReadyConnection>;
}
