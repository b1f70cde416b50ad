/** Bytes of files as texts, in the encodings that VS Code recognizes or is set to. */

/** How a file is read: VS Code's setting `files.encoding`, and the marks at its beginning. */
export type Encoding = "utf8" | "utf8bom" | "utf16le" | "utf16be" | "windows1252" | "iso88591";

export function encodingOf(bytes: Uint8Array, fallback: Encoding): Encoding {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf8bom";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf16be";
  return fallback;
}

export function decode(bytes: Uint8Array, encoding: Encoding): string {
  const names = { utf8: "utf-8", utf8bom: "utf-8", utf16le: "utf-16le", utf16be: "utf-16be" } as const;
  const name = encoding in names ? names[encoding as keyof typeof names] : "windows-1252";
  return new TextDecoder(name).decode(bytes);
}

export function encode(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case "utf8":
      return Buffer.from(text);
    case "utf8bom":
      return Buffer.from(`\uFEFF${text}`);
    case "utf16le":
      return Buffer.from(`\uFEFF${text}`, "utf16le");
    case "utf16be":
      return Buffer.from(`\uFEFF${text}`, "utf16le").swap16();
    case "windows1252":
    case "iso88591":
      return Buffer.from(text, "latin1");
  }
}
