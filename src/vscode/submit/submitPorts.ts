/** What submitting needs of the rest of the extension. */
import type * as vscode from "vscode";
import type { ReadyConnection } from "../../domain/ports";
import type { ModelCatalog } from "../../models/modelCatalog";
import type { TaskTypeAvailability } from "../../tasks/availability";
import type { TaskBoard } from "../../tasks/board";
import type { Outbox } from "../../tasks/outbox";
import type { Dialogs } from "../dialogs";
import type { EditedTexts } from "./editedTexts";
import type { KeptDraft } from "./keptDraft";

export interface SubmitPorts {
  readonly board: TaskBoard;
  readonly outbox: Outbox;
  readonly models: ModelCatalog;
  readonly dialogs: Dialogs;
  readonly memory: vscode.Memento;
  readonly availability: TaskTypeAvailability;
  readonly keptDraft: KeptDraft;
  readonly editing: EditedTexts;
  /** Bytes of one reference image. */
  readonly referenceLimit: () => number;
  readonly now: () => number;
  /** Rejects with the reason why no task can be sent. */
  readonly ready: () => Promise<ReadyConnection>;
}
