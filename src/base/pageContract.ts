/**
 * Defines the messages between a page and its host, one contract for each page: the page's intents with the schemas of their fields, and the type
 * of the host's messages. The page is the least trusted side, so each intent is validated. The host's messages come from the same package, so
 * the page checks only their `type`.
 */
import * as z from "zod/mini";
import type { ProjectedMessage } from "./projector";

/** The fields of an intent other than its `type`. */
type Fields = Readonly<Record<string, z.ZodMiniType>>;
export type IntentFields = Readonly<Record<string, Fields>>;

export interface PageContract<Intents extends IntentFields, Message extends { readonly type: string }> {
  /** The intents by type: an action of the person, or something that the page needs. */
  readonly intents: Intents;
  /** Never set at run time: it only carries the type of the host's messages. */
  readonly message?: Message;
}

/** The contract of a page that shows a projected state. */
export type ProjectedContract<Intents extends IntentFields, Snapshot, E> = PageContract<
  Intents,
  ProjectedMessage<Snapshot, E>
>;

/** The intents as their schemas read them. */
export type IntentsOf<Intents extends IntentFields> = {
  [Type in keyof Intents & string]: { type: Type } & z.output<
    z.ZodMiniObject<Intents[Type] & { readonly type: z.ZodMiniLiteral<Type> }>
  >;
}[keyof Intents & string];

/** `view-ready`: the page was loaded or missed a revision, and asks for a snapshot. `page-failed`: a part could not be rendered, for the log. */
const ownIntents = {
  "view-ready": {},
  "page-failed": { what: z.string().check(z.maxLength(100)), message: z.string().check(z.maxLength(500)) },
} satisfies IntentFields;

/** The intents that every page may send in addition to those of its own contract. */
export type PageIntent = IntentsOf<typeof ownIntents>;

/** The intents of a contract, as their schemas read them. */
export type IntentOf<Contract> = Contract extends { readonly intents: infer Intents extends IntentFields }
  ? IntentsOf<Intents>
  : never;
/** All that a page may post. */
export type ToHost<Contract> = IntentOf<Contract> | PageIntent;

/** Reads what a page has posted; `undefined` for anything but an intent of its contract. */
export function intentReader<Intents extends IntentFields, Message extends { readonly type: string }>({
  intents,
}: PageContract<Intents, Message>): (value: unknown) => IntentsOf<Intents> | PageIntent | undefined {
  const fields: IntentFields = { ...ownIntents, ...intents };
  const schemas = new Map(Object.entries(fields).map(([type, shape]) => [type, z.object(shape)]));
  return (value) => {
    if (typeof value !== "object" || value === null || !("type" in value) || typeof value.type !== "string")
      return undefined;
    const read = schemas.get(value.type)?.safeParse(value);
    // The schema has checked the type of this intent, which the compiler can't follow through the map.
    return read?.success ? ({ type: value.type, ...read.data } as unknown as IntentsOf<Intents>) : undefined;
  };
}

/** One handler for each type: a missing one does not compile. */
export type Handlers<M extends { readonly type: string }> = {
  readonly [Type in M["type"]]: (message: Extract<M, { readonly type: Type }>) => void;
};

/** Calls the handler of the message's type, if the table has one. */
export function dispatch<M extends { readonly type: string }>(handlers: Handlers<M>, message: M): void {
  // The only cast between the union and the table.
  const handler = handlers[message.type as M["type"]] as ((message: M) => void) | undefined;
  handler?.(message);
}
