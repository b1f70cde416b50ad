/** Asks for a gateway's address: the local one, a recent one, or a typed one, whose problems are shown (C1). */
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { systemClock } from "../../../base/async/systemClock";
import { definedFields } from "../../../base/definedFields";
import type { AddressAnswer, ProbeAddress } from "../../../domain/gateway/connectionCheck";
import { originOrText, readOrigin, withScheme } from "../../../domain/gateway/address";
import { type AppError, AppFailure } from "../../../domain/errors/appError";
import { AddressWatch } from "../../connecting";
import type { LearntAccess, LearntEntry } from "../../learntAccess";
import { familyName } from "./pickModel";
import type { PickChoice, StepPicker, StepPosition, StepResult } from "../../../vscode/interface/pickSteps";

const recentKey = "recentGateways";

export function readRecentGateways(memory: vscode.Memento): readonly string[] {
  const kept: unknown = memory.get(recentKey);
  return Array.isArray(kept) ? kept.filter((url): url is string => typeof url === "string") : [];
}

export async function rememberGateway(memory: vscode.Memento, url: string): Promise<void> {
  const others = readRecentGateways(memory).filter((other) => other !== url);
  await memory.update(recentKey, [url, ...others].slice(0, 10));
}

/** The answer for the row of the console, which is no address. */
export const consoleChoice = "console";

export interface AddressQuestion {
  readonly recent: readonly string[];
  /** The address in use, which is marked; empty for the local gateway. */
  readonly current?: string;
  /** What refusals have taught about the gateways: shown at their rows, with *Forget*. */
  readonly learnt?: Pick<LearntAccess, "of" | "forget">;
  /** Whether the console of the gateway in use is offered. */
  readonly hasConsole?: boolean;
  /** The text in the box at first. */
  readonly typed?: string;
  readonly onText?: (text: string) => void;
  /** Probes the typed address. */
  readonly probe?: ProbeAddress;
  readonly position?: StepPosition;
}

/** Resolves with an address that a key may be sent to; empty for the local gateway. */
export function askForAddress(picker: StepPicker, question: AddressQuestion): Promise<StepResult<string>> {
  const { recent, current, learnt, hasConsole = false, typed, onText, probe, position } = question;
  let redraw = (): void => undefined;
  const watch = probe && new AddressWatch(probe, systemClock, () => redraw());
  watch?.look(withScheme(typed ?? ""));
  const listen = (text: string): void => {
    onText?.(text);
    watch?.look(withScheme(text));
  };
  const inUse = (url: string, words: string): string =>
    url === current ? [t("in use"), words].filter((part) => part !== "").join(" · ") : words;
  const readChoices = (): readonly PickChoice<string>[] => [
    {
      label: t("Local gateway"),
      description: inUse("", t("free, on this machine, needs no account")),
      value: "",
    },
    ...recent.map((url): PickChoice<string> => ({
      label: url,
      value: url,
      description: inUse(url, ""),
      ...(learnt ? learntOf(url, learnt) : {}),
    })),
    ...(hasConsole ? [{ icon: "link-external", label: t("Open Console"), value: consoleChoice } as const] : []),
  ];
  return picker.ask({
    placeholder: t("Choose, or type an address such as https://gateway.example/v1"),
    choices: readChoices(),
    redraw: readChoices,
    typed: (given) => {
      const url = withScheme(given);
      const problem = problemOf(url);
      // An unusable address can't be accepted: its item shows the reason.
      return problem === undefined
        ? { label: url, description: describeAnswer(watch?.answerOf(url)), value: url }
        : { label: url, description: problem };
    },
    onText: listen,
    retyped: (show) => {
      redraw = show;
      return { dispose: () => watch?.dispose() };
    },
    ...definedFields({ value: typed, position }),
  });
}

function learntOf(
  url: string,
  learnt: NonNullable<AddressQuestion["learnt"]>,
): Pick<PickChoice<string>, "detail" | "buttons"> {
  const origin = originOrText(url);
  const facts = learnt.of(origin).flatMap(describeAccess);
  if (facts.length === 0) return {};
  const press = (): void => learnt.forget(origin);
  return { detail: facts.join(" "), buttons: [{ icon: "discard", tooltip: t("Forget What Was Learnt"), press }] };
}

function describeAccess({ family, keyPlace, version, headerVersion }: LearntEntry): readonly string[] {
  const name = familyName(family);
  return [
    ...(keyPlace === undefined ? [] : [t("Learnt: the API {0} takes the key in the header {1}.", name, keyPlace)]),
    ...(version === undefined ? [] : [t("Learnt: the API {0} is at {1}.", name, `/${version}`)]),
    ...(headerVersion === undefined ? [] : [t("Learnt: the API {0} takes version {1}.", name, headerVersion)]),
  ];
}

function describeAnswer(answer: AddressAnswer | undefined): string {
  switch (answer) {
    case undefined:
      return t("use this address");
    case "answers":
      return t("answers");
    case "page":
      return t("answers with a web page: a part of the path may be missing, as /v1");
    case "silent":
      return t("does not answer");
    case "unknown-host":
      return t("no host of that name is known: look at its spelling");
    case "not-listening":
      return t("nothing listens at this port");
  }
}

function problemOf(url: string): string | undefined {
  try {
    readOrigin(url);
    return undefined;
  } catch (failure) {
    return failure instanceof AppFailure ? describeAddressProblem(failure.error) : String(failure);
  }
}

/** Words the problem of an address that `readOrigin` refuses. */
function describeAddressProblem({ code, message }: AppError): string {
  switch (code) {
    case "address-unreadable":
      return t("is no http address; one looks like https://gateway.example/v1");
    case "address-login":
      return t("The address may not hold a user name or password.");
    case "address-query":
      return t("The address may not hold anything after ? or #. A key is set by Sluice: Set API Key.");
    case "address-insecure":
      return t("Only https: is safe for a key, except on this machine.");
    case undefined:
    default:
      return message;
  }
}
