/** The gateway as a program: prints one JSON line with its address and key, then serves until a signal ends it. */
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod/mini";
import { isAbort } from "../base/async/abort";
import { systemClock } from "../base/async/systemClock";
import { definedFields } from "../base/definedFields";
import { hasSystemCode } from "../base/systemErrors";
import { accountName } from "./ledger";
import { type LocalGateway, type StartLocalGatewayOptions, startLocalGateway } from "./server";
import { taskTypeWords, vendorWord } from "./demo/taskKinds";
import { dialectNames } from "./demo/spokenDialects";
import { StateInUse } from "./state/stateLock";

const help = `Usage: node localGateway.mjs [options]

A gateway for chat and tasks on 127.0.0.1 that needs no account. Prints one JSON line {"url","key"} and serves until it is ended.

  --port N      Port; 0 or missing: the last one of this state when it is free, else any
  --state DIR   Where key, tasks and ledger are kept (default: ~/.sluice/gateway)
  --seed N      Other durations, pictures and wordings (default: 1)
  --speed X     Tasks and answers take 1/X of their time (default: 1)
  --stylized-image-task-type WORD
                The value of task_type for stylized images (default: stylized_image)
  --account NAME
                One more account, with its own key and money; may be given several times. GET /_local/accounts lists the keys
  --task-type-off WORD
                A task type that is not enabled for the main account; the others are. May be given several times
  --dialect NAME
                State costs, prices and the balance as another gateway does: ${dialectNames.join(", ")}
  --relay       Offer the models of an Ollama, LM Studio or llama.cpp on this machine too
  --help        This text
`;

/** Thrown for a flag that can't be used; only its message is shown. */
export class BadFlag extends Error {}

/** Additional flags of a program that extends this one. */
export interface MoreFlags {
  /** Lines of the help. */
  readonly help: string;
  readonly options: Readonly<Record<string, { readonly type: "string" | "boolean"; readonly multiple?: boolean }>>;
  /** Returns a text to print instead of serving, or options for the gateway. Throws a `BadFlag`. */
  read(values: Readonly<Record<string, unknown>>): Partial<StartLocalGatewayOptions> | string;
}

const noMoreFlags: MoreFlags = { help: "", options: {}, read: () => ({}) };

/** The value of `task_type` for stylized images; an editor that started the program changes it with a message. */
let stylizedImageWord = "";
const wordMessage = z.object({ stylizedImageWord: z.string() });

function readFlags(args: readonly string[], more: MoreFlags): StartLocalGatewayOptions | string {
  const values = parseFlags(args, more);
  if (values.help === true) return help.replace("  --help ", `${more.help}  --help `);
  const added = more.read(values);
  if (typeof added === "string") return added;
  stylizedImageWord = values["stylized-image-task-type"] ?? "";
  if (taskTypeWords.some((word) => word !== vendorWord && word === stylizedImageWord)) {
    throw new BadFlag(`--stylized-image-task-type can't be '${stylizedImageWord}'`);
  }
  const dialect = dialectNames.find((name) => name === values.dialect);
  if (values.dialect !== undefined && dialect === undefined)
    throw new BadFlag(`--dialect can't be '${values.dialect}'`);
  const badName = values.account?.find((name) => !accountName.test(name));
  if (badName !== undefined) throw new BadFlag(`--account can't be '${badName}'`);
  return {
    stylizedImageWord: () => stylizedImageWord,
    ...definedFields({ accounts: values.account, typesOff: values["task-type-off"], relay: values.relay, dialect }),
    onSetAside: (file) =>
      process.stderr.write(`localGateway: The state was damaged, so a new one begins. The damaged file is ${file}.\n`),
    stateDir: values.state ?? join(homedir(), ".sluice", "gateway"),
    ...added,
    ...readNumber("port", values.port, (port) => Number.isInteger(port) && port >= 0 && port <= 65_535),
    ...readNumber("seed", values.seed, Number.isSafeInteger),
    ...readNumber("speed", values.speed, (speed) => Number.isFinite(speed) && speed > 0),
  };
}

function parseFlags(args: readonly string[], more: MoreFlags) {
  const text = { type: "string" } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...more.options,
        port: text,
        state: text,
        seed: text,
        speed: text,
        "stylized-image-task-type": text,
        account: { ...text, multiple: true },
        "task-type-off": { ...text, multiple: true },
        dialect: text,
        relay: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
    return values;
  } catch (error) {
    throw new BadFlag(error instanceof Error ? error.message.split("\n", 1)[0] : String(error));
  }
}

function readNumber(name: string, text: string | undefined, fits: (value: number) => boolean): Record<string, number> {
  if (text === undefined) return {};
  const value = Number(text);
  if (text.trim() === "" || !fits(value)) throw new BadFlag(`--${name} can't be '${text}'`);
  return { [name]: value };
}

async function serve(args: readonly string[], more: MoreFlags): Promise<void> {
  const flags = readFlags(args, more);
  if (typeof flags === "string") {
    process.stdout.write(flags);
    return;
  }
  const ending = new AbortController();
  let gateway: LocalGateway | undefined;
  const end = (): void => {
    ending.abort();
    void Promise.resolve(gateway?.close()).then(() => process.exit(0));
  };
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  // The parent process has ended or closed the channel.
  process.once("disconnect", end);
  process.on("message", (message) => {
    const read = wordMessage.safeParse(message);
    if (read.success) ({ stylizedImageWord } = read.data);
  });
  process.stdout.on("error", () => undefined);
  try {
    gateway = await startLocalGateway(flags);
    announce(gateway);
  } catch (error) {
    if (!(error instanceof StateInUse) || process.send === undefined) throw error;
    announce(error);
    gateway = await standBy(flags, error.url, ending.signal);
  }
}

/**
 * Waits to take over a state folder. Two windows of an editor share one folder and so one gateway: the second process reports
 * the address of the first, and takes over the same port and key when the first one ends.
 */
async function standBy(flags: StartLocalGatewayOptions, url: string, signal: AbortSignal): Promise<LocalGateway> {
  for (;;) {
    await systemClock.delay(500, signal);
    try {
      const gateway = await startLocalGateway(flags);
      if (gateway.url === url) return gateway;
      // The parent has only the former address, so this process ends and is started again.
      await gateway.close();
      throw new Error("The port of the gateway was taken by another program.");
    } catch (error) {
      // A gateway at another address has the folder: as above, the parent learns that address by a new process.
      if (!(error instanceof StateInUse) || error.url !== url) throw error;
    }
  }
}

function announce({ url, key }: { readonly url: string; readonly key: string }): void {
  process.stdout.write(`${JSON.stringify({ url, key })}\n`);
  process.send?.({ url, key });
}

function describeStartFailure(error: unknown): string {
  if (error instanceof BadFlag) return `${error.message}. Try --help.`;
  if (hasSystemCode(error, "EADDRINUSE")) return "The port is taken.";
  return error instanceof Error ? error.message : String(error);
}

/** Runs the program, and ends the process if the gateway can't be started. */
export function runProgram(args: readonly string[], more = noMoreFlags): void {
  serve(args, more).catch((error: unknown) => {
    if (isAbort(error)) return;
    process.stderr.write(`localGateway: ${describeStartFailure(error).replaceAll("\n", " ")}\n`);
    process.exit(2);
  });
}
