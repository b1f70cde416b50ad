/** The page of the form for media as its messages. */
import type { MediaFormIntent, MediaFormSnapshot } from "../../../src/tasks/contract/mediaFormPageContract";
import type { OpenedWindow } from "./openWindow";
import type { FakePage } from "./webviews";

type Fields = MediaFormSnapshot["fields"];

export class FormPage {
  readonly page: FakePage;
  readonly #opened: OpenedWindow;

  private constructor(opened: OpenedWindow, page: FakePage) {
    this.#opened = opened;
    this.page = page;
  }

  static async open(opened: OpenedWindow): Promise<FormPage> {
    await opened.person.palette("Sluice: New Media Task…").ended();
    return FormPage.shown(opened);
  }

  /** The one in a tab. */
  static async shown(opened: OpenedWindow): Promise<FormPage> {
    const found = await opened.window.until("the form", () =>
      opened.window.webviews.panels.find(({ viewType, html }) => viewType === "sluice.mediaForm" && html !== ""),
    );
    const form = new FormPage(opened, found);
    const { length } = found.messages;
    found.send({ type: "view-ready" });
    await opened.window.until("its snapshot", () => found.messages.length > length);
    // As its script does, so that VS Code restores the tab after a reload.
    found.savedState = { subject: "mediaForm" };
    await form.until("a gateway", ({ gateway, models }) => gateway.target !== "" && models.length > 0);
    return form;
  }

  get state(): MediaFormSnapshot {
    const last = this.page.messages.findLast(({ type }) => type === "snapshot" || type === "events");
    const all = last?.["snapshot"] === undefined ? (last?.["events"] as MediaFormSnapshot[]) : [last["snapshot"]];
    return all.at(-1) as MediaFormSnapshot;
  }

  send(...intents: readonly MediaFormIntent[]): void {
    for (const intent of intents) this.page.send(intent);
  }

  async until(what: string, holds: (state: MediaFormSnapshot) => boolean): Promise<MediaFormSnapshot> {
    await this.#opened.window.until(what, () => holds(this.state));
    return this.state;
  }

  /** What the person fills in. */
  fill(prompt: string, more: Partial<Fields> = {}): Fields {
    const usual = { type: "async-image", model: "demo-image", count: 1, seed: "" } as const;
    const fields: Fields = { ...this.state.fields, ...usual, prompt, ...more };
    this.send({ type: "fields-change", fields });
    return fields;
  }

  /** The button as it is shown. */
  submission(fields: Fields): Extract<MediaFormIntent, { type: "tasks-submit" }> {
    const { attempt, gateway } = this.state;
    return { type: "tasks-submit", fields, attempt, target: gateway.target };
  }

  /** Presses the button, and waits until it can be pressed again. */
  async submit(fields: Fields): Promise<MediaFormSnapshot> {
    const { attempt } = this.state;
    this.send(this.submission(fields));
    return this.until("the button is ready", (state) => state.attempt === attempt + 1 && !state.isSubmitting);
  }
}
