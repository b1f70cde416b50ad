/** What crosses between the extension's thread and that of the task store: calls, their answers, and changes. */
import type { ThreadAnswer, ThreadCall } from "../../base/async/threadCalls";
import type { AppError } from "../../domain/errors/appError";
import type { TaskStore } from "./taskStore";

export type StoreMethod = Exclude<keyof TaskStore, "onDidChange">;

export type StoreCall = ThreadCall<StoreMethod>;

export type StoreMessage =
  | { readonly type: "opened" }
  | { readonly type: "failed"; readonly error: AppError }
  | { readonly type: "answered"; readonly answer: ThreadAnswer<AppError> }
  | { readonly type: "changed"; readonly change: "written" | "replaced" };
