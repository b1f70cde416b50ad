/** Asks whether a server answers at the address that is being typed, once typing pauses; without a key (C1). */
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposable";
import { readAddress } from "../domain/gateway/address";
import type { AddressAnswer, ProbeAddress } from "../domain/gateway/connectionCheck";

/** Milliseconds without a change before an address is asked. */
export const pauseBeforeProbe = 500;

export class AddressWatch implements Disposable {
  readonly #probe: ProbeAddress;
  readonly #clock: Clock;
  readonly #onFound: () => void;
  readonly #answers = new Map<string, AddressAnswer>();
  #address = "";
  #running: AbortController | undefined;

  constructor(probe: ProbeAddress, clock: Clock, onFound: () => void) {
    this.#probe = probe;
    this.#clock = clock;
    this.#onFound = onFound;
  }

  /** What is typed now. What was typed before is not asked any more. */
  look(text: string): void {
    const address = text.trim();
    if (address === this.#address) return;
    this.#address = address;
    this.#running?.abort();
    this.#running = undefined;
    if (!isUsable(address) || this.#answers.has(address)) return;
    this.#running = new AbortController();
    void this.#ask(address, this.#running.signal);
  }

  /** `undefined` until the server has answered, or its time is up. */
  answerOf(address: string): AddressAnswer | undefined {
    return this.#answers.get(address.trim());
  }

  dispose(): void {
    this.#running?.abort();
  }

  async #ask(address: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#clock.delay(pauseBeforeProbe, signal);
      const answer = await this.#probe(address, signal);
      if (signal.aborted) return;
      this.#answers.set(address, answer);
      this.#onFound();
    } catch {
      // Typing went on, or the probe could not be loaded: the check after Enter says what is wrong.
    }
  }
}

function isUsable(address: string): boolean {
  try {
    readAddress(address);
    return true;
  } catch {
    return false;
  }
}
