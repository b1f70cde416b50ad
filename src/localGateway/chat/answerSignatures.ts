/** Proofs that a thought, or a call, came from this gateway and comes back as it was. */
import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";

/** `changed`: it is ours, but for something else. */
export type Verdict = "genuine" | "changed" | "foreign";

const saltBytes = 12;
const checkBytes = 16;

export class AnswerSignatures {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** `kind` keeps one use from another; `salt` what goes into it without being shown. The same in, the same out. */
  sign(kind: string, shown: string, salt = shown): string {
    const head = this.#mac(`salt ${kind}`, salt).subarray(0, saltBytes);
    const check = this.#check(kind, head, shown);
    return Buffer.concat([head, check, this.#seal(kind, head, check)]).toString("base64");
  }

  verify(kind: string, shown: string, signature: string): Verdict {
    const bytes = Buffer.from(signature, "base64");
    if (bytes.length !== saltBytes + checkBytes * 2 || bytes.toString("base64") !== signature) return "foreign";
    const head = bytes.subarray(0, saltBytes);
    const check = bytes.subarray(saltBytes, saltBytes + checkBytes);
    if (!this.#seal(kind, head, check).equals(bytes.subarray(saltBytes + checkBytes))) return "foreign";
    return this.#check(kind, head, shown).equals(check) ? "genuine" : "changed";
  }

  /** Text that only this gateway can read again. */
  hide(text: string): string {
    const iv = this.#mac("hide iv", text).subarray(0, 12);
    const cipher = createCipheriv("aes-256-gcm", this.#mac("hide key", ""), iv);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
  }

  /** Whether the data came from `hide` and has not lost or gained a byte. */
  isHidden(data: string): boolean {
    const bytes = Buffer.from(data, "base64");
    if (bytes.length < 28 || bytes.toString("base64") !== data) return false;
    try {
      const cipher = createDecipheriv("aes-256-gcm", this.#mac("hide key", ""), bytes.subarray(0, 12));
      cipher.setAuthTag(bytes.subarray(12, 28));
      cipher.update(bytes.subarray(28));
      cipher.final();
      return true;
    } catch {
      return false;
    }
  }

  #check(kind: string, head: Buffer, shown: string): Buffer {
    return this.#mac(`check ${kind} ${head.toString("hex")}`, shown).subarray(0, checkBytes);
  }

  #seal(kind: string, head: Buffer, check: Buffer): Buffer {
    return this.#mac(`seal ${kind}`, Buffer.concat([head, check]).toString("hex")).subarray(0, checkBytes);
  }

  #mac(purpose: string, text: string): Buffer {
    return createHmac("sha256", this.#secret).update(`${purpose}\0${text}`).digest();
  }
}
