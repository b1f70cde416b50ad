/** The environment of every part of the product, passed as one object; the extension makes it of VS Code, and the tests make their own. */
import type { MonotonicClock } from "../base/clock";
import type { Log } from "./ports";
import type { PriceList } from "./prices/priceList";
import { type SettingId, settingTable, type SettingValue } from "./settingTable";
import { readPriceList } from "./task/priceSetting";

export interface Environment {
  readonly clock: MonotonicClock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly settings: SettingsReader;
}

/** A setting is read where it is needed and when it is needed, so that a change counts at once. */
export interface SettingsReader {
  /** The value as `settingTable` names it, or the default where there is none that fits the table. */
  get<Id extends SettingId>(id: Id): SettingValue<Id>;
}

export const defaultSettings: SettingsReader = { get: (id) => settingTable[id].default };

/** `sluice.prices`. */
export function priceListOf(settings: SettingsReader): PriceList {
  return readPriceList(settings.get("prices"));
}

/** The most tasks of one day; 0 for no cap. A part of a task counts as one. */
export function tasksPerDay(settings: SettingsReader): number {
  return Math.ceil(settings.get("caps.tasksPerDay"));
}

/** Bytes up to which a result is fetched without a click; 0 for none. */
export function maxUnaskedBytes(settings: SettingsReader): number {
  return settings.get("results.fetchUpTo") * 1024 ** 2;
}

/** Bytes of one reference image: the body of a task holds its references, and a larger one is refused before anything is sent. */
export const maxReferenceBytes = 20_000_000;
