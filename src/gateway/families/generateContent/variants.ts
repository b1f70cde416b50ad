/** The variants of a generate-content request, and which refusal leads to which. */
import { imageRules } from "../shared/imageRules";
import { leaveOutRefused } from "../shared/refusedParts";
import { baseVariant, isRefusalOf, refuseOlderSignatures, type VariantRule } from "../shared/requestVariant";
import { systemIntoPrompt, type SystemVariant } from "../shared/systemInPrompt";
import { readThoughtSignature } from "./signature";

export interface GenerateContentVariant extends SystemVariant {
  /** A call without a signature gets a placeholder; chosen by the model's id when left out. */
  readonly signCalls?: true;
}

export const firstGenerateContentVariant: GenerateContentVariant = baseVariant;

const badSignature = /(?:invalid|corrupt\w{0,20})[^.]{0,20} thought.?signature/i;

/** Retry unchanged: the request may be routed to another backend, the one that signed. */
const unchanged: VariantRule<GenerateContentVariant> = {
  matches: (error) => isRefusalOf(error, badSignature),
  change: (variant) => variant,
};

const withoutOlderSignatures: VariantRule<GenerateContentVariant> = {
  matches: (error) => isRefusalOf(error, badSignature),
  change: (variant, request) => refuseOlderSignatures(variant, request, readThoughtSignature),
};

const withSignedCalls: VariantRule<GenerateContentVariant> = {
  matches: (error) => isRefusalOf(error, /missing[^.]{0,20} thought.?signature/i),
  change: (variant) => (variant.signCalls ? undefined : { ...variant, signCalls: true }),
};

const withOtherPrefix: VariantRule<GenerateContentVariant> = {
  matches({ status, code, message, firstBytes }) {
    if (status !== 404) return false;
    // A gateway that serves the path names the model that it lacks; one that does not answers something else.
    const namesModel = firstBytes === undefined && /\bmodel\b/i.test(`${code ?? ""} ${message}`.replaceAll("_", " "));
    return !namesModel || /api version/i.test(message);
  },
  change: (variant) => ({ ...variant, version: variant.version === "v1beta" ? "v1" : "v1beta" }),
};

export const generateContentRules = [
  ...imageRules<GenerateContentVariant>(),
  unchanged,
  withoutOlderSignatures,
  withSignedCalls,
  withOtherPrefix,
  systemIntoPrompt<GenerateContentVariant>(),
  ...leaveOutRefused<GenerateContentVariant>(),
];
