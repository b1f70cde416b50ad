/** The first and the last 64 KB of a body: a request report shows both without keeping a long body in memory. */

/** Bytes of each end. */
const kept = 64 * 1024;

export class BodyEnds {
  #head: Uint8Array | undefined;
  #headLength = 0;
  /** Twice as long as what is kept: a byte is moved once at most before it is dropped. */
  #tail: Uint8Array | undefined;
  #tailLength = 0;
  #length = 0;

  /** Copies the bytes: a chunk may be a view of a buffer that is used again. */
  add(chunk: Uint8Array): void {
    this.#length += chunk.byteLength;
    const forHead = chunk.subarray(0, kept - this.#headLength);
    if (forHead.byteLength > 0) {
      this.#head ??= new Uint8Array(kept);
      this.#head.set(forHead, this.#headLength);
      this.#headLength += forHead.byteLength;
    }
    const forTail = chunk.subarray(forHead.byteLength);
    if (forTail.byteLength > 0) this.#addToTail(forTail.subarray(-kept));
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  get head(): Uint8Array {
    return this.#head?.subarray(0, this.#headLength) ?? new Uint8Array();
  }

  /** What follows the head, as far as it is kept. */
  get tail(): Uint8Array {
    return this.#tail?.subarray(Math.max(0, this.#tailLength - kept), this.#tailLength) ?? new Uint8Array();
  }

  #addToTail(bytes: Uint8Array): void {
    this.#tail ??= new Uint8Array(2 * kept);
    if (this.#tailLength + bytes.byteLength > this.#tail.byteLength) {
      this.#tail.copyWithin(0, this.#tailLength - kept, this.#tailLength);
      this.#tailLength = kept;
    }
    this.#tail.set(bytes, this.#tailLength);
    this.#tailLength += bytes.byteLength;
  }
}
