/** The milliseconds from a press of Stop to the end of the turn and of what it ran, for `npm run bench -- stop`. */
import { openAppOverGateway } from "./appOverGateway";
import { until } from "./builders";
import { stoppable } from "./stoppable";

export async function* measureStops(
  times: number,
): AsyncGenerator<{ readonly what: string; readonly milliseconds: readonly number[] }> {
  for (const [what, begin] of Object.entries(stoppable)) {
    const milliseconds: number[] = [];
    for (let run = 0; run < times; run += 1) {
      const over = await openAppOverGateway({ tokensPerSecond: 50 });
      const { turn, isGone } = await begin(over);
      const started = performance.now();
      over.app.session.current.stop();
      await turn;
      await until(isGone);
      milliseconds.push(performance.now() - started);
      await over.close();
    }
    yield { what, milliseconds };
  }
}
