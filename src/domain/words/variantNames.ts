/** Names the values by which a task differs from others of its batch, for the rows of lists and grids. */
import { cutLabel } from "./label";

/** The most characters of what a variant differs by. */
export const variantLength = 60;

/**
 * The values by which a task differs from others of its batch, such as `linocut` and `seed 2`. They are shown in front of the prompt, because the
 * others may have the same prompt.
 */
export function variantNames(variant = ""): readonly string[] {
  const parts = variant === "" ? [] : variant.split(/, (?=[\p{L}\p{N}_-]{1,40}: )/u);
  return parts.map((part) => {
    const [, name = "", value = part] = /^([\p{L}\p{N}_-]{1,40}): (.+)$/u.exec(part) ?? [];
    // A number alone does not show what it is of, so the name of the value is added.
    return cutLabel(/^[\d.]+$/.test(value) ? `${name} ${value}` : value, variantLength);
  });
}
