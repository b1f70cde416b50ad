/** Draws single subjects: portrait, product, logo with its letters, icon. */
import {
  type Color,
  darker,
  hsl,
  lighter,
  mixColors,
  paper,
  white,
  arc,
  gradient,
  type Point,
  smooth,
  type Drawing,
} from "./drawing";
import { mirrored, type Scene, smoothMirrored } from "./scenery";

const skins = [hsl(0.06, 0.6, 0.8), hsl(0.065, 0.5, 0.68), hsl(0.06, 0.42, 0.52), hsl(0.055, 0.42, 0.36)] as const;
const hairs = [
  hsl(0.07, 0.4, 0.16),
  hsl(0.07, 0.5, 0.3),
  hsl(0.1, 0.55, 0.55),
  hsl(0.03, 0.6, 0.38),
  hsl(0.6, 0.06, 0.72),
] as const;

export function drawPortrait({ drawing, mood, random, prompt }: Scene): void {
  const { width, height } = drawing;
  drawing.fill(gradient(lighter(mood.second, 0.55), lighter(mood.second, 0.2), 0, height));
  const x = width / 2;
  const y = height * 0.44;
  const size = Math.min(1, height) * 0.98;
  const at = (dx: number, dy: number): Point => [x + dx * size, y + dy * size];
  const half = (points: readonly Point[]): readonly Point[] =>
    points.map(([dx, dy]): Point => [dx * size, y + dy * size]);
  drawing.circle(x + random.between(-0.04, 0.04), y, 0.37 * size, lighter(mood.pale, 0.1), 0.75);
  const skin = random.pick(skins);
  const hair = random.pick(hairs);
  const shade = mixColors(skin, hsl(0.03, 0.6, 0.3), 0.2);
  const isMan = /\b(?:man|boy|father|king|captain|sailor|fisherman|keeper)\b|男|船长/i.test(prompt);
  const isLong = !isMan && (/\b(?:woman|girl|mother|queen|lady)\b|女/i.test(prompt) || random.next() < 0.6);
  if (isLong)
    drawing.polygon(
      smoothMirrored(
        x,
        half([
          [0, -0.29],
          [0.17, -0.25],
          [0.225, -0.05],
          [0.235, 0.14],
          [0.2, 0.27],
          [0.1, 0.27],
        ]),
      ),
      darker(hair, 0.15),
    );
  // Shoulders and neck.
  const coat = mood.accent;
  const bottom = (height - y) / size + 0.05;
  drawing.polygon(
    [
      ...mirrored(x, [
        ...smooth(
          half([
            [0.03, 0.25],
            [0.13, 0.285],
            [0.28, 0.35],
            [0.36, 0.46],
          ]),
        ),
        ...half([[0.4, bottom]]),
      ]),
    ],
    gradient(coat, darker(coat, 0.25), y + 0.25 * size, height),
  );
  drawing.polygon(
    mirrored(x, [
      ...smooth(
        half([
          [0.075, 0.08],
          [0.075, 0.2],
          [0.12, 0.275],
        ]),
      ),
      ...half([[0, 0.35]]),
    ]),
    shade,
  );
  drawing.polygon([at(-0.12, 0.27), at(-0.15, 0.31), at(-0.01, 0.43), at(0, 0.36)], lighter(coat, 0.3));
  drawing.polygon([at(0.12, 0.27), at(0.15, 0.31), at(0.01, 0.43), at(0, 0.36)], lighter(coat, 0.2));
  // Ears, head.
  for (const side of [-1, 1])
    drawing.ellipse(x + side * 0.152 * size, y + 0.005 * size, 0.028 * size, 0.044 * size, shade);
  drawing.blob(
    smoothMirrored(
      x,
      half([
        [0, -0.22],
        [0.1, -0.2],
        [0.15, -0.09],
        [0.148, 0.03],
        [0.115, 0.12],
        [0.055, 0.172],
        [0, 0.18],
      ]),
    ),
    skin,
  );
  // Hair.
  const parting = random.between(-0.07, 0.07);
  drawing.polygon(
    [
      ...smooth([
        at(-0.158, 0.0),
        at(-0.175, -0.13),
        at(-0.12, -0.24),
        at(0, -0.285),
        at(0.12, -0.25),
        at(0.178, -0.13),
        at(0.158, 0.0),
      ]),
      ...smooth([at(0.14, -0.07), at(0.09, -0.13), at(parting, -0.165), at(-0.08, -0.12), at(-0.138, -0.06)]),
    ],
    hair,
  );
  if (!isLong && (isMan || random.next() < 0.3))
    drawing.polygon(
      [
        ...smooth([
          at(-0.15, 0.0),
          at(-0.138, 0.1),
          at(-0.06, 0.195),
          at(0, 0.21),
          at(0.06, 0.195),
          at(0.138, 0.1),
          at(0.15, 0.0),
        ]),
        ...smooth([at(0.11, 0.05), at(0.06, 0.075), at(0, 0.07), at(-0.06, 0.075), at(-0.11, 0.05)]),
      ],
      darker(hair, 0.1),
    );
  for (const side of [-1, 1]) {
    drawing.ellipse(x + side * 0.062 * size, y - 0.012 * size, 0.021 * size, 0.0145 * size, white);
    drawing.circle(x + side * 0.062 * size, y - 0.012 * size, 0.0125 * size, mood.ink);
    drawing.circle(x + (side * 0.062 + 0.004) * size, y - 0.017 * size, 0.0038 * size, white);
    drawing.line(
      smooth([at(side * 0.036, -0.052), at(side * 0.065, -0.064), at(side * 0.095, -0.05)]),
      0.009 * size,
      darker(hair, 0.2),
    );
    drawing.circle(x + side * 0.092 * size, y + 0.055 * size, 0.03 * size, hsl(0.99, 0.7, 0.6), 0.18);
  }
  drawing.line(smooth([at(0.002, -0.01), at(0.02, 0.045), at(-0.004, 0.052)]), 0.007 * size, shade);
  drawing.polygon(
    [
      ...smooth([at(-0.046, 0.098), at(-0.012, 0.09), at(0, 0.094), at(0.012, 0.09), at(0.046, 0.098)]),
      ...smooth([at(0.03, 0.117), at(0, 0.126), at(-0.03, 0.117)]),
    ],
    isLong ? hsl(0.99, 0.5, 0.48) : mixColors(skin, hsl(0.99, 0.5, 0.4), 0.45),
  );
  if (/glasses|眼镜/i.test(prompt) || random.next() < 0.25) {
    for (const side of [-1, 1]) drawing.ring(at(side * 0.062, -0.012), 0.042 * size, 0.007 * size, mood.ink);
    drawing.line([at(-0.02, -0.016), at(0.02, -0.016)], 0.007 * size, mood.ink);
  }
  if (/\b(?:hat|cap|captain|sailor|keeper)\b|帽|船长/i.test(prompt)) {
    drawing.polygon(
      smoothMirrored(
        x,
        half([
          [0, -0.34],
          [0.16, -0.31],
          [0.21, -0.2],
          [0.18, -0.16],
          [0, -0.15],
        ]),
      ),
      darker(mood.ink, 0.1),
    );
    drawing.polygon(
      smoothMirrored(
        x,
        half([
          [0, -0.2],
          [0.19, -0.19],
          [0.2, -0.15],
          [0, -0.125],
        ]),
      ),
      mood.accent,
    );
  }
}

export function drawProduct({ drawing, mood, random, prompt }: Scene): void {
  const { width, height } = drawing;
  const table = height * 0.7;
  const back = lighter(mood.second, 0.5);
  drawing.fill(gradient(lighter(back, 0.35), back, 0, table));
  drawing.glow(width * 0.5, height * 0.4, 0.75, white, 0.6);
  drawing.rect(0, table, width, height - table, gradient(darker(back, 0.12), lighter(back, 0.12), table, height));
  const x = width / 2;
  const foot = table + height * 0.09;
  const size = Math.min(height, 1.15);
  drawing.ellipse(x + 0.05, foot, 0.27 * size, 0.035, darker(back, 0.45), 0.4);
  const color = mood.accent;
  const body = gradient(lighter(color, 0.3), darker(color, 0.35), [x - 0.17 * size, 0], [x + 0.18 * size, 0]);
  const half = (points: readonly Point[]): readonly Point[] =>
    points.map(([dx, dy]): Point => [dx * size, foot + dy * size]);
  const kinds = [
    [/\b(?:cup|mug|coffee|tea)\b|杯|咖啡|茶/i, "mug"],
    [/\b(?:box|package|carton)\b|盒|箱/i, "box"],
    [/\b(?:jar|cream|candle)\b|罐|霜|烛/i, "jar"],
    [/\b(?:bottle|perfume|wine|oil|shampoo)\b|瓶|香水|酒/i, "bottle"],
  ] as const;
  const kind = kinds.find(([words]) => words.test(prompt))?.[1] ?? random.pick(["bottle", "jar", "mug", "bottle"]);
  const label = (top: number, tall: number, wide: number): void => {
    drawing.roundRect(
      { x: x - wide * size, y: foot - top * size, width: wide * 2 * size, height: tall * size },
      0.008,
      paper,
    );
    drawing.circle(x, foot - (top - tall * 0.36) * size, tall * 0.19 * size, mood.second);
    drawing.rect(x - wide * 0.6 * size, foot - (top - tall * 0.68) * size, wide * 1.2 * size, 0.012 * size, mood.ink);
    drawing.rect(
      x - wide * 0.4 * size,
      foot - (top - tall * 0.8) * size,
      wide * 0.8 * size,
      0.007 * size,
      mood.ink,
      0.6,
    );
  };
  if (kind === "mug") {
    drawing.ring([x + 0.185 * size, foot - 0.17 * size], 0.085 * size, 0.036 * size, darker(color, 0.15));
    drawing.polygon(
      mirrored(x, [
        ...half([[0.185, -0.33]]),
        ...smooth(
          half([
            [0.18, -0.1],
            [0.165, -0.02],
            [0.13, 0.012],
            [0, 0.022],
          ]),
        ),
      ]),
      body,
    );
    drawing.ellipse(x, foot - 0.33 * size, 0.185 * size, 0.035 * size, lighter(color, 0.45));
    drawing.ellipse(x, foot - 0.326 * size, 0.165 * size, 0.027 * size, hsl(0.07, 0.55, 0.2));
    for (const dx of [-0.05, 0.03])
      drawing.line(
        smooth([
          [x + dx, foot - 0.4 * size],
          [x + dx + 0.03, foot - 0.47 * size],
          [x + dx - 0.02, foot - 0.53 * size],
          [x + dx + 0.02, foot - 0.6 * size],
        ]),
        0.014,
        white,
        0.6,
      );
    drawing.circle(x - 0.02 * size, foot - 0.16 * size, 0.06 * size, paper);
    drawing.polygon(
      [
        [x - 0.055 * size, foot - 0.14 * size],
        [x - 0.02 * size, foot - 0.2 * size],
        [x + 0.015 * size, foot - 0.14 * size],
      ],
      mood.second,
    );
  } else if (kind === "box") {
    const [left, right, top] = [x - 0.2 * size, x + 0.22 * size, foot - 0.36 * size];
    drawing.polygon(
      [
        [left, top],
        [x + 0.06 * size, top + 0.05 * size],
        [x + 0.06 * size, foot + 0.04 * size],
        [left, foot - 0.02 * size],
      ],
      gradient(color, darker(color, 0.12), [left, 0], [x, 0]),
    );
    drawing.polygon(
      [
        [x + 0.06 * size, top + 0.05 * size],
        [right, top - 0.005],
        [right, foot - 0.03 * size],
        [x + 0.06 * size, foot + 0.04 * size],
      ],
      darker(color, 0.3),
    );
    drawing.polygon(
      [
        [left, top],
        [x - 0.03 * size, top - 0.06 * size],
        [right, top - 0.005],
        [x + 0.06 * size, top + 0.05 * size],
      ],
      lighter(color, 0.28),
    );
    drawing.polygon(
      [
        [left + 0.05 * size, top + 0.08 * size],
        [x + 0.015 * size, top + 0.115 * size],
        [x + 0.015 * size, foot - 0.09 * size],
        [left + 0.05 * size, foot - 0.115 * size],
      ],
      paper,
    );
    drawing.circle(x - 0.07 * size, top + 0.155 * size, 0.042 * size, mood.second);
  } else {
    const isJar = kind === "jar";
    const outline: readonly Point[] = isJar
      ? [
          [0.15, -0.24],
          [0.18, -0.22],
          [0.18, -0.03],
          [0.165, 0.008],
          [0, 0.022],
        ]
      : [
          [0.042, -0.5],
          [0.042, -0.42],
          [0.075, -0.36],
          [0.125, -0.29],
          [0.128, -0.05],
          [0.118, 0.006],
          [0, 0.02],
        ];
    drawing.polygon(
      mirrored(x, [...half([[isJar ? 0.14 : 0.042, isJar ? -0.25 : -0.53]]), ...smooth(half(outline))]),
      body,
    );
    const cap = isJar ? { wide: 0.155, top: 0.31, tall: 0.075 } : { wide: 0.052, top: 0.6, tall: 0.09 };
    drawing.roundRect(
      { x: x - cap.wide * size, y: foot - cap.top * size, width: cap.wide * 2 * size, height: cap.tall * size },
      0.012,
      gradient(lighter(mood.ink, 0.35), mood.ink, [x - cap.wide * size, 0], [x + cap.wide * size, 0]),
    );
    if (isJar) label(0.2, 0.15, 0.12);
    else label(0.26, 0.2, 0.088);
    drawing.roundRect(
      {
        x: x - (isJar ? 0.158 : 0.108) * size,
        y: foot - (isJar ? 0.21 : 0.27) * size,
        width: 0.014 * size,
        height: (isJar ? 0.17 : 0.23) * size,
      },
      0.007,
      white,
      0.5,
    );
  }
  for (let leaf = 0; leaf < 3; leaf += 1) {
    const [lx, ly] = [x - (0.33 - leaf * 0.035) * size, foot + 0.01];
    drawing.polygon(
      [
        ...smooth([
          [lx, ly],
          [lx - 0.05 - leaf * 0.02, ly - 0.1],
          [lx - 0.04 + leaf * 0.05, ly - 0.24 * size],
        ]),
        ...smooth([
          [lx - 0.04 + leaf * 0.05, ly - 0.24 * size],
          [lx + 0.035, ly - 0.1],
          [lx, ly],
        ]),
      ],
      hsl(0.36, 0.35, 0.34 + leaf * 0.07),
    );
  }
}

/** A name in quotation marks, or after *for*, *named*, *called*. */
function nameIn(prompt: string): string {
  const [, quoted, named] =
    /["“'‘]([^"”'’]{1,40})["”'’]|\b(?:for|named|called|of)\s+(?:an?\s+|the\s+)?([\p{L}]{1,24})/iu.exec(prompt) ?? [];
  const letters = Array.from((quoted ?? named ?? "").toUpperCase())
    .filter(hasLetter)
    .join("");
  return letters.slice(0, 9);
}

export function drawLogo({ drawing, mood, random, prompt }: Scene): void {
  const { width, height } = drawing;
  const isDark = mood.isNight || random.next() < 0.25;
  drawing.fill(isDark ? mood.ink : lighter(mood.pale, 0.55));
  const name = nameIn(prompt);
  const x = width / 2;
  const y = height * (name === "" ? 0.5 : 0.4);
  const r = 0.2;
  const ink = isDark ? lighter(mood.pale, 0.6) : mood.ink;
  const [one, two] = [mood.accent, mood.second];
  const form = random.integer(0, 4);
  if (form === 0) {
    // Waves in a circle.
    drawing.circle(x, y, r, one);
    drawing.circle(x + r * 0.35, y - r * 0.38, r * 0.22, lighter(two, 0.5));
    for (let wave = 0; wave < 3; wave += 1) {
      const top = y + r * (0.02 + wave * 0.3);
      const inside = Math.sqrt(Math.max(0, 1 - ((top + r * 0.14 - y) / r) ** 2)) * r * 0.98;
      const line = Array.from({ length: 25 }, (_, step): Point => {
        const t = step / 24;
        return [x - inside + 2 * inside * t, top + r * 0.14 + Math.sin(t * 4 * Math.PI + wave) * r * 0.07];
      });
      drawing.line(line, r * 0.11, isDark ? mood.ink : white);
    }
  } else if (form === 1) {
    // Leaves on a stem, two by two.
    for (const side of [-1, 1]) {
      for (const [foot, size, color] of [
        [0.75, 1, one],
        [0.1, 0.72, two],
      ] as const) {
        const at = (dx: number, dy: number): Point => [x + side * dx * r * size, y + r * foot + dy * r * size];
        drawing.polygon(
          [
            ...smooth([at(0, 0), at(0.12, -0.6), at(0.62, -0.95), at(1, -1)]),
            ...smooth([at(1, -1), at(0.95, -0.55), at(0.6, -0.1), at(0, 0)]),
          ],
          side < 0 ? color : lighter(color, 0.18),
        );
      }
    }
    drawing.roundRect({ x: x - r * 0.04, y: y - r * 0.35, width: r * 0.08, height: r * 1.4 }, r * 0.04, ink);
  } else if (form === 2) {
    // A hexagon with a mountain cut out.
    drawing.polygon(
      Array.from({ length: 6 }, (_, corner): Point => [
        x + r * 1.1 * Math.sin((corner * Math.PI) / 3),
        y - r * 1.1 * Math.cos((corner * Math.PI) / 3),
      ]),
      one,
    );
    const back = isDark ? mood.ink : lighter(mood.pale, 0.55);
    drawing.polygon(
      [
        [x - r * 0.62, y + r * 0.42],
        [x - r * 0.12, y - r * 0.42],
        [x + r * 0.12, y - r * 0.02],
        [x + r * 0.3, y - r * 0.24],
        [x + r * 0.66, y + r * 0.42],
      ],
      back,
    );
    drawing.circle(x + r * 0.4, y - r * 0.46, r * 0.13, back);
  } else if (form === 3) {
    // Three rings that touch.
    for (let ring = 0; ring < 3; ring += 1) {
      const angle = ((ring - 0.75) / 3) * 2 * Math.PI;
      drawing.ring(
        [x + Math.cos(angle) * r * 0.52, y + Math.sin(angle) * r * 0.52],
        r * 0.55,
        r * 0.2,
        [one, two, mixColors(one, two, 0.5)][ring] ?? one,
        0.92,
      );
    }
  } else {
    // Sunrise: half a disc over lines.
    drawing.polygon(arc([x, y + r * 0.15], r * 0.72, 0.5, 1), two);
    for (let ray = 0; ray < 7; ray += 1) {
      const angle = Math.PI * (1 + (ray + 0.5) / 7);
      drawing.line(
        [
          [x + Math.cos(angle) * r * 0.86, y + r * 0.15 + Math.sin(angle) * r * 0.86],
          [x + Math.cos(angle) * r * 1.15, y + r * 0.15 + Math.sin(angle) * r * 1.15],
        ],
        r * 0.09,
        one,
      );
    }
    for (let line = 0; line < 3; line += 1)
      drawing.roundRect(
        {
          x: x - r * (1.1 - line * 0.25),
          y: y + r * (0.28 + line * 0.24),
          width: r * (2.2 - line * 0.5),
          height: r * 0.12,
        },
        0.1,
        one,
      );
  }
  if (name === "") return;
  const tall = Math.min(0.085, (width * 0.72) / (name.length * 1.05));
  drawWord(drawing, name, [x, y + r * 1.55], tall, ink);
}

type Glyph = (scene: Scene, x: number, y: number, size: number, color: Color, hole: Color) => void;

const glyphs: readonly (readonly [RegExp, Glyph])[] = [
  [
    /heart|love|favou?rite|心|爱/i,
    ({ drawing }, x, y, r, color) =>
      drawing.polygon(
        [
          ...arc([x - r * 0.43, y - r * 0.25], r * 0.47, 0.42, 0.96),
          ...arc([x + r * 0.43, y - r * 0.25], r * 0.47, 0.54, 1.08),
          [x, y + r * 0.86],
        ],
        color,
      ),
  ],
  [
    /star|rating|星/i,
    ({ drawing }, x, y, r, color) =>
      drawing.polygon(
        Array.from({ length: 10 }, (_, at): Point => [
          x + Math.sin((at * Math.PI) / 5) * r * (at % 2 === 0 ? 1 : 0.44),
          y + r * 0.06 - Math.cos((at * Math.PI) / 5) * r * (at % 2 === 0 ? 1 : 0.44),
        ]),
        color,
      ),
  ],
  [
    /mail|letter|envelope|message|邮|信/i,
    ({ drawing }, x, y, r, color, hole) => {
      drawing.roundRect({ x: x - r, y: y - r * 0.68, width: r * 2, height: r * 1.36 }, r * 0.16, color);
      drawing.line(
        [
          [x - r * 0.86, y - r * 0.5],
          [x, y + r * 0.16],
          [x + r * 0.86, y - r * 0.5],
        ],
        r * 0.14,
        hole,
      );
    },
  ],
  [
    /house|home|家|房/i,
    ({ drawing }, x, y, r, color, hole) => {
      drawing.polygon(
        [
          [x, y - r * 0.92],
          [x + r * 1.02, y - r * 0.02],
          [x + r * 0.72, y - r * 0.02],
          [x + r * 0.72, y + r * 0.8],
          [x - r * 0.72, y + r * 0.8],
          [x - r * 0.72, y - r * 0.02],
          [x - r * 1.02, y - r * 0.02],
        ],
        color,
      );
      drawing.roundRect({ x: x - r * 0.2, y: y + r * 0.2, width: r * 0.4, height: r * 0.62 }, r * 0.2, hole);
    },
  ],
  [
    /camera|photo|相机|照/i,
    ({ drawing }, x, y, r, color, hole) => {
      drawing.roundRect({ x: x - r, y: y - r * 0.55, width: r * 2, height: r * 1.3 }, r * 0.2, color);
      drawing.roundRect({ x: x - r * 0.4, y: y - r * 0.8, width: r * 0.8, height: r * 0.4 }, r * 0.12, color);
      drawing.circle(x, y + r * 0.1, r * 0.44, hole);
      drawing.circle(x, y + r * 0.1, r * 0.27, color);
    },
  ],
  [
    /cloud|weather|云|天气/i,
    ({ drawing }, x, y, r, color) => {
      drawing.roundRect({ x: x - r, y: y + r * 0.02, width: r * 2, height: r * 0.62 }, r * 0.31, color);
      drawing.circle(x - r * 0.34, y - r * 0.02, r * 0.42, color);
      drawing.circle(x + r * 0.26, y - r * 0.16, r * 0.54, color);
    },
  ],
  [
    /bell|alert|notif|铃|通知/i,
    ({ drawing }, x, y, r, color) => {
      drawing.circle(x, y - r * 0.82, r * 0.14, color);
      drawing.polygon(
        smoothMirrored(x, [
          [0, y - r * 0.8],
          [r * 0.42, y - r * 0.62],
          [r * 0.6, y],
          [r * 0.66, y + r * 0.36],
          [r * 0.84, y + r * 0.54],
          [0, y + r * 0.56],
        ]),
        color,
      );
      drawing.polygon(arc([x, y + r * 0.66], r * 0.24, 0, 0.5), color);
    },
  ],
  [
    /boat|sail|ship|船|帆/i,
    ({ drawing }, x, y, r, color) => {
      drawing.polygon(
        [
          [x - r * 0.06, y - r * 0.9],
          [x - r * 0.06, y + r * 0.3],
          [x - r * 0.74, y + r * 0.3],
        ],
        color,
      );
      drawing.polygon(
        [
          [x + r * 0.08, y - r * 0.7],
          [x + r * 0.76, y + r * 0.3],
          [x + r * 0.08, y + r * 0.3],
        ],
        color,
      );
      drawing.polygon(
        [
          [x - r * 0.95, y + r * 0.42],
          [x + r * 0.95, y + r * 0.42],
          ...smooth([
            [x + r * 0.7, y + r * 0.8],
            [x, y + r * 0.84],
            [x - r * 0.7, y + r * 0.8],
          ]),
        ],
        color,
      );
    },
  ],
  [
    /leaf|eco|plant|garden|叶|植/i,
    ({ drawing }, x, y, r, color, hole) => {
      drawing.polygon(
        [
          ...smooth([
            [x - r * 0.72, y + r * 0.72],
            [x - r * 0.82, y - r * 0.1],
            [x - r * 0.2, y - r * 0.72],
            [x + r * 0.86, y - r * 0.86],
          ]),
          ...smooth([
            [x + r * 0.86, y - r * 0.86],
            [x + r * 0.78, y + r * 0.2],
            [x + r * 0.1, y + r * 0.78],
            [x - r * 0.72, y + r * 0.72],
          ]),
        ],
        color,
      );
      drawing.line(
        [
          [x - r * 0.86, y + r * 0.88],
          [x + r * 0.36, y - r * 0.36],
        ],
        r * 0.12,
        hole,
      );
    },
  ],
  [
    /anchor|harbou?r|sea|锚|港/i,
    ({ drawing }, x, y, r, color) => {
      drawing.ring([x, y - r * 0.66], r * 0.18, r * 0.14, color);
      drawing.rect(x - r * 0.08, y - r * 0.5, r * 0.16, r * 1.3, color);
      drawing.roundRect({ x: x - r * 0.42, y: y - r * 0.36, width: r * 0.84, height: r * 0.16 }, r * 0.08, color);
      drawing.line(arc([x, y + r * 0.06], r * 0.74, 0.04, 0.46), r * 0.17, color);
      for (const side of [-1, 1])
        drawing.polygon(
          [
            [x + side * r * 0.98, y + r * 0.32],
            [x + side * r * 0.44, y + r * 0.22],
            [x + side * r * 0.84, y - r * 0.12],
          ],
          color,
        );
    },
  ],
];

export function drawIcon(scene: Scene): void {
  const { drawing, mood, random, prompt } = scene;
  const { width, height } = drawing;
  drawing.fill(gradient(lighter(mood.pale, 0.5), mood.pale, 0, height));
  const [x, y, size] = [width / 2, height / 2, 0.34];
  const radius = random.pick([0.16, 0.2, 0.34]);
  for (const [drop, alpha] of [
    [0.05, 0.08],
    [0.035, 0.1],
    [0.02, 0.12],
  ] as const)
    drawing.roundRect(
      { x: x - size - drop * 0.3, y: y - size + drop, width: size * 2 + drop * 0.6, height: size * 2 },
      radius + 0.01,
      mood.ink,
      alpha,
    );
  const tile = mood.accent;
  drawing.roundRect(
    { x: x - size, y: y - size, width: size * 2, height: size * 2 },
    radius,
    gradient(lighter(tile, 0.25), mixColors(tile, mood.second, 0.45), [x - size, y - size], [x + size, y + size]),
  );
  const glyph = glyphs.find(([words]) => words.test(prompt))?.[1] ?? glyphs[random.integer(0, glyphs.length - 1)]?.[1];
  glyph?.(scene, x, y, size * 0.56, white, mixColors(tile, mood.second, 0.22));
}

// Letters of logos are lines on a grid 4 wide and 6 high. A pair of digits is a point, and a blank begins a new line.

const letters: Readonly<Record<string, string>> = {
  A: "06204046 1333",
  B: "000626354433230302 001020312303",
  C: "4130100105163645",
  D: "0006264541200000",
  E: "40000646 0333",
  F: "400006 0333",
  G: "413010010516364543 4323",
  H: "0006 4046 0343",
  I: "2026",
  J: "404536160504",
  K: "0006 4003 0346",
  L: "000646",
  M: "0600234046",
  N: "06004640",
  O: "103041453616050110",
  P: "0600304132330303",
  Q: "103041453616050110 2446",
  R: "0600304132330303 2346",
  S: "413010010212323445361605",
  T: "0040 2026",
  U: "000516364540",
  V: "002640",
  W: "0016233640",
  X: "0046 4006",
  Y: "002340 2326",
  Z: "00400646",
};

const hasLetter = (letter: string): boolean => Object.hasOwn(letters, letter);

/** Draws a word. `height` is that of a letter; the point is the middle of the top. */
function drawWord(drawing: Drawing, word: string, [x, y]: Point, height: number, color: Color): void {
  const known = Array.from(word.toUpperCase()).filter(hasLetter);
  const grid = height / 6;
  const step = grid * 6.2;
  const left = x - (known.length * step - step + grid * 4) / 2;
  for (const [index, letter] of known.entries()) {
    for (const stroke of (letters[letter] ?? "").split(" ")) {
      const points = (stroke.match(/\d\d/g) ?? []).map((pair): Point => [
        left + index * step + Number(pair[0]) * grid,
        y + Number(pair[1]) * grid,
      ]);
      for (const [at, point] of points.entries()) {
        const next = points[at + 1];
        if (next !== undefined) drawing.line([point, next], grid * 0.85, color);
        drawing.circle(point[0], point[1], grid * 0.425, color);
      }
    }
  }
}
