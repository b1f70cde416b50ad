/** Finds pictures and files in an answer, in the forms that services and relays write, and keeps unknown parts, because all of them were paid for. */
import { asRecord, asText, isRecord } from "../../base/jsonValue";
import { pictureTypeOf } from "../../domain/media/pictureTypes";
import type { Answer } from "./answer";

type FoundMedia = { readonly mimeType: string; readonly data: string } | { readonly address: string };

/** Fields with the bytes as base64, or as a data URL. */
const dataFields = ["b64_json", "image_base64", "base64", "b64", "data", "result", "file_data"];
/** Fields with an address, or with an object that has one or the bytes. */
const innerFields = [
  "url",
  "uri",
  "fileUri",
  "file_uri",
  "image_url",
  "imageUrl",
  "video_url",
  "image",
  "video",
  "audio",
  "file",
  "source",
  "inlineData",
  "inline_data",
  "fileData",
  "file_data",
  "output_image",
];
const typeFields = ["mimeType", "mime_type", "media_type", "mediaType", "content_type"];

/** Levels of objects around a picture: `{"image": {"source": {"url": …}}}` has three. */
const maxLevels = 4;

/** Characters of an unknown part that are shown. */
const maxShownLength = 2000;
/** Unknown parts of one answer that are shown. */
const maxShownParts = 5;

/** Adds a picture or file to the answer. An address becomes a link: nothing is fetched. */
export function addMedia(answer: Answer, found: FoundMedia): void {
  if ("address" in found) {
    answer.endBlock();
    answer.text(`<${found.address}>`);
    answer.endBlock();
  } else answer.emit({ type: "media", block: answer.newBlock(), ...found });
}

/**
 * Parts of an answer that no reader recognises. They are shown at its end as the service wrote them, so that an answer with
 * nothing else does not count as empty: an empty one is requested, and paid for, a second time.
 */
export class UnknownParts {
  readonly #answer: Answer;
  readonly #parts = new Set<string>();

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  add(part: unknown): void {
    if (this.#parts.size < maxShownParts) this.#parts.add(JSON.stringify(part));
  }

  end(): void {
    for (const part of this.#parts) {
      const shown = part.length > maxShownLength ? `${part.slice(0, maxShownLength)}…` : part;
      this.#answer.endBlock();
      this.#answer.text(`\`\`\`json\n${shown}\n\`\`\``);
    }
    this.#parts.clear();
  }
}

/** The picture or file of a part; `undefined` where there is none. */
export function findMedia(value: unknown, levels = maxLevels): FoundMedia | undefined {
  const text = asText(value);
  if (text !== undefined) return readDataUrl(text) ?? readAddress(text);
  if (!isRecord(value) || levels === 0) return undefined;
  const declared = typeFields.map((name) => asText(value[name])).find((type) => type !== undefined);
  for (const name of dataFields) {
    const data = asText(value[name]);
    const read = data && (readDataUrl(data) ?? readBase64(data, declared));
    if (read) return read;
  }
  for (const name of innerFields) {
    const inner = value[name];
    const found = findMedia(inner, levels - 1);
    if (found === undefined) continue;
    // The type may be next to the object that has the bytes.
    const hasOwnType = typeFields.some((field) => asText(asRecord(inner)?.[field]) !== undefined);
    return "data" in found && declared !== undefined && isRecord(inner) && !hasOwnType
      ? { ...found, mimeType: declared }
      : found;
  }
  return undefined;
}

/** Reads a base64 data URL, with any parameters between the type and `;base64`. */
function readDataUrl(url: string): FoundMedia | undefined {
  if (!/^data:/i.test(url)) return undefined;
  const comma = url.indexOf(",");
  const [type = "", ...parameters] = url.slice("data:".length, Math.max(comma, 0)).split(";");
  if (comma === -1 || parameters.at(-1)?.trim().toLowerCase() !== "base64") return undefined;
  return readBase64(url.slice(comma + 1), type.trim() || undefined);
}

function readBase64(data: string, declared: string | undefined): FoundMedia | undefined {
  if (!/^[A-Za-z0-9+/\-_\s]+(?:=[=\s]*)?$/.test(data)) return undefined;
  const sniffed = pictureTypeOf(Buffer.from(data.slice(0, 64), "base64"), "answer");
  const mimeType = declared ?? sniffed;
  return mimeType === undefined ? undefined : { mimeType, data };
}

/** The address is percent-encoded by `URL`, so that it can't end a Markdown link. */
function readAddress(text: string): FoundMedia | undefined {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return undefined;
  return { address: new URL(text).href.replaceAll("<", "%3C").replaceAll(">", "%3E") };
}
