/** Compares secrets. Their digests are compared, so the time does not depend on how much of them is alike. */
import { createHash, timingSafeEqual } from "node:crypto";

export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
