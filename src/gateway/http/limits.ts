/** The time limits of a request, and those that apply without settings. */
import { settingDefaults } from "../../domain/settingDefaults";

/** How long each part of a request may take, in milliseconds. */
export interface Limits {
  readonly connect: number;
  /** From the request's last byte to the answer's first. */
  readonly firstByte: number;
  /** The same for reads that answer at once. */
  readonly read: number;
  /** Between two pieces of an answer; comments count as life. */
  readonly silence: number;
  /** From the first byte to the last of an answer that is no stream: blanks that go on trickling are no silence. */
  readonly whole: number;
}

export const defaultLimits: Limits = {
  connect: settingDefaults["network.connectTimeout"] * 1000,
  firstByte: settingDefaults["network.firstByteTimeout"] * 1000,
  read: 15_000,
  silence: settingDefaults["network.silenceTimeout"] * 1000,
  whole: 120_000,
};
