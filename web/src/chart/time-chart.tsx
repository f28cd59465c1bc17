import { scaleLinear, scaleUtc } from "d3-scale";
import { area, curveStepAfter, line } from "d3-shape";
import { useId } from "react";
import { timeInWords } from "@assay/protocol";

const WIDTH = 640;
const HEIGHT = 220;
const MARGIN = { top: 12, right: 12, bottom: 26, left: 52 };

/** One line over time; a band around it says how uncertain it is. */
export interface Series {
  readonly name: string;
  /** A colour's name in the tokens, such as `accent`. */
  readonly tone: string;
  readonly points: readonly {
    /** Unix seconds. */
    readonly at: number;
    /** Null where nothing is known: the line has a gap there. */
    readonly value: number | null;
    readonly low?: number;
    readonly high?: number;
  }[];
}

/** Lines over time, in UTC. Whoever can't see them gets the summary, and the table below has every value. */
export function TimeChart({
  title,
  summary,
  series,
  top,
  format,
}: {
  readonly title: string;
  readonly summary: string;
  readonly series: readonly Series[];
  /** The greatest value of the axis; the greatest one there is when left out. */
  readonly top?: number;
  readonly format: (value: number) => string;
}) {
  const id = useId();
  const points = series.flatMap((one) => one.points);
  const times = points.map(({ at }) => at * 1_000);
  const greatest = top ?? Math.max(1, ...points.map(({ value, high }) => Math.max(value ?? 0, high ?? 0)));
  const x = scaleUtc([Math.min(...times), Math.max(...times)], [MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear([0, greatest], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4);
  const moments = [...new Set(points.map(({ at }) => at))].sort((one, other) => one - other);
  return (
    <figure className="chart stack">
      <figcaption>
        <h3 id={id}>{title}</h3>
        <p className="muted small">{summary}</p>
      </figcaption>
      {series.length > 1 && (
        <ul className="legend">
          {series.map(({ name, tone }) => (
            <li key={name} style={{ "--tone": `var(--${tone})` } as React.CSSProperties}>
              {name}
            </li>
          ))}
        </ul>
      )}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
        {y.ticks(4).map((value) => (
          <g key={value}>
            <line className="axis" x1={MARGIN.left} x2={WIDTH - MARGIN.right} y1={y(value)} y2={y(value)} />
            <text x={MARGIN.left - 8} y={y(value) + 4} textAnchor="end">
              {format(value)}
            </text>
          </g>
        ))}
        {x.ticks(4).map((date, index, all) => (
          <text
            key={date.getTime()}
            x={x(date)}
            y={HEIGHT - 6}
            textAnchor={index === all.length - 1 ? "end" : "middle"}
          >
            {x.tickFormat(4)(date)}
          </text>
        ))}
        {series.map((one) => (
          <Line key={one.name} series={one} x={(at) => x(at * 1_000)} y={y} />
        ))}
      </svg>
      <details>
        <summary>As a table</summary>
        <div className="table" role="region" aria-label={title} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" className="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {moments.map((at) => (
                <tr key={at}>
                  <td>{timeInWords(at)}</td>
                  {series.map(({ name, points: own }) => {
                    const value = own.find((point) => point.at === at)?.value;
                    return (
                      <td key={name} className="number">
                        {value == null ? "–" : format(value)}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

function Line({
  series: { tone, points },
  x,
  y,
}: {
  readonly series: Series;
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
}) {
  type Point = (typeof points)[number];
  const isKnown = ({ value }: Point): boolean => value !== null;
  const shape = line<Point>()
    .defined(isKnown)
    .x(({ at }) => x(at))
    .y(({ value }) => y(value ?? 0))
    .curve(curveStepAfter)([...points]);
  const band = area<Point>()
    .defined(({ value, low, high }) => value !== null && low !== undefined && high !== undefined)
    .x(({ at }) => x(at))
    .y0(({ low }) => y(low ?? 0))
    .y1(({ high }) => y(high ?? 0))
    .curve(curveStepAfter)([...points]);
  const last = points.findLast(isKnown);
  return (
    <g style={{ "--tone": `var(--${tone})` } as React.CSSProperties}>
      {band !== null && <path className="area" d={band} />}
      {shape !== null && <path className="line" d={shape} />}
      {last?.value != null && <circle cx={x(last.at)} cy={y(last.value)} r="4" fill="var(--tone)" />}
    </g>
  );
}
