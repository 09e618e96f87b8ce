import { operatorWords } from '../../words/operator.ts'

interface ChartProps {
  title: string
  /** The points: their times in milliseconds, and values; in the order of time. */
  points: (readonly [at: number, value: number])[]
  show: (value: number) => string
}

const WIDTH = 600
const HEIGHT = 110
/** Points further apart than this multiple of the usual distance are not joined. */
const GAP_MAX = 3.5

/** The path of a line through the points, with gaps where points are missing. */
function pathOf(points: ChartProps['points'], max: number): string {
  const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0]
  const distances = points.slice(1).map(([at], n) => at - (points[n]?.[0] ?? at))
  const usual = distances.toSorted((a, b) => a - b)[distances.length >> 1] ?? 0
  const x = (at: number) => ((at - first) / (last - first)) * WIDTH
  const y = (value: number) => HEIGHT - 4 - (value / (max || 1)) * (HEIGHT - 12)
  const [only] = points
  // Samples of a single moment are drawn as a level line.
  if (only && last === first) return `M0 ${y(only[1]).toFixed(1)}H${WIDTH}`
  return points
    .map(([at, value], n) => {
      const isGap = n === 0 || at - (points[n - 1]?.[0] ?? at) > GAP_MAX * usual
      return `${isGap ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}${isGap ? 'h.1' : ''}`
    })
    .join('')
}

/** A figure over time. */
export const Chart = ({ title, points, show }: ChartProps) => {
  const highest = points.reduce((max, [, value]) => Math.max(max, value), 0)
  const summary = operatorWords.figures.now({ value: show(points.at(-1)?.[1] ?? 0), most: show(highest) })
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong> <small>{summary}</small>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={`${title}: ${summary}`}>
        <path class="base" d={`M0 ${HEIGHT - 4}H${WIDTH}`} />
        <path class="line" d={pathOf(points, highest)} />
      </svg>
    </figure>
  )
}
