/** Which addresses the web tools take. What a name leads to is checked again where the connection is made. */
import { isPrivateHost } from "../../base/privateAddress";
import { ToolRefusal } from "../../domain/tools/tool";

/** Characters: the question shows the whole address. */
const lengthCap = 2000;

/** Rejects with a `ToolRefusal`. `from`: the page that leads there. The part after `#` is not sent, so it goes. */
export function readWebAddress(text: string, from?: URL): URL {
  const url = URL.canParse(text.trim(), from?.href) ? new URL(text.trim(), from) : undefined;
  if (url === undefined) throw new ToolRefusal(`${quote(text)} is no address. Begin it with https://.`);
  url.hash = "";
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new ToolRefusal(`${quote(url.protocol)} can't be fetched: only https: and http: can.`);
  if (url.username !== "" || url.password !== "")
    throw new ToolRefusal("The address holds a user name or password. Leave them out.");
  if (url.href.length > lengthCap) throw new ToolRefusal(`The address is longer than ${lengthCap} characters.`);
  if (isPrivateHost(url.hostname))
    throw new ToolRefusal(
      `${url.host} is this machine, its network or a reserved address: only public ones can be fetched. A page on this machine can be looked at with view_page, where there is such a tool.`,
    );
  if (from?.protocol === "https:" && url.protocol === "http:")
    throw new ToolRefusal(`${from.host} leads from https: to http:, where the answer could be changed on its way.`);
  return url;
}

/** In place of an address that may be long, in a list or a note. */
export function shortAddress({ host, pathname }: URL): string {
  const text = `${host}${pathname === "/" ? "" : pathname}`;
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 200).toWellFormed());
}
