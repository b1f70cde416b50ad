/** Loads what reads prompt files with their first use: the reader of YAML is large, and many windows never open such a file. */
import type * as parser from "../../prompts/parsePrompts";
import type * as offers from "../../prompts/offers";

export async function loadPrompts(): Promise<typeof parser> {
  return await import("../../prompts/parsePrompts");
}

export async function loadOffers(): Promise<typeof offers> {
  return await import("../../prompts/offers");
}
