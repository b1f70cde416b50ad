/** The tools of VS Code, other extensions and MCP servers as tools of the chat: each call asks, and what comes back is bounded and untrusted (A2 to A4). */
import * as z from "zod/mini";
import { abortable } from "../base/async/abort";
import { revealHidden } from "../base/text/revealHidden";
import { toRootObject } from "../domain/tools/rootObject";
import type { ForeignContent, ForeignTool, ForeignToolPort, ScaleImage } from "../domain/tools/toolPorts";
import { type CallEffects, type Tool, ToolRefusal } from "../domain/tools/tool";
import { fitImage } from "./base/fitImage";
import { type KeptResults, pageOf, pageSize } from "./readResult";

/** Characters. */
const maxResultLength = 2 * 1024 * 1024;
const maxDescriptionLength = 1024;
const maxSchemaLength = 32 * 1024;
const maxErrorLength = 2000;
/** Images of one result. */
const maxImages = 8;

const argumentsSchema = z.record(z.string(), z.unknown());

/** `ownNames`: a foreign tool of such a name is declared under another one. */
export function createForeignTools(
  port: ForeignToolPort,
  ownNames: ReadonlySet<string>,
  kept: KeptResults,
  scale: ScaleImage,
): () => readonly Tool[] {
  return () => {
    const chosen = port.chosen();
    const taken = new Set(ownNames);
    const nameOf = (name: string): string => (taken.has(name) ? nameOf(`${name}_`) : name);
    return chosen.map((tool) => {
      const name = nameOf(tool.name);
      taken.add(name);
      return foreignTool({ port, kept, scale }, tool, name);
    });
  };
}

interface ForeignParts {
  readonly port: ForeignToolPort;
  readonly kept: KeptResults;
  readonly scale: ScaleImage;
}

function foreignTool({ port, kept, scale }: ForeignParts, tool: ForeignTool, name: string): Tool {
  const { promise } = tool;
  const description = revealHidden(tool.description.slice(0, maxDescriptionLength)).toWellFormed();
  return {
    declaration: { name, description, parameters: parametersOf(tool) },
    effect: "sends",
    prepare(given) {
      const read = argumentsSchema.safeParse(given);
      if (!read.success) return Promise.reject(new ToolRefusal("The arguments are no object."));
      return Promise.resolve({
        action: { type: "foreign-tool", name: tool.name },
        reasons: ["foreign-tool"],
        grant: { type: "foreign-tool", name: tool.name, promise },
        untrusted: tool.name,
        async run(signal, effects) {
          signal.throwIfAborted();
          const called = port.call(tool, read.data, signal).catch((error: unknown) => {
            throw asRefusal(error);
          });
          const content = await showImages(await abortable(called, signal), tool.name, scale, signal, effects);
          const text = describeContent(content);
          const room = effects?.room ?? pageSize;
          if (text.length <= pageSize && Buffer.byteLength(text) <= room) return text;
          effects?.shortened?.(text.length);
          return pageOf(text, kept.keep({ tool: tool.name, text, untrusted: tool.name }), 0, effects?.room);
        },
      });
    },
  };
}

/** Every family takes an object at the root only. What the declaration leaves out, such as a schema that is too long, the tool itself validates. */
function parametersOf({ schema }: ForeignTool): Readonly<Record<string, unknown>> {
  const read = argumentsSchema.safeParse(schema);
  return toRootObject(read.success && JSON.stringify(read.data).length <= maxSchemaLength ? read.data : {});
}

/** An abort that the tool throws is an error, too: only the person's Stop ends the turn. */
function asRefusal(error: unknown): ToolRefusal {
  if (error instanceof ToolRefusal) return error;
  const said = error instanceof Error ? error.message : String(error);
  return new ToolRefusal(`The tool failed: ${said.slice(0, maxErrorLength).toWellFormed()}`);
}

type Described = Exclude<ForeignContent, { readonly type: "image" }>;

/** Shows the images, and puts words in their place. */
async function showImages(
  content: readonly ForeignContent[],
  name: string,
  scale: ScaleImage,
  signal: AbortSignal,
  effects: CallEffects | undefined,
): Promise<readonly Described[]> {
  const described: Described[] = [];
  let shown = 0;
  for (const part of content) {
    if (part.type !== "image") {
      described.push(part);
      continue;
    }
    const fitted = shown < maxImages ? await fitImage(part.bytes, name, scale, signal) : tooMany;
    const isShown = typeof fitted !== "string" && effects?.image !== undefined;
    if (isShown) effects.image?.(fitted.image);
    if (isShown) shown += 1;
    const words = typeof fitted === "string" ? `An image can't be shown. ${fitted}` : fitted.words;
    described.push({ type: "text", text: `(${words})` });
  }
  return described;
}

const tooMany = `Only ${maxImages} images of a result are shown.`;

function describeContent(content: readonly Described[]): string {
  const texts = content.map((part) =>
    part.type === "text" ? part.text : `(${part.mimeType}, ${part.size} bytes: can't be shown here)`,
  );
  const text = texts.join("\n");
  if (text === "") return "(the tool returned nothing)";
  if (text.length <= maxResultLength) return text;
  return `${text.slice(0, maxResultLength).toWellFormed()}\n(cut; the tool returned ${text.length} characters)`;
}
