/** What crosses between the extension's thread and that of the task store: calls by number, their results, and changes. */
import type { GatewayError } from "../../domain/errors";
import type { TaskStore } from "./taskStore";

export type StoreMethod = Exclude<keyof TaskStore, "onDidChange">;

export interface WorkerCall {
  readonly call: number;
  readonly method: StoreMethod;
  readonly args: readonly unknown[];
}

export type WorkerMessage =
  | { readonly type: "opened" }
  | { readonly type: "failed"; readonly error: GatewayError }
  | { readonly type: "result"; readonly call: number; readonly value: unknown }
  | { readonly type: "rejected"; readonly call: number; readonly error: GatewayError }
  | { readonly type: "changed"; readonly change: "written" | "replaced" };
