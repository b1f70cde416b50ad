/** Subjects that fill the picture from edge to edge: pattern, texture, map, abstract. */
import { type Color, darker, hsl, lighter, mixColors, paper, arc, gradient, type Point, smooth } from "./drawing";
import type { Scene } from "./scenery";

export function drawPattern({ drawing, mood, random, prompt }: Scene): void {
  const { width, height } = drawing;
  const colors: readonly [Color, Color, Color, Color] = [
    mood.accent,
    mood.second,
    lighter(mood.accent, 0.55),
    mood.ink,
  ];
  drawing.fill(mood.pale);
  const forms = [
    [/wave|scale|scallop|fish|波|鳞/i, 0],
    [/triang|三角/i, 1],
    [/dot|circle|round|圆|点/i, 2],
    [/stripe|zigzag|chevron|条/i, 3],
    [/flower|floral|leaf|花|叶/i, 4],
  ] as const;
  const form = forms.find(([words]) => words.test(prompt))?.[1] ?? random.integer(0, 4);
  const cell = random.pick([0.125, 0.1666, 0.1666, 0.2]);
  const rows = Math.ceil(height / cell) + 2;
  const columns = Math.ceil(width / cell) + 2;
  const each = (draw: (x: number, y: number, column: number, row: number) => void): void => {
    for (let row = -1; row < rows; row += 1)
      for (let column = -1; column < columns; column += 1) draw(column * cell, row * cell, column, row);
  };
  const pick = (index: number): Color => colors[((index % 3) + 3) % 3] ?? colors[0];
  if (form === 0) {
    for (let row = -1; row < rows * 2; row += 1) {
      for (let column = -1; column < columns; column += 1) {
        const [x, y] = [(column + (row % 2 === 0 ? 0 : 0.5)) * cell, row * cell * 0.5];
        for (const [ring, share] of [1, 0.76, 0.52, 0.28].entries())
          drawing.circle(x, y + cell * 0.5, cell * 0.5 * share, ring % 2 === 0 ? pick(row) : mood.pale);
      }
    }
  } else if (form === 1) {
    each((x, y, column, row) => {
      drawing.polygon(
        [
          [x, y],
          [x + cell, y],
          [x, y + cell],
        ],
        pick(column + row),
      );
      drawing.polygon(
        [
          [x + cell, y],
          [x + cell, y + cell],
          [x, y + cell],
        ],
        pick(column * 2 + row + 1),
        0.55,
      );
    });
  } else if (form === 2) {
    each((x, y, column, row) => {
      const [cx, cy] = [x + (row % 2 === 0 ? 0 : cell / 2), y];
      drawing.circle(cx, cy, cell * 0.36, pick(column + row * 2));
      drawing.circle(cx, cy, cell * 0.17, mood.pale);
      drawing.circle(cx + cell / 2, cy, cell * 0.07, colors[3]);
    });
  } else if (form === 3) {
    for (let row = -2; row < rows * 2; row += 1) {
      const points = Array.from({ length: columns * 2 + 2 }, (_, step): Point => [
        (step - 1) * cell * 0.5,
        row * cell * 0.55 + (step % 2 === 0 ? 0 : cell * 0.4),
      ]);
      drawing.polygon([...points, ...points.toReversed().map(([x, y]): Point => [x, y + cell * 0.3])], pick(row));
    }
  } else {
    each((x, y, column, row) => {
      const [cx, cy] = [x + (row % 2 === 0 ? 0 : cell / 2) + cell / 2, y + cell / 2];
      for (let petal = 0; petal < 6; petal += 1) {
        const angle = (petal / 6) * 2 * Math.PI + row;
        drawing.circle(
          cx + Math.cos(angle) * cell * 0.22,
          cy + Math.sin(angle) * cell * 0.22,
          cell * 0.145,
          pick(column + row),
        );
      }
      drawing.circle(cx, cy, cell * 0.12, lighter(mood.lamp, 0.1));
      drawing.polygon(
        [
          ...arc([cx + cell / 2, cy + cell * 0.1], cell * 0.2, 0.5, 0.75),
          [cx + cell / 2, cy + cell * 0.1],
          [cx + cell * 0.3, cy + cell * 0.3],
        ],
        hsl(0.36, 0.35, 0.45),
      );
    });
  }
}

export function drawTexture(scene: Scene): void {
  const { random, prompt } = scene;
  const kinds = [
    [/wood|plank|oak|木/i, drawWood],
    [/brick|wall|stone|砖|墙|石/i, drawBricks],
    [/fabric|linen|cloth|wool|canvas|silk|布|织|麻|丝/i, drawFabric],
    [/marble|大理石/i, drawMarble],
  ] as const;
  const draw =
    kinds.find(([words]) => words.test(prompt))?.[1] ?? random.pick([drawWood, drawBricks, drawFabric, drawMarble]);
  draw(scene);
}

function drawWood({ drawing, random }: Scene): void {
  const { width, height } = drawing;
  const hue = random.between(0.055, 0.09);
  const count = random.integer(4, 6);
  const tall = height / count;
  for (let plank = 0; plank < count; plank += 1) {
    const color = hsl(hue + random.between(-0.01, 0.01), 0.45, random.between(0.38, 0.5));
    const top = plank * tall;
    drawing.rect(0, top, width, tall, color);
    const knot = { x: random.between(0.1, 0.9) * width, y: top + tall * random.between(0.35, 0.65) };
    for (let grain = 0; grain < 13; grain += 1) {
      const y = top + tall * ((grain + random.between(0.1, 0.9)) / 13);
      const away = (y - knot.y) / tall;
      const line = Array.from({ length: 31 }, (_, step): Point => {
        const x = (step / 30) * width;
        const bend =
          Math.exp(-(((x - knot.x) / 0.09) ** 2)) * Math.sign(away || 1) * tall * 0.14 * Math.exp(-Math.abs(away) * 4);
        return [
          x,
          Math.min(top + tall, Math.max(top, y + bend + Math.sin(x * 5 + plank * 3 + grain * 0.4) * tall * 0.025)),
        ];
      });
      drawing.line(line, tall * random.between(0.008, 0.022), darker(color, random.between(0.12, 0.3)), 0.6);
    }
    for (const [radius, shade] of [
      [0.11, 0.25],
      [0.075, 0.1],
      [0.045, 0.45],
    ] as const)
      drawing.ellipse(knot.x, knot.y, tall * radius * 1.5, tall * radius, darker(color, shade));
    drawing.rect(0, top + tall - 0.006, width, 0.006, darker(color, 0.65));
    drawing.rect(random.between(0.1, 0.9) * width, top, 0.005, tall, darker(color, 0.65));
    drawing.rect(0, top, width, 0.003, lighter(color, 0.2), 0.7);
  }
}

function drawBricks({ drawing, random }: Scene): void {
  const { width, height } = drawing;
  const hue = random.pick([0.03, 0.05, 0.58, 0.1]);
  drawing.fill(hsl(0.1, 0.08, 0.72));
  const tall = 0.09;
  const wide = 0.21;
  for (let row = 0; row * tall < height; row += 1) {
    for (let column = -1; column * wide < width; column += 1) {
      const x = (column + (row % 2 === 0 ? 0 : 0.5)) * wide;
      const color = hsl(hue + random.between(-0.012, 0.012), random.between(0.3, 0.48), random.between(0.36, 0.52));
      const box = { x: x + 0.006, y: row * tall + 0.006, width: wide - 0.012, height: tall - 0.012 };
      drawing.roundRect(box, 0.007, color);
      drawing.rect(box.x + 0.004, box.y, box.width - 0.008, 0.006, lighter(color, 0.25), 0.6);
      drawing.rect(box.x + 0.004, box.y + box.height - 0.008, box.width - 0.008, 0.008, darker(color, 0.35), 0.6);
      for (let spot = 0; spot < 7; spot += 1) {
        const radius = random.between(0.0015, 0.005);
        drawing.circle(
          box.x + random.between(0.01, box.width - 0.01),
          box.y + random.between(0.01, box.height - 0.01),
          radius,
          darker(color, random.between(0.15, 0.4)),
          0.7,
        );
      }
    }
  }
}

function drawFabric({ drawing, mood, random }: Scene): void {
  const { width, height } = drawing;
  const [one, two] = [mixColors(mood.accent, mood.pale, 0.35), mixColors(mood.second, mood.pale, 0.5)];
  drawing.fill(darker(one, 0.3));
  const step = 0.026;
  for (let row = 0; row * step < height; row += 1) {
    for (let column = 0; column * step < width; column += 1) {
      const isOver = (row + column) % 2 === 0;
      const color = mixColors(isOver ? one : two, isOver ? lighter(one, 0.3) : darker(two, 0.2), random.next() * 0.5);
      const [x, y] = [column * step, row * step];
      if (isOver)
        drawing.roundRect(
          { x: x - step * 0.12, y: y + step * 0.08, width: step * 1.24, height: step * 0.84 },
          step * 0.3,
          color,
        );
      else
        drawing.roundRect(
          { x: x + step * 0.08, y: y - step * 0.12, width: step * 0.84, height: step * 1.24 },
          step * 0.3,
          color,
        );
    }
  }
}

function drawMarble({ drawing, mood, random }: Scene): void {
  const { width, height } = drawing;
  const base = mood.isNight ? hsl(0.6, 0.15, 0.16) : hsl(0.1, 0.12, 0.93);
  drawing.fill(base);
  for (let cloud = 0; cloud < 14; cloud += 1)
    drawing.glow(
      random.between(0, width),
      random.between(0, height),
      random.between(0.2, 0.5),
      mixColors(base, mood.ink, 0.35),
      0.4,
    );
  for (let vein = 0; vein < 13; vein += 1) {
    const start: Point = [random.between(-0.2, 1) * width, -0.05];
    const lean = random.between(0.15, 0.9);
    const points = Array.from({ length: 9 }, (_, step): Point => [
      start[0] + (step / 8) * lean * height + random.between(-0.05, 0.05),
      start[1] + (step / 8) * (height + 0.1),
    ]);
    const color =
      random.next() < 0.3
        ? mixColors(base, hsl(0.11, 0.6, 0.5), 0.7)
        : mixColors(base, mood.ink, random.between(0.4, 0.75));
    drawing.line(smooth(points), random.between(0.002, 0.008), color, random.between(0.35, 0.8));
    const branch = points[4] ?? start;
    drawing.line(
      smooth([branch, [branch[0] - 0.12, branch[1] + 0.1], [branch[0] - 0.16, branch[1] + 0.26]]),
      0.002,
      color,
      0.5,
    );
  }
}

export function drawMap({ drawing, mood, random }: Scene): void {
  const { width, height } = drawing;
  const land = hsl(0.12, 0.3, 0.9);
  const water = hsl(0.55, 0.45, 0.74);
  drawing.fill(land);
  // Blocks between streets at odd angles.
  const turn = random.between(-0.3, 0.3);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const placed = (u: number, v: number): Point => [width / 2 + u * cos - v * sin, height / 2 + u * sin + v * cos];
  const step = 0.155;
  const reach = Math.ceil(Math.hypot(width, height) / 2 / step) + 1;
  for (let row = -reach; row < reach; row += 1) {
    for (let column = -reach; column < reach; column += 1) {
      const [u, v, gap] = [column * step, row * step, 0.011];
      const box = [
        placed(u + gap, v + gap),
        placed(u + step - gap, v + gap),
        placed(u + step - gap, v + step - gap),
        placed(u + gap, v + step - gap),
      ];
      const kind = random.next();
      drawing.polygon(box, kind < 0.12 ? hsl(0.3, 0.35, 0.76) : darker(land, kind < 0.5 ? 0.06 : 0.1));
    }
  }
  const avenue = (from: Point, to: Point, wide: number): void => {
    drawing.line([from, to], wide + 0.008, hsl(0.1, 0.4, 0.62));
    drawing.line([from, to], wide, hsl(0.13, 0.75, 0.82));
  };
  avenue(placed(-2, step * random.integer(-1, 1)), placed(2, step * random.integer(-1, 2)), 0.026);
  avenue(placed(step * random.integer(-2, 1), -2), placed(step * random.integer(-1, 2), 2), 0.022);
  const park = placed(random.between(-0.3, 0.3), random.between(-0.25, 0.25));
  const corners = Array.from({ length: 7 }, (_, corner): Point => {
    const radius = random.between(0.09, 0.15);
    return [
      park[0] + Math.cos((corner / 7) * 2 * Math.PI) * radius * 1.3,
      park[1] + Math.sin((corner / 7) * 2 * Math.PI) * radius,
    ];
  });
  drawing.blob(corners, hsl(0.31, 0.38, 0.68));
  for (let tree = 0; tree < 9; tree += 1)
    drawing.circle(
      park[0] + random.between(-0.09, 0.09),
      park[1] + random.between(-0.06, 0.06),
      0.011,
      hsl(0.34, 0.4, 0.48),
    );
  const isRight = random.next() < 0.5;
  const side = (share: number): number => (isRight ? width * (1 - share) : width * share);
  const edge = isRight ? width + 0.1 : -0.1;
  const coast = smooth([
    [side(0.2), -0.05],
    [side(random.between(0.1, 0.26)), height * 0.25],
    [side(random.between(0.16, 0.32)), height * 0.5],
    [side(random.between(0.08, 0.2)), height * 0.76],
    [side(0.3), height + 0.05],
  ]);
  drawing.polygon([...coast, [edge, height + 0.05], [edge, -0.05]], water);
  drawing.line(coast, 0.014, lighter(water, 0.4));
  const river = smooth([
    [side(0.18), height * 0.5],
    [side(0.4), height * random.between(0.4, 0.6)],
    [side(0.65), height * random.between(0.55, 0.75)],
    [side(1.05), height * random.between(0.5, 0.85)],
  ]);
  drawing.line(river, 0.045, water);
  const from = placed(-step * 2 + 0.005, step * 1.5);
  const route = [from, placed(-step * 2 + 0.005, 0), placed(0, 0), placed(0, -step), placed(step * 2, -step)];
  drawing.line(route, 0.02, mood.accent);
  drawing.circle(from[0], from[1], 0.02, mood.accent);
  drawing.circle(from[0], from[1], 0.01, paper);
  const goal = route.at(-1) ?? from;
  const pin = hsl(0.99, 0.7, 0.5);
  drawing.ellipse(goal[0], goal[1], 0.03, 0.011, [0, 0, 0], 0.3);
  drawing.polygon([...arc([goal[0], goal[1] - 0.095], 0.046, 0.42, 1.08), goal], pin);
  drawing.circle(goal[0], goal[1] - 0.095, 0.018, paper);
  const rose: Point = [isRight ? 0.11 : width - 0.11, 0.12];
  drawing.circle(rose[0], rose[1], 0.068, paper, 0.92);
  for (const [direction, color] of [
    [-1, pin],
    [1, mood.ink],
  ] as const)
    drawing.polygon(
      [
        [rose[0] - 0.017, rose[1]],
        [rose[0], rose[1] + direction * 0.055],
        [rose[0] + 0.017, rose[1]],
      ],
      color,
    );
}

export function drawAbstract({ drawing, mood, random }: Scene): void {
  const { width, height } = drawing;
  drawing.fill(gradient(lighter(mood.pale, 0.3), mood.pale, [0, 0], [width, height]));
  const colors = [mood.accent, mood.second, mood.ink, lighter(mood.accent, 0.4), lighter(mood.second, 0.3)] as const;
  const place = (): Point => [random.between(0.1, 0.9) * width, random.between(0.12, 0.88) * height];
  const sun = place();
  drawing.circle(sun[0], sun[1], random.between(0.2, 0.3), random.pick(colors), 0.92);
  for (let band = 0; band < 3; band += 1) {
    const y = random.between(0.1, 0.9) * height;
    const rise = random.between(-0.3, 0.3);
    const wave = smooth(
      Array.from({ length: 6 }, (_, step): Point => [
        (step / 5) * (width + 0.2) - 0.1,
        y + rise * (step / 5) + random.between(-0.12, 0.12),
      ]),
    );
    drawing.polygon(
      [...wave, ...wave.toReversed().map(([x, top]): Point => [x, top + 0.1 + 0.1 * Math.sin(x * 3 + band)])],
      random.pick(colors),
      0.82,
    );
  }
  for (let piece = 0; piece < 7; piece += 1) {
    const [x, y] = place();
    const size = random.between(0.05, 0.16);
    const color = random.pick(colors);
    const turn = random.next();
    switch (random.integer(0, 4)) {
      case 0:
        drawing.circle(x, y, size, color, 0.85);
        break;
      case 1:
        drawing.ring([x, y], size, size * random.between(0.15, 0.35), color, 0.95);
        break;
      case 2:
        drawing.polygon(arc([x, y], size * 1.2, turn, turn + 0.5), color, 0.9);
        break;
      case 3:
        drawing.polygon(
          [0, 1 / 3, 2 / 3].map((third): Point => [
            x + Math.cos((turn + third) * 2 * Math.PI) * size * 1.2,
            y + Math.sin((turn + third) * 2 * Math.PI) * size * 1.2,
          ]),
          color,
          0.88,
        );
        break;
      default:
        for (let line = 0; line < 5; line += 1) {
          const [dx, dy] = [Math.cos(turn * 2 * Math.PI), Math.sin(turn * 2 * Math.PI)];
          const [ox, oy] = [x - dy * line * 0.024, y + dx * line * 0.024];
          drawing.line(
            [
              [ox, oy],
              [ox + dx * size * 2.4, oy + dy * size * 2.4],
            ],
            0.008,
            color,
          );
        }
    }
  }
}
