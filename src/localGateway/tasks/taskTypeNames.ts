/** The values of `task_type` in requests and model lists. The value for stylized images is a vendor's word, so it can be set. */
import { invalidRequest } from "../http/httpError";
import { type TaskTypeWord, taskTypeWords, vendorWord } from "../demo/taskKinds";

export class TaskTypeNames {
  readonly #stylized: () => string;

  constructor(stylized: () => string) {
    this.#stylized = stylized;
  }

  nameOf(type: TaskTypeWord): string {
    return (type === vendorWord && this.#stylized()) || type;
  }

  /** Throws a 400 for another name. */
  typeOf(name: string, field: string): TaskTypeWord {
    const type = taskTypeWords.find((one) => this.nameOf(one) === name);
    if (type !== undefined) return type;
    const names = taskTypeWords.map((one) => `"${this.nameOf(one)}"`).join(", ");
    throw invalidRequest(`${field}: must be one of ${names}.`, field);
  }
}
