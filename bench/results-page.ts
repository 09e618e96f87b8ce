import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Figure, number, median, tableOf } from './report.ts'

/** The line of bench/README.md that starts the printed part: everything below it comes from bench/results. */
const START = '<!-- Printed by `bun run bench` from bench/results. Do not edit below this line. -->'
const PAGE = join(import.meta.dir, 'README.md')
const RESULTS = join(import.meta.dir, 'results')

interface Result {
  measured_at: string
  /** Absent from results older than this field. */
  machine?: string
  figures: Figure[]
}

const result = (part: string): Result => JSON.parse(readFileSync(join(RESULTS, `${part}.json`), 'utf8'))

const row = (part: string, measuredAt: string, { name, unit, parley, reference, target }: Figure): string[] => [
  part,
  unit ? `${name}, ${unit}` : name,
  number(median(parley)),
  reference ? `${number(median(reference.values))} (${reference.name})` : '',
  target ? number(target.value) : '',
  target?.says ?? '',
  target?.met ? 'met' : '**missed**',
  measuredAt.slice(0, 10),
]

/**
 * The text of bench/README.md: the hand-written introduction, then one table of the figures that have a target. The
 * others are in bench/results.
 */
export function resultsPage(): string {
  const [introduction = ''] = readFileSync(PAGE, 'utf8').split(START)
  const results = readdirSync(RESULTS)
    .filter((name) => name.endsWith('.json'))
    .map((name) => basename(name, '.json'))
    .sort()
    .map((part): [string, Result] => [part, result(part)])
  const figures = results.flatMap(([part, { measured_at, figures }]) =>
    figures.map((figure) => ({ part, measured_at, figure })),
  )
  const judged = figures.filter(({ figure }) => figure.target)
  const met = judged.filter(({ figure }) => figure.target?.met)
  const head = ['part', 'figure', 'Parley', 'reference', 'judged', 'target', '', 'measured']
  const rows = judged.map(({ part, measured_at, figure }) => row(part, measured_at, figure))
  const machines = new Set(results.flatMap(([, { machine }]) => machine ?? []))
  const others = figures.length - judged.length
  const summary =
    `${met.length} of ${judged.length} judged figures meet their target. Every value is a median of its rounds. ` +
    `[bench/results](results) has each round, and ${others} figures without a target.`
  return [introduction + START, summary, tableOf([head, ...rows]), ...machines].join('\n\n') + '\n'
}

/** Prints bench/results into bench/README.md. */
export const writeResultsPage = (): void => writeFileSync(PAGE, resultsPage())
