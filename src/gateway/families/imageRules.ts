/**
 * Omits images from a request after a service has refused them: all for a model that takes none, else those that it can't use. They stay in the
 * history, so without these rules one bad image would end the chat.
 */
import type { AppError } from "../../domain/errors/appError";
import type { ChatRequest, ImagePart } from "../../domain/chat/message";
import type { RequestVariant, VariantRule } from "./familyDefinition";

/** Makes `HistoryTarget.whyWithout` from the variant and the image types that the family takes. */
export function whyWithoutImage(
  { images, refusedImages }: RequestVariant,
  types: ReadonlySet<string>,
): (image: ImagePart) => string | undefined {
  return ({ mimeType, data }) => {
    if (!images) return "(An image was left out, because this model takes none.)";
    if (!types.has(mimeType)) return `(An image of the type ${mimeType} was left out.)`;
    return refusedImages.has(data) ? "(An image was left out, because the service could not use it.)" : undefined;
  };
}

/** Services also respond with 404 if no backend takes images, and with 500 if the image part of a model is missing. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 404, 413, 415, 422, 500, 501]);
const names = /\bimages?\b|image_url|inline_?data|\bvision\b|multi-?modal|\bmedia_type\b/i;
const takesNone =
  /not (?:support|accept|allow|enabled|available|capable)|n['’]t (?:support|accept|allow)|unsupported|no endpoints|text[- ]only|only (?:supports? )?text|unknown variant|without (?:vision|image)|mmproj/i;
/** Words about a single image, which the refusal of a model that takes no images does not have. */
const isOfOne = /\b(?:format|type|mime|size|pixels?|dimensions?|bytes?|decode|corrupt|process)\b/i;

function namesImages({ status, message }: AppError): boolean {
  return refusals.has(status) && names.test(message);
}

/** The rules in the order in which they are tried. */
export function imageRules<Variant extends RequestVariant>(): readonly VariantRule<Variant>[] {
  return [
    {
      matches: (error) => namesImages(error) && takesNone.test(error.message) && !isOfOne.test(error.message),
      change: (variant, request) =>
        variant.images && imagesIn(request).length > 0 ? { ...variant, images: false } : undefined,
    },
    {
      matches: namesImages,
      // Only images after the last answer are refused, because the service had accepted the earlier ones.
      change: (variant, request) =>
        refuse(variant, imagesIn(request, request.messages.findLastIndex(({ role }) => role === "assistant") + 1)),
    },
    { matches: namesImages, change: (variant, request) => refuse(variant, imagesIn(request)) },
  ];
}

function refuse<Variant extends RequestVariant>(variant: Variant, images: readonly ImagePart[]): Variant | undefined {
  const refusedImages = new Set([...variant.refusedImages, ...images.map(({ data }) => data)]);
  const hasMore = variant.images && refusedImages.size > variant.refusedImages.size;
  return hasMore ? { ...variant, refusedImages } : undefined;
}

function imagesIn({ messages }: ChatRequest, from = 0): readonly ImagePart[] {
  return messages.slice(from).flatMap((message) => {
    if (message.role === "tool") return message.images ?? [];
    return message.role === "user" ? message.parts.filter((part) => part.type === "image") : [];
  });
}
