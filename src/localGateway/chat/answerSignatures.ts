/** Signatures on reasoning and tool calls: the gateway checks that a client sends them back unchanged. */
import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";

/** `changed`: this gateway has signed other content. */
export type Verdict = "genuine" | "changed" | "foreign";

const saltBytes = 12;
const checkBytes = 16;

export class AnswerSignatures {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Signs content deterministically. `kind` separates the purposes; `salt` is content that the client does not see. */
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

  /** Encrypts text with a key of this gateway. */
  hide(text: string): string {
    const iv = this.#mac("hide iv", text).subarray(0, 12);
    const cipher = createCipheriv("aes-256-gcm", this.#mac("hide key", ""), iv);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
  }

  /** Whether the data is the unchanged result of `hide`. */
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
