/** Asks another program on this machine for a JSON object, with bounds on the body. */

const maxAnswerSize = 2_000_000;

/** The JSON body of a 200, else `undefined`. With `body`, which is sent as JSON, a POST. */
export async function fetchJson(port: number, path: string, signal: AbortSignal, body?: unknown): Promise<unknown> {
  try {
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal, redirect: "error", ...sent });
    const type = response.headers.get("content-type") ?? "";
    if (response.status !== 200 || !/^application\/json\b/i.test(type)) {
      await response.body?.cancel();
      return undefined;
    }
    return JSON.parse(await readText(response));
  } catch {
    return undefined;
  }
}

/** Bounded: another program on this port may send an endless body. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  const chunks: AsyncIterable<Uint8Array> | undefined = body ?? undefined;
  if (chunks === undefined) return text;
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxAnswerSize) throw new Error("The answer is too long.");
  }
  return text;
}
