/** Subjects outdoors: lighthouse, boat, city, forest, hills, lantern, fireworks. */
import { type Color, darker, hsl, lighter, mixColors, white, gradient, type Point, smooth } from "./drawing";
import { drawRain, drawRipple, drawSea, drawSky, hillLine, mirrored, type Scene } from "./scenery";

export function drawHills(scene: Scene): void {
  const { drawing, mood, random } = scene;
  const { height } = drawing;
  const horizon = height * random.between(0.5, 0.6);
  drawSky(scene, horizon);
  const count = 5;
  for (let ridge = 0; ridge < count; ridge += 1) {
    const depth = ridge / (count - 1);
    const line = hillLine(
      scene,
      horizon + depth * (height * 0.92 - horizon),
      0.07 + 0.03 * depth,
      ridge < 2 ? 0.9 : 0.35,
    );
    const color = mixColors(mood.far, mood.near, depth);
    drawing.ground(
      line,
      gradient(color, mixColors(color, mood.low, 0.3 * (1 - depth)), horizon - 0.1, horizon + 0.3 + depth * 0.3),
    );
  }
  drawRain(scene);
}

export function drawLighthouse(scene: Scene): void {
  const { drawing, mood, random } = scene;
  const { width, height } = drawing;
  const horizon = height * random.between(0.6, 0.66);
  const sun = drawSky(scene, horizon);
  drawSea(scene, horizon, sun);
  const isLeft = sun.x > width / 2;
  const x = width * (isLeft ? random.between(0.24, 0.34) : random.between(0.66, 0.76));
  const foot = horizon - 0.015;
  const tall = Math.min(0.55, horizon * 0.7) * random.between(0.9, 1.04);
  const toSea = isLeft ? 1 : -1;
  const edge = isLeft ? -0.2 : width + 0.2;
  const rock = darker(mixColors(mood.near, hsl(0.07, 0.15, 0.3), 0.5), mood.isNight ? 0.35 : 0.1);
  const coast = (rise: number, reach: number): readonly Point[] =>
    smooth([
      [edge, foot - 0.035 * rise],
      [x - toSea * 0.16, foot - 0.03 * rise],
      [x, foot],
      [x + toSea * 0.13 * reach, foot + 0.015],
      [x + toSea * 0.22 * reach, horizon + 0.05],
      [x + toSea * 0.33 * reach, horizon + 0.12],
    ]);
  const land = (line: readonly Point[], color: Color): void =>
    drawing.polygon([...line, [x + toSea * 0.02, horizon + 0.25], [edge, horizon + 0.34]], color);
  land(coast(1, 1.12), darker(rock, 0.25));
  land(coast(1.4, 0.92), mood.near);
  // The keeper's house stands behind the tower, away from the sea.
  const house = x - toSea * 0.13;
  const wall = mood.isNight ? hsl(0.1, 0.1, 0.4) : hsl(0.1, 0.25, 0.9);
  drawing.rect(house - 0.055, foot - 0.075, 0.11, 0.075, wall);
  drawing.polygon(
    [
      [house - 0.068, foot - 0.072],
      [house, foot - 0.125],
      [house + 0.068, foot - 0.072],
    ],
    hsl(0.02, 0.45, mood.isNight ? 0.2 : 0.4),
  );
  drawing.rect(house - 0.03, foot - 0.055, 0.022, 0.026, mood.lamp);
  drawing.rect(house + 0.01, foot - 0.055, 0.022, 0.026, mood.lamp);
  const [wide, narrow] = [0.062, 0.038];
  const top = foot - tall;
  const half = (y: number): number => narrow + ((wide - narrow) * (y - top)) / tall;
  const stripes = random.integer(5, 7);
  const paintOf = (stripe: number): Color => {
    const color = stripe % 2 === 0 ? ([0.96, 0.95, 0.92] as const) : mood.accent;
    return mood.isNight ? darker(color, 0.35) : color;
  };
  for (let stripe = 0; stripe < stripes; stripe += 1) {
    const [from, to] = [top + (tall * stripe) / stripes, top + (tall * (stripe + 1)) / stripes];
    drawing.polygon(
      [
        [x - half(from), from],
        [x + half(from), from],
        [x + half(to), to],
        [x - half(to), to],
      ],
      paintOf(stripe),
    );
  }
  // The side away from the light is darker.
  drawing.polygon(
    [
      [x, top],
      [x - toSea * half(top), top],
      [x - toSea * half(foot), foot],
      [x, foot],
    ],
    [0, 0, 0],
    0.14,
  );
  drawing.roundRect({ x: x - 0.012, y: foot - 0.05, width: 0.024, height: 0.05 }, 0.012, mood.ink);
  for (const share of [0.3, 0.6]) drawing.rect(x - 0.007, top + tall * share, 0.014, 0.022, mood.ink);
  const isLit = mood.isNight || random.next() < 0.5 || /\b(?:lamp|beam|light|dusk)\b|光|灯/i.test(scene.prompt);
  const lamp = top - 0.04;
  if (isLit) {
    for (const [direction, spread] of [
      [toSea, 0.16],
      [-toSea, 0.1],
    ] as const) {
      const reach = direction > 0 ? width - x + 0.1 : x + 0.1;
      drawing.polygon(
        [
          [x, lamp],
          [x + direction * reach, lamp - spread],
          [x + direction * reach, lamp + spread * 0.5],
        ],
        mood.lamp,
        mood.isNight ? 0.3 : 0.24,
      );
    }
    drawing.glow(x, lamp, 0.17, mood.lamp, 0.8);
  }
  drawing.rect(x - 0.053, top - 0.008, 0.106, 0.016, mood.ink);
  for (const dx of [-0.05, -0.025, 0, 0.025, 0.05]) drawing.rect(x + dx - 0.002, top - 0.03, 0.004, 0.024, mood.ink);
  drawing.rect(x - 0.053, top - 0.033, 0.106, 0.005, mood.ink);
  drawing.rect(x - 0.028, top - 0.068, 0.056, 0.06, isLit ? lighter(mood.lamp, 0.35) : mood.pale);
  for (const dx of [-0.028, -0.002, 0.024]) drawing.rect(x + dx, top - 0.068, 0.004, 0.06, mood.ink);
  drawing.polygon(
    [
      [x - 0.036, top - 0.066],
      [x - 0.024, top - 0.093],
      [x, top - 0.108],
      [x + 0.024, top - 0.093],
      [x + 0.036, top - 0.066],
    ],
    mood.isNight ? darker(mood.accent, 0.35) : mood.accent,
  );
  drawing.rect(x - 0.002, top - 0.135, 0.004, 0.03, mood.ink);
  drawSailingBoat(
    scene,
    [width * (isLeft ? random.between(0.68, 0.85) : random.between(0.15, 0.32)), horizon + 0.05],
    0.32,
  );
  if (!mood.isNight) drawGulls(scene, horizon * 0.45);
  drawRain(scene);
}

function drawGulls({ drawing, mood, random }: Scene, y: number): void {
  const x = drawing.width * random.between(0.35, 0.6);
  for (let gull = 0; gull < 4; gull += 1) {
    const [gx, gy, size] = [
      x + random.between(-0.14, 0.14),
      y + random.between(-0.08, 0.08),
      random.between(0.014, 0.026),
    ];
    drawing.line(
      smooth([
        [gx - size, gy - size * 0.3],
        [gx - size * 0.45, gy - size * 0.5],
        [gx, gy],
        [gx + size * 0.45, gy - size * 0.5],
        [gx + size, gy - size * 0.3],
      ]),
      0.0045,
      mood.ink,
      0.75,
    );
  }
}

/** A `size` of 1 fills most of the picture's height. The point is the middle of the water line. */
function drawSailingBoat({ drawing, mood, random }: Scene, [x, y]: Point, size: number): void {
  const at = (dx: number, dy: number): Point => [x + dx * size, y + dy * size];
  const dim = (color: Color): Color => (mood.isNight ? darker(color, 0.35) : color);
  const [sail, jib] = [
    dim(random.pick([[0.97, 0.95, 0.9], mood.pale, lighter(mood.second, 0.35)])),
    dim(lighter(mood.second, 0.1)),
  ];
  for (let band = 0; band < 7; band += 1) {
    drawRipple(
      drawing,
      at(-0.2 + random.between(-0.05, 0.05), 0.05 + band * 0.035),
      size * random.between(0.25, 0.45),
      lighter(sail, 0.1),
      0.4 - band * 0.045,
    );
  }
  drawing.polygon([at(0.012, -0.62), at(0.028, -0.62), at(0.028, -0.05), at(0.012, -0.05)], darker(mood.ink, 0.2));
  drawing.polygon([...smooth([at(0.04, -0.6), at(0.16, -0.36), at(0.27, -0.11)]), at(0.04, -0.1)], sail);
  drawing.polygon([...smooth([at(0, -0.56), at(-0.1, -0.33), at(-0.24, -0.1)]), at(-0.005, -0.1)], jib);
  drawing.polygon([at(0.02, -0.66), at(0.1, -0.64), at(0.02, -0.61)], dim(mood.accent));
  drawing.polygon(
    [
      ...smooth([at(-0.3, -0.075), at(0, -0.05), at(0.32, -0.085)]),
      ...smooth([at(0.27, 0.01), at(0.2, 0.045), at(-0.18, 0.045), at(-0.25, 0.0)]),
    ],
    dim(mood.accent),
  );
  drawing.polygon(
    [
      ...smooth([at(-0.3, -0.075), at(0, -0.05), at(0.32, -0.085)]),
      ...smooth([at(0.305, -0.05), at(0, -0.016), at(-0.285, -0.042)]),
    ],
    dim(white),
  );
}

function drawFerry({ drawing, mood }: Scene, [x, y]: Point, size: number): void {
  const box = (dx: number, dy: number, width: number, height: number, color: Color): void =>
    drawing.rect(x + dx * size, y + dy * size, width * size, height * size, color);
  const at = (dx: number, dy: number): Point => [x + dx * size, y + dy * size];
  const wall = mood.isNight ? hsl(0.1, 0.08, 0.55) : hsl(0.1, 0.2, 0.94);
  drawing.polygon([at(0.08, -0.36), at(0.2, -0.36), at(0.22, -0.52), at(0.1, -0.52)], mood.accent);
  drawing.polygon([at(0.1, -0.5), at(0.217, -0.5), at(0.22, -0.54), at(0.103, -0.54)], mood.ink);
  box(-0.18, -0.38, 0.5, 0.13, wall);
  box(-0.36, -0.26, 0.78, 0.15, darker(wall, 0.08));
  box(-0.21, -0.39, 0.56, 0.025, darker(mood.accent, 0.2));
  for (let window = 0; window < 6; window += 1) box(-0.15 + window * 0.078, -0.335, 0.05, 0.045, mood.lamp);
  for (let window = 0; window < 9; window += 1)
    box(-0.33 + window * 0.082, -0.21, 0.05, 0.05, mood.isNight ? mood.lamp : mood.second);
  drawing.polygon(
    [at(-0.48, -0.13), at(0.5, -0.13), at(0.43, 0.05), at(-0.42, 0.05)],
    mood.isNight ? darker(mood.accent, 0.4) : mood.accent,
  );
  drawing.polygon([at(-0.445, -0.01), at(0.455, -0.01), at(0.43, 0.05), at(-0.42, 0.05)], mood.ink);
  for (let band = 0; band < 8; band += 1) {
    drawRipple(drawing, at(-0.42 + (band % 3) * 0.06, 0.08 + band * 0.035), size * 0.7, mood.lamp, 0.28 - band * 0.03);
  }
}

export function drawBoat(scene: Scene): void {
  const { drawing, random, prompt } = scene;
  const { width, height } = drawing;
  const horizon = height * random.between(0.52, 0.6);
  const sun = drawSky(scene, horizon);
  drawing.ground(
    hillLine(scene, horizon - 0.015, 0.025, 0.6).map(([x, y]) => [x, Math.min(y, horizon)]),
    scene.mood.far,
  );
  drawSea(scene, horizon, sun);
  const isShip = /\b(?:ferry|ship|steamer|vessel)\b|渡轮|轮船/i.test(prompt);
  const size = Math.min(height, 1.05) * random.between(0.66, 0.8);
  const place: Point = [width * random.between(0.42, 0.58), Math.min(horizon + height * 0.2, height - 0.08)];
  if (isShip) drawFerry(scene, place, size);
  else {
    if (/\b(?:boats|fleet|regatta|three|two)\b|三|两|船队/i.test(prompt)) {
      drawSailingBoat(scene, [place[0] - width * 0.27, horizon + 0.05], size * 0.4);
      drawSailingBoat(scene, [place[0] + width * 0.29, horizon + 0.08], size * 0.5);
    }
    drawSailingBoat(scene, place, size);
  }
  if (!scene.mood.isNight) drawGulls(scene, horizon * 0.35);
  drawRain(scene);
}

export function drawCity(scene: Scene): void {
  const { drawing, mood, random } = scene;
  const { width, height } = drawing;
  const ground = height * 0.82;
  const sun = drawSky(scene, ground * 0.9);
  for (let layer = 0; layer < 3; layer += 1) {
    const depth = layer / 2;
    const color = mixColors(
      mixColors(mood.low, mood.high, 0.45),
      mixColors(mood.ink, mood.high, mood.isNight ? 0.25 : 0.3),
      0.25 + depth * 0.65,
    );
    const step = [0.075, 0.1, 0.135][layer] ?? 0.1;
    for (let x = -random.between(0, step); x < width;) {
      const wide = step * random.between(0.7, 1.3);
      const tall = height * (0.62 - depth * 0.2) * random.between(0.45, 1) + 0.06;
      drawHouse(scene, { x, y: ground - tall, width: wide, height: tall }, color, layer);
      x += wide + (layer === 0 ? 0 : random.between(0, 0.015));
    }
  }
  drawing.rect(
    0,
    ground,
    width,
    height - ground,
    gradient(mixColors(mood.water, mood.low, 0.3), darker(mood.water, 0.35), ground, height),
  );
  for (let light = 0; light < 40 * width; light += 1) {
    const [x, y] = [random.between(0, width), random.between(ground + 0.01, height)];
    drawRipple(
      drawing,
      [x, y],
      random.between(0.02, 0.07),
      random.next() < 0.6 ? mood.lamp : mood.accent,
      mood.isNight ? 0.5 : 0.22,
    );
  }
  drawing.rect(0, ground - 0.008, width, 0.014, mood.ink);
  if (!mood.isNight && !mood.isRain) drawing.glow(sun.x, ground + 0.04, 0.25, mood.light, 0.3);
  drawRain(scene);
}

function drawHouse(
  { drawing, mood, random }: Scene,
  { x, y, width, height }: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  color: Color,
  layer: number,
): void {
  drawing.rect(x, y, width, height, color);
  const middle = x + width / 2;
  const roof = random.integer(0, 5);
  if (roof === 0)
    drawing.polygon(
      [
        [x, y + 0.001],
        [middle, y - width * 0.5],
        [x + width, y + 0.001],
      ],
      color,
    );
  if (roof === 1) drawing.rect(middle - 0.003, y - 0.08, 0.006, 0.08, color);
  if (roof === 2) drawing.ellipse(middle, y, width * 0.36, width * 0.3, color);
  if (roof === 3) drawing.rect(x + width * 0.2, y - 0.03, width * 0.6, 0.035, color);
  if (layer === 0) return;
  drawing.rect(x + width * 0.78, y, width * 0.22, height, [0, 0, 0], 0.12);
  const columns = Math.max(2, Math.round(width / 0.028));
  const cell = width / columns;
  const lit = mood.isNight ? 0.55 : layer === 2 ? 0.34 : 0.22;
  for (let row = 0; row * 0.036 < height - 0.04; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const isLit = random.next() < lit;
      if (!isLit && random.next() < 0.35) continue;
      drawing.rect(
        x + cell * (column + 0.26),
        y + 0.018 + row * 0.036,
        cell * 0.48,
        0.018,
        isLit ? mood.lamp : darker(color, 0.3),
        isLit ? 0.92 : 0.7,
      );
    }
  }
}

export function drawForest(scene: Scene): void {
  const { drawing, mood, random, prompt } = scene;
  const { width, height } = drawing;
  const horizon = height * 0.5;
  const sun = drawSky(scene, horizon * 1.2);
  drawing.ground(hillLine(scene, horizon, 0.05, 0.5), mood.far);
  const isBroad =
    /\b(?:oak|birch|maple|beech|leaf|leaves|autumn|jungle)\b|橡|桦|枫|秋/i.test(prompt) || random.next() < 0.3;
  const isAutumn = /autumn|maple|秋|枫/i.test(prompt);
  const leaf = isAutumn ? hsl(random.between(0.04, 0.09), 0.65, 0.34) : hsl(random.between(0.27, 0.42), 0.42, 0.15);
  const shadow = mood.isNight ? darker(leaf, 0.5) : leaf;
  const layers = 5;
  for (let layer = 0; layer < layers; layer += 1) {
    const depth = layer / (layers - 1);
    const foot = horizon + 0.06 + depth * (height * 0.9 - horizon - 0.06);
    const color = mixColors(mixColors(mood.low, lighter(leaf, 0.4), 0.45), shadow, 0.15 + depth * 0.85);
    drawing.ground(hillLine(scene, foot, 0.015, 0.5), mixColors(color, mood.low, 0.25 * (1 - depth)));
    const size = 0.16 + depth * 0.44;
    const step = 0.06 + depth * 0.13;
    for (let x = -step * random.next(); x < width + step; x += step * random.between(0.6, 1.4)) {
      // The near trees leave the middle open, where the path is.
      if (depth > 0.6 && Math.abs(x - width / 2) < 0.2 * depth) continue;
      const tree = mixColors(color, random.next() < 0.5 ? lighter(color, 0.1) : darker(color, 0.15), random.next());
      const place: Point = [x, foot + random.between(0, 0.03)];
      if (isBroad) drawBroadTree(scene, place, size * random.between(0.8, 1.15), tree);
      else drawPine(scene, place, size * random.between(0.75, 1.2), tree);
    }
    drawing.rect(0, foot - 0.02, width, 0.08, mood.low, 0.1 * (1 - depth));
  }
  const middle = width / 2;
  const path = mixColors(mood.low, hsl(0.09, 0.3, 0.55), 0.6);
  drawing.polygon(
    [
      ...smooth([
        [middle + 0.02, horizon + 0.1],
        [middle - 0.05, height * 0.68],
        [middle - 0.02, height * 0.82],
        [middle - 0.22, height + 0.02],
      ]),
      ...smooth([
        [middle + 0.24, height + 0.02],
        [middle + 0.12, height * 0.82],
        [middle + 0.02, height * 0.68],
        [middle + 0.04, horizon + 0.1],
      ]),
    ],
    mood.isNight ? darker(path, 0.55) : path,
    0.85,
  );
  if (!mood.isNight && !mood.isRain) {
    for (let ray = 0; ray < 4; ray += 1) {
      const x = sun.x + (ray - 1.5) * 0.16;
      drawing.polygon(
        [
          [sun.x, sun.y],
          [x + (x - sun.x) * 1.6, height],
          [x + (x - sun.x) * 1.6 + 0.11, height],
        ],
        mood.light,
        0.1,
      );
    }
  }
  drawRain(scene);
}

function drawPine({ drawing }: Scene, [x, y]: Point, size: number, color: Color): void {
  drawing.rect(x - size * 0.02, y - size * 0.12, size * 0.04, size * 0.13, darker(color, 0.35));
  for (const [from, wide, tall] of [
    [0.06, 0.2, 0.42],
    [0.28, 0.16, 0.38],
    [0.5, 0.115, 0.34],
    [0.7, 0.07, 0.28],
  ] as const) {
    drawing.polygon(
      [
        [x - size * wide, y - size * from],
        [x, y - size * (from + tall)],
        [x + size * wide, y - size * from],
      ],
      color,
    );
    drawing.polygon(
      [
        [x, y - size * (from + tall)],
        [x + size * wide, y - size * from],
        [x + size * 0.02, y - size * from],
      ],
      [0, 0, 0],
      0.13,
    );
  }
}

function drawBroadTree({ drawing, random }: Scene, [x, y]: Point, size: number, color: Color): void {
  drawing.polygon(
    mirrored(x, [
      [size * 0.018, y - size * 0.6],
      [size * 0.035, y],
    ]),
    darker(color, 0.5),
  );
  for (const [dx, dy, radius, shade] of [
    [-0.14, 0.5, 0.16, 0.15],
    [0.15, 0.52, 0.15, 0.2],
    [0, 0.68, 0.2, 0],
    [-0.06, 0.76, 0.11, -0.14],
  ] as const) {
    const leaf = shade < 0 ? lighter(color, -shade) : darker(color, shade);
    drawing.circle(x + dx * size * random.between(0.85, 1.15), y - dy * size, radius * size, leaf);
  }
}

export function drawLanterns(scene: Scene): void {
  const { drawing, mood, random, prompt } = scene;
  const { width, height } = drawing;
  const horizon = height * 0.4;
  const night: Scene = {
    ...scene,
    mood: {
      ...mood,
      high: hsl(0.64, 0.45, 0.08),
      low: hsl(0.66, 0.4, 0.2),
      water: hsl(0.62, 0.45, 0.08),
      isNight: true,
    },
  };
  drawSky(night, horizon);
  drawing.ground(hillLine(night, horizon - 0.02, 0.03, 0.6), hsl(0.64, 0.3, 0.07));
  drawSea(night, horizon);
  const isOne = /\ba (?:paper )?lantern\b|一盏/i.test(prompt);
  const lanterns = isOne
    ? [{ x: width * random.between(0.42, 0.58), y: height * 0.68, size: 0.34 }]
    : Array.from({ length: 9 }, (_, index) => {
        const near = index / 8;
        return {
          x: width * random.between(0.06, 0.94),
          y: horizon + 0.05 + near * (height * 0.88 - horizon),
          size: 0.06 + near * 0.15,
        };
      });
  for (const { x, y, size } of lanterns) {
    const color = isOne ? hsl(0.09, 0.95, 0.6) : hsl(random.between(0.03, 0.13), 0.95, 0.6);
    drawing.glow(x, y - size * 0.45, size * 1.9, color, 0.55);
    for (let band = 0; band < 9; band += 1) {
      const wide = size * random.between(0.5, 0.95) * (1 - band * 0.06);
      drawRipple(
        drawing,
        [x - wide / 2 + random.between(-0.02, 0.02) * size, y + size * (0.08 + band * 0.09)],
        wide,
        color,
        0.6 - band * 0.06,
      );
    }
    const body = (half: number, tall: number): readonly Point[] =>
      mirrored(x, [
        [half * 0.78, y - tall],
        [half, y - tall * 0.5],
        [half * 0.86, y],
      ]);
    drawing.polygon(body(size * 0.36, size * 0.9), gradient(lighter(color, 0.5), color, y - size * 0.9, y));
    drawing.glow(x, y - size * 0.32, size * 0.34, [1, 0.97, 0.8], 0.9);
    for (const share of [0.24, 0.5, 0.76])
      drawing.rect(x - size * 0.35, y - size * 0.9 * share, size * 0.7, size * 0.012, darker(color, 0.3), 0.6);
    drawing.rect(x - size * 0.29, y - size * 0.93, size * 0.58, size * 0.05, hsl(0.06, 0.5, 0.2));
    drawing.rect(x - size * 0.38, y - size * 0.02, size * 0.76, size * 0.06, hsl(0.06, 0.5, 0.2));
  }
}

export function drawFireworks(scene: Scene): void {
  const { drawing, mood, random } = scene;
  const { width, height } = drawing;
  const horizon = height * 0.72;
  const night: Scene = {
    ...scene,
    mood: {
      ...mood,
      high: hsl(0.65, 0.5, 0.07),
      low: hsl(0.64, 0.4, 0.2),
      water: hsl(0.63, 0.45, 0.1),
      isNight: true,
      isRain: true,
    },
  };
  drawing.fill(gradient(night.mood.high, night.mood.low, 0, horizon));
  drawSea(night, horizon);
  const colors = [mood.accent, mood.second, mood.lamp, hsl(random.next(), 0.8, 0.65)];
  for (let burst = 0; burst < 4; burst += 1) {
    const color = lighter(colors[burst] ?? mood.accent, 0.2);
    const [x, y] = [width * (0.16 + burst * 0.23 + random.between(-0.05, 0.05)), horizon * random.between(0.22, 0.55)];
    const radius = random.between(0.13, 0.22);
    drawing.glow(x, y, radius * 1.7, color, 0.4);
    drawing.line(
      [
        [x, horizon],
        [x + 0.01, (y + horizon) / 2],
        [x, y],
      ],
      0.003,
      lighter(color, 0.4),
      0.35,
    );
    const rays = random.integer(18, 26);
    for (let ray = 0; ray < rays; ray += 1) {
      const angle = ((ray + random.between(-0.2, 0.2)) / rays) * 2 * Math.PI;
      const long = radius * random.between(0.75, 1.05);
      const point = (share: number): Point => [
        x + Math.cos(angle) * long * share,
        y + Math.sin(angle) * long * share + 0.05 * share * share,
      ];
      drawing.line(smooth([point(0.15), point(0.55), point(1)]), 0.0042, color, 0.9);
      drawing.circle(...point(1), 0.006, lighter(color, 0.6));
    }
    for (let band = 0; band < 7; band += 1) {
      const wide = radius * random.between(0.4, 0.9);
      drawRipple(drawing, [x - wide / 2, horizon + 0.02 + band * 0.035], wide, color, 0.5 - band * 0.06);
    }
  }
  // The fireworks rise from a pier.
  const deck = horizon + height * 0.1;
  drawing.rect(0, deck, width * 0.62, 0.022, hsl(0.07, 0.3, 0.1));
  for (let post = 0.03; post < width * 0.61; post += 0.11) {
    drawing.rect(post, deck, 0.014, 0.12, hsl(0.07, 0.3, 0.08));
    drawing.rect(post + 0.004, deck - 0.06, 0.005, 0.06, hsl(0.07, 0.3, 0.12));
    if (Math.round(post / 0.11) % 2 === 0) drawing.circle(post + 0.006, deck - 0.066, 0.011, mood.lamp);
  }
}
