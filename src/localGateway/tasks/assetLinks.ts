/** Signed links to results: they open without the key until they expire. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../base/clock";
import { HttpError } from "../http/httpError";

const hour = 3_600_000;

export interface AssetLinksOptions {
  readonly secret: string;
  readonly clock: Clock;
  /** The gateway's own address, without a slash at the end. */
  readonly origin: () => string;
}

export class AssetLinks {
  readonly #options: AssetLinksOptions;

  constructor(options: AssetLinksOptions) {
    this.#options = options;
  }

  /** Expires in one to two hours, at a full hour, so that reads within an hour return the same link. `life`: in milliseconds instead. */
  link(taskId: string, file: string, life?: number): string {
    const now = this.#options.clock.now();
    const expires = life === undefined ? (Math.floor(now / hour) + 2) * hour : now + life;
    const query = `expires=${expires}&signature=${this.#sign(taskId, file, expires)}`;
    return `${this.#options.origin()}/_local/assets/${taskId}/${file}?${query}`;
  }

  /** Whether the signature is valid, also for an expired link. */
  isOurs(taskId: string, file: string, query: URLSearchParams): boolean {
    const given = Buffer.from(query.get("signature") ?? "");
    const ours = Buffer.from(this.#sign(taskId, file, Number(query.get("expires"))));
    return given.length === ours.length && timingSafeEqual(given, ours);
  }

  /** 403 for an invalid signature, 410 for an expired link. */
  check(taskId: string, file: string, query: URLSearchParams): void {
    if (!this.isOurs(taskId, file, query)) {
      throw new HttpError(403, "invalid_signature", "This link was not made by this gateway.");
    }
    if (Number(query.get("expires")) <= this.#options.clock.now()) {
      throw new HttpError(410, "link_expired", "This link has ended; read the task again for a new one.");
    }
  }

  #sign(taskId: string, file: string, expires: number): string {
    return createHmac("sha256", this.#options.secret).update(`${taskId}/${file}/${expires}`).digest("base64url");
  }
}
