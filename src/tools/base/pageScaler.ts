/** Scales images in a chat page that is shown: a page has the browser's decoders, and the extension host has none. */
import { abortable } from "../../base/async/abort";
import { systemClock } from "../../base/async/systemClock";
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposable";
import type { ScaleImage, ScaleMessage } from "../../domain/tools/toolPorts";

/** A page to which a message can be posted. */
export interface ScalingPage {
  readonly isShown: boolean;
  showMedia(message: ScaleMessage): void;
}

/** Milliseconds: a page that is hidden meanwhile does not answer. */
const maxPageWait = 20_000;

export class PageScaler {
  readonly #clock: Clock;
  readonly #pages = new Set<ScalingPage>();
  readonly #waiting = new Map<number, (scaled: Uint8Array | undefined) => void>();
  #key = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(page: ScalingPage): Disposable {
    this.#pages.add(page);
    return { dispose: () => void this.#pages.delete(page) };
  }

  readonly scale: ScaleImage = async (bytes, side, signal) => {
    const page = [...this.#pages].find(({ isShown }) => isShown);
    if (page === undefined) return undefined;
    this.#key += 1;
    const key = this.#key;
    const answered = new AbortController();
    const answer = new Promise<Uint8Array | undefined>((resolve) => this.#waiting.set(key, resolve));
    const late = this.#clock.delay(maxPageWait, answered.signal).then(() => undefined);
    late.catch(() => undefined);
    page.showMedia({ type: "image-scale", key, data: Buffer.from(bytes).toString("base64"), side });
    try {
      return await abortable(Promise.race([answer, late]), signal);
    } finally {
      answered.abort();
      this.#waiting.delete(key);
    }
  };

  /** Takes the scaled image from the page, as Base64. */
  receive(key: number, data: string | undefined): void {
    this.#waiting.get(key)?.(data === undefined ? undefined : Buffer.from(data, "base64"));
  }
}

/** The scaler of this window. */
export const pageScaler = new PageScaler(systemClock);
