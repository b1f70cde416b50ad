/** The subjects that the demo model can draw, and the words that ask for them. */
import { drawBoat, drawCity, drawFireworks, drawForest, drawHills, drawLanterns, drawLighthouse } from "./landscapes";
import type { Scene } from "./scenery";
import { drawAbstract, drawMap, drawPattern, drawTexture } from "./surfaces";
import { drawIcon, drawLogo, drawPortrait, drawProduct } from "./things";

interface SubjectDrawing {
  readonly words: RegExp;
  /** Set if the subject is a kind of picture, such as an icon. It has priority over things: an icon of a boat is an icon. */
  readonly isKind?: true;
  readonly draw: (scene: Scene) => void;
}

export const subjects = {
  lighthouse: { words: /\blight ?houses?\b|\bbeacon\b|灯塔/i, draw: drawLighthouse },
  boat: {
    words: /\b(?:boats?|ships?|ferry|ferries|sail(?:ing|boats?)?|yachts?|vessels?|steamers?)\b|船|帆|渡轮/i,
    draw: drawBoat,
  },
  city: {
    words: /\b(?:city|cities|town|skyline|streets?|buildings?|skyscrapers?|downtown)\b|城|街|楼/i,
    draw: drawCity,
  },
  forest: { words: /\b(?:forests?|woods|woodland|trees?|jungle|pines?)\b|森林|树|林/i, draw: drawForest },
  lantern: { words: /\blanterns?\b|灯笼|纸灯|河灯/i, draw: drawLanterns },
  fireworks: { words: /\bfireworks?\b|烟花|焰火/i, draw: drawFireworks },
  hills: { words: /\b(?:hills?|mountains?|valleys?|landscapes?)\b|山|丘|风景/i, draw: drawHills },
  portrait: {
    words:
      /\b(?:portraits?|faces?|headshot|avatar|woman|man|girl|boy|person|captain|sailor)\b|肖像|人像|头像|女人|男人|女孩|男孩|船长/i,
    draw: drawPortrait,
  },
  product: {
    words: /\b(?:products?|bottles?|packag\w*|mugs?|cups?|jars?|perfume|cosmetics?)\b|产品|商品|瓶|杯|包装/i,
    draw: drawProduct,
  },
  logo: { words: /\b(?:logos?|logotypes?|brand mark|emblem)\b|标志|徽标|商标/i, isKind: true, draw: drawLogo },
  icon: { words: /\bicons?\b|图标/i, isKind: true, draw: drawIcon },
  pattern: { words: /\b(?:patterns?|wallpaper|seamless|tiling)\b|图案|花纹|壁纸/i, isKind: true, draw: drawPattern },
  texture: { words: /\btextures?\b|纹理|质感|木纹/i, isKind: true, draw: drawTexture },
  map: { words: /\bmaps?\b|地图/i, isKind: true, draw: drawMap },
  abstract: { words: /\b(?:abstract|geometric|bauhaus|shapes)\b|抽象|几何/i, isKind: true, draw: drawAbstract },
} as const satisfies Readonly<Record<string, SubjectDrawing>>;

export type SubjectName = keyof typeof subjects;
export const subjectNames = Object.keys(subjects) as readonly SubjectName[];

/** Returns the first kind of picture that the prompt names, else the first thing; `undefined` if it names neither. */
export function subjectOf(prompt: string): SubjectName | undefined {
  const found = subjectNames.flatMap((name) => {
    const { words, isKind }: SubjectDrawing = subjects[name];
    const at = words.exec(prompt)?.index;
    return at === undefined ? [] : [{ name, at, isKind: isKind === true }];
  });
  const [first] = found.toSorted((one, other) => Number(other.isKind) - Number(one.isKind) || one.at - other.at);
  return first?.name;
}
