// The key of a text in the translations of the package: FNV-1a over its UTF-16 units, in five characters. The text itself lies in the
// programs already; as a key it would be 8 KB more.

/** @param {string} text */
export function textKey(text) {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return ((hash >>> 0) % 36 ** 5).toString(36);
}

/** A bundle of translations under short keys. Throws when two texts have the same. @param {Readonly<Record<string, string>>} bundle */
export function shortKeys(bundle) {
  /** @type {Record<string, string>} */
  const short = {};
  for (const [text, translation] of Object.entries(bundle)) {
    const key = textKey(text);
    if (key in short) throw new Error(`The package has one key for two texts; word one differently: ${text}`);
    short[key] = translation;
  }
  return short;
}
