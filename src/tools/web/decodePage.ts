/** The text of a response by the encoding that its bytes, its header or its own beginning names. */

/** Bytes in which a page names its encoding. */
const headLength = 1024;

/** `undefined` for what is no text. */
export function decodePage(bytes: Uint8Array, contentType: string | undefined): string | undefined {
  const label = markOf(bytes) ?? charsetOf(contentType) ?? charsetOf(metaOf(bytes)) ?? "utf-8";
  const text = decode(bytes, label);
  return text.includes("\0") ? undefined : text;
}

function decode(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    // There is no such encoding.
    return new TextDecoder().decode(bytes);
  }
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : undefined;
}

function metaOf(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, headLength));
  return /<meta\b[^>]{0,200}|<\?xml\b[^>]{0,200}/i.exec(head)?.[0];
}

/** `charset=…`, in XML `encoding="…"`. A page that names UTF-16 in ASCII is not in UTF-16. */
function charsetOf(text: string | undefined): string | undefined {
  const label = /(?:charset|encoding)\s*=\s*["']?([\w.:-]{1,40})/i.exec(text ?? "")?.[1]?.toLowerCase();
  return label?.startsWith("utf-16") ? "utf-8" : label;
}
