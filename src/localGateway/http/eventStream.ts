/** Writes the events of a streamed answer: applies stream faults, frames them, and waits for a slow reader. */
import { once } from "node:events";
import type { Family } from "../../domain/chat/chatEvent";
import { cutConnection, type RequestContext } from "./requestContext";
import type { StreamOutput, StreamEvent, StreamFault } from "./requestFaults";

export interface EventStreamOptions {
  readonly family: Family;
  /** The usage so far, in the family's shape, for the faults that send it too often. */
  readonly usage: () => unknown;
  /** Whether the stream is one JSON array instead of server-sent events. */
  readonly array?: boolean;
}

/** Thrown when a fault has ended the stream, so that the encoder stops. */
class StreamEnded extends Error {
  override readonly name = "StreamEnded";
}

export class EventStream {
  readonly #context: RequestContext;
  readonly #faults: readonly StreamFault[];
  readonly #frame: (event: StreamEvent) => string;
  readonly #isArray: boolean;
  #sent = 0;

  private constructor(context: RequestContext, faults: readonly StreamFault[], { family, array }: EventStreamOptions) {
    this.#context = context;
    this.#faults = faults;
    this.#isArray = array === true;
    // Google ends lines with CRLF.
    const lineEnd = family === "generate-content" ? "\r\n" : "\n";
    this.#frame = this.#isArray ? (event) => this.#element(event) : (event) => frameEvent(event, lineEnd);
  }

  /** Sends the headers immediately. */
  static open(context: RequestContext, options: EventStreamOptions): EventStream {
    const { response, faults } = context;
    const { family, usage, array } = options;
    const active = faults.ofStream({ family, usage });
    const ordinary = array === true ? "application/json; charset=utf-8" : "text/event-stream; charset=utf-8";
    const contentType = active.find((fault) => fault.contentType !== undefined)?.contentType ?? ordinary;
    response.writeHead(200, { "content-type": contentType, "cache-control": "no-store" });
    response.flushHeaders();
    return new EventStream(context, active, options);
  }

  /** Resolves when the socket buffer has room. Rejects when the client has disconnected, and with `StreamEnded` when a fault ended the stream. */
  async send(event: StreamEvent): Promise<void> {
    let pieces: readonly StreamOutput[] = [event];
    for (const fault of this.#faults) {
      if (fault.event === undefined) continue;
      const change = fault.event.bind(fault);
      pieces = pieces.flatMap((piece) => ("data" in piece ? change(piece) : [piece]));
    }
    for (const piece of pieces) await this.#sendPiece(piece);
  }

  /** Ends the response; `[DONE]` is an event that the encoder sends before. */
  async end(): Promise<void> {
    if (this.#isArray) await this.#write(Buffer.from(this.#sent === 0 ? "[]" : "]"));
    for (const fault of this.#faults) for (const packet of fault.rest?.() ?? []) await this.#leave(packet, true);
    if (this.#faults.some(({ lingers }) => lingers)) await untilAborted(this.#context.signal);
    this.#context.response.end();
  }

  async #sendPiece(piece: StreamOutput): Promise<void> {
    if ("ending" in piece) {
      if (piece.ending === "cut") await cutStream(this.#context);
      else await this.end();
      throw new StreamEnded("A fault ended the stream.");
    }
    let text = "raw" in piece ? piece.raw : this.#frame(piece);
    if (!("raw" in piece)) for (const fault of this.#faults) text = fault.text?.(text) ?? text;
    await this.#write(Buffer.from(text));
  }

  async #write(bytes: Buffer): Promise<void> {
    let packets: readonly Buffer[] = [bytes];
    for (const fault of this.#faults) {
      if (fault.packets === undefined) continue;
      const split = fault.packets.bind(fault);
      packets = packets.flatMap((packet) => [...split(packet)]);
    }
    const apart = packets.length > 1;
    for (const packet of packets) await this.#leave(packet, apart);
  }

  /** `apart`: waits a turn of the event loop, because bytes written in one turn leave in one packet. */
  async #leave(packet: Buffer, apart: boolean): Promise<void> {
    const { response, signal } = this.#context;
    signal.throwIfAborted();
    if (!response.write(packet)) await once(response, "drain", { signal });
    if (apart) await new Promise((resolve) => setImmediate(resolve));
  }

  #element({ data }: StreamEvent): string {
    this.#sent += 1;
    return `${this.#sent === 1 ? "[" : ",\r\n"}${JSON.stringify(data)}\r\n`;
  }
}

function frameEvent({ name, data }: StreamEvent, lineEnd: string): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === undefined ? "" : `event: ${name}${lineEnd}`}data: ${text}${lineEnd}${lineEnd}`;
}

/** Cuts the connection after a delay, so that the bytes before it arrive first. */
async function cutStream(context: RequestContext): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 25));
  cutConnection(context);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
