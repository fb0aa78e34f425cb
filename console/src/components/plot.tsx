import 'uplot/dist/uPlot.min.css';
import classes from './plot.module.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import UPlot, { type AlignedData, type Axis } from 'uplot';

/** Of the height: a line below the plot that names the series, and the values under the pointer. */
const LEGEND_PX = 28;
/** Follows a colour in hexadecimal digits: mostly transparent. */
const FAINT = '26';
const NAMES_PX = 34;
const NAMES_GAP = 10;
/** Between names, beside their letters. */
const SPACE_BETWEEN_NAMES = 24;
const SPACE_BETWEEN_VALUES = 36;
const LETTER_PX = 7;
const BAR_SHARE = 0.7;
const WIDEST_BAR = 40;
/** Of the highest value: space above it. */
const ROOM = 1.05;
const COUNTS = [1, 2, 5]
  .flatMap((n) => [n, n * 10, n * 100, n * 1e3, n * 1e4, n * 1e5, n * 1e6])
  .sort((a, b) => a - b);

interface Series {
  label: string;
  /** A variable of Mantine's style sheet. */
  color: string;
  values: number[];
}

interface PlotProps {
  kind: 'bars' | 'area';
  /** Of the points, in their order. */
  names: string[];
  /** What the names are. */
  axis: string;
  /** Bars stand before those of the former series. */
  series: Series[];
  height: number;
  format?: (value: number) => string;
  onSelect?: (point: number) => void;
}

/** For eyes only: a table beside it says the same. */
export default function Plot(props: PlotProps) {
  const scheme = useComputedColorScheme();
  const { height, names, series } = props;
  return <Drawing key={`${scheme} ${height} ${names.length} ${series.length}`} {...props} />;
}

function Drawing({ kind, names, axis, series, height, format = String, onSelect }: PlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const nameOf = useEffectEvent((point: number) => names[point] ?? '');
  const textOf = useEffectEvent((value: number) => format(value));
  const select = useEffectEvent((point: number | null | undefined) => {
    if (typeof point === 'number') onSelect?.(point);
  });
  const draw = useEffectEvent((target: HTMLElement): UPlot => {
    const isBars = kind === 'bars';
    const colors = getComputedStyle(target);
    const colorOf = (name: string): string => colors.getPropertyValue(name);
    const common: Axis = {
      font: `12px ${colors.fontFamily}`,
      stroke: colorOf('--mantine-color-dimmed'),
      ticks: { show: false },
      grid: { stroke: colorOf('--console-line'), width: 1 },
    };
    return new UPlot(
      {
        width: target.clientWidth,
        height: height - LEGEND_PX,
        scales: {
          x: { time: false, range: isBars ? [-0.5, names.length - 0.5] : [0, names.length - 1] },
          y: { range: (_, least, most) => [Math.min(0, least), Math.max(1, most * ROOM)] },
        },
        axes: [
          {
            ...common,
            grid: { show: false },
            size: NAMES_PX,
            gap: NAMES_GAP,
            space: SPACE_BETWEEN_NAMES + LETTER_PX * Math.max(0, ...names.map(({ length }) => length)),
            incrs: COUNTS,
            values: (_, points) => points.map((point) => nameOf(point)),
          },
          {
            ...common,
            space: SPACE_BETWEEN_VALUES,
            ...(isBars && { incrs: COUNTS }),
            values: (_, values) => values.map((value) => textOf(value)),
            size: (_, texts) => 16 + LETTER_PX * Math.max(0, ...(texts ?? []).map(({ length }) => length)),
          },
        ],
        series: [
          { label: axis, value: (_, point) => (point === null ? '' : nameOf(point)) },
          ...series.map(({ label, color }) => ({
            label,
            stroke: colorOf(color),
            fill: isBars ? colorOf(color) : `${colorOf(color)}${FAINT}`,
            width: isBars ? 0 : 2,
            points: { show: false },
            value: (_: UPlot, value: number | null) => (value === null ? '' : textOf(value)),
            ...(isBars && UPlot.paths.bars && { paths: UPlot.paths.bars({ size: [BAR_SHARE, WIDEST_BAR] }) }),
          })),
        ],
        cursor: { y: false, drag: { x: false, y: false } },
      },
      dataOf(names, series),
      target,
    );
  });
  useEffect(() => {
    const target = frame.current;
    if (!target) return;
    const drawn = draw(target);
    const fit = (): void => drawn.setSize({ width: target.clientWidth, height: drawn.height });
    const watch = new ResizeObserver(fit);
    watch.observe(target);
    drawn.over.addEventListener('click', () => select(drawn.cursor.idx));
    plot.current = drawn;
    return () => {
      watch.disconnect();
      drawn.destroy();
    };
  }, []);
  useEffect(() => plot.current?.setData(dataOf(names, series)), [names, series]);
  return (
    <div
      ref={frame}
      className={classes.plot}
      data-selects={onSelect !== undefined}
      style={{ minHeight: height }}
      aria-hidden
    />
  );
}

const dataOf = (names: string[], series: Series[]): AlignedData => [
  names.map((_, point) => point),
  ...series.map(({ values }) => values),
];
