/** What the handlers of requests work with: each folder declares what its own handlers need. */
import type { ChatServices } from "./chat/chatServices";
import type { Lab } from "./lab/lab";
import type { LocalServices } from "./localServices";
import type { TaskServices } from "./tasks/taskServices";

export interface Services extends LocalServices, TaskServices, ChatServices {
  /** Missing when the gateway was started without it. */
  readonly lab?: Lab;
}
