import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, release, type } from 'node:os'
import { join } from 'node:path'

/** One row of the report. */
export interface Figure {
  name: string
  unit: string
  /** One value per round. */
  parley: number[]
  /** The values of the reference in the same rounds. */
  reference?: { name: string; values: number[] }
  /** The judgement; undefined for a figure without a target. */
  target?: { says: string; value: number; met: boolean }
  note?: string
}

export const median = (values: number[]): number => quantile(values, 0.5)

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)] ?? Number.NaN
  const high = sorted[Math.ceil(at)] ?? Number.NaN
  return low + (high - low) * (at - Math.floor(at))
}

/** Judges the ratio of the medians: at least `share` of the reference. */
export function atLeast(share: number, parley: number[], reference: number[]): Figure['target'] {
  const value = median(parley) / median(reference)
  return { says: `≥ ${share} of the reference`, value, met: value >= share }
}

/** Judges a value: at most `limit`. */
export const atMost = (limit: number, value: number, says = `≤ ${limit}`): Figure['target'] => ({
  says,
  value,
  met: value <= limit,
})

/** Formats a value with at least three digits: 1,234, 12.3, 1.23, 0.123. */
export const number = (value: number): string =>
  value >= 1000
    ? Math.round(value).toLocaleString('en')
    : value >= 10
      ? value.toFixed(1)
      : value.toFixed(value < 1 ? 3 : 2)

const cells = ({ name, unit, parley, reference, target }: Figure): string[] => [
  name,
  unit,
  number(median(parley)),
  reference ? `${number(median(reference.values))} (${reference.name})` : '',
  target ? number(target.value) : '',
  target?.says ?? '',
  target ? (target.met ? 'met' : 'MISSED') : '',
]

/** The figures as a Markdown table. */
export const table = (figures: Figure[]): string =>
  tableOf([['figure', 'unit', 'Parley', 'reference', 'judged', 'target', ''], ...figures.map(cells)])

/** A Markdown table with aligned columns. The first row is the head. */
export function tableOf(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

const escaped = (text: string) => text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)
const BAR_HEIGHT = 14
const ROW_HEIGHT = 46
const BARS_LEFT = 330
const BARS_WIDTH = 420

/** Every round of every figure as a dot on a bar of the median; each figure has its own scale. */
export function plot(figures: Figure[]): string {
  const rows = figures.map((figure, row) => {
    const top = 40 + row * ROW_HEIGHT
    const most = Math.max(...figure.parley, ...(figure.reference?.values ?? []))
    const bar = (values: number[], at: number, color: string) => {
      const y = top + at * (BAR_HEIGHT + 2)
      const x = (value: number) => BARS_LEFT + (value / most) * BARS_WIDTH
      const dots = values.map((value) => `<circle cx="${x(value).toFixed(1)}" cy="${y + BAR_HEIGHT / 2}" r="2"/>`)
      return `<rect x="${BARS_LEFT}" y="${y}" width="${(x(median(values)) - BARS_LEFT).toFixed(1)}"
        height="${BAR_HEIGHT}" fill="${color}"/>${dots.join('')}
        <text x="${BARS_LEFT + BARS_WIDTH + 10}" y="${y + 11}">${number(median(values))} ${escaped(figure.unit)}</text>`
    }
    return `<text x="10" y="${top + 11}">${escaped(figure.name)}</text>${bar(figure.parley, 0, '#4a7fb5')}
      ${figure.reference ? bar(figure.reference.values, 1, '#c9c9c9') : ''}`
  })
  const height = 50 + figures.length * ROW_HEIGHT
  const font = 'font-family="sans-serif" font-size="12"'
  return `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="${height}" ${font}>
    <rect width="100%" height="100%" fill="white"/>
    <text x="10" y="22">blue: Parley; grey: the reference; bars are medians, dots are rounds</text>
    ${rows.join('\n')}
  </svg>\n`
}

/** The machine and its load when the part ended. A load above the number of cores makes the figures doubtful. */
const machine = (): string =>
  `${availableParallelism()} cores, ${type()} ${release()}, Bun ${Bun.version}, load ${(loadavg()[0] ?? 0).toFixed(1)}`

/** Writes the figures of a part to bench/results/<part>.json and .svg. @param state of the machine, if it is special */
export function record(part: string, figures: Figure[], state = ''): void {
  const result = { measured_at: new Date().toISOString(), machine: machine() + state, figures }
  writeResult(`${part}.json`, `${JSON.stringify(result, null, 2)}\n`)
  writeResult(`${part}.svg`, plot(figures))
}

/** Writes a file in bench/results/. */
export function writeResult(name: string, text: string): void {
  const folder = join(import.meta.dir, 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), text)
}
