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

const verdict = ({ target }: Figure): string => (target ? (target.met ? 'met' : '**missed**') : '')

const row = (figure: Figure): string[] => {
  const { name, unit, parley, reference, target } = figure
  return [
    unit ? `${name}, ${unit}` : name,
    number(median(parley)),
    reference ? `${number(median(reference.values))} (${reference.name})` : '',
    target ? number(target.value) : '',
    target?.says ?? '',
    verdict(figure),
  ]
}

function section(part: string): string {
  const { measured_at, machine, figures } = result(part)
  const rows = [['figure', 'Parley', 'reference', 'judged', 'target', ''], ...figures.map(row)]
  return `### ${part}\n\n${measured_at.slice(0, 10)}${machine ? `, ${machine}` : ''}\n\n${tableOf(rows)}\n`
}

/** The text of bench/README.md: the hand-written introduction, then one table for each file in bench/results. */
export function resultsPage(): string {
  const [introduction = ''] = readFileSync(PAGE, 'utf8').split(START)
  const parts = readdirSync(RESULTS)
    .filter((name) => name.endsWith('.json'))
    .map((name) => basename(name, '.json'))
    .sort()
  const judged = parts.flatMap((part) => result(part).figures).filter(({ target }) => target)
  const met = judged.filter(({ target }) => target?.met).length
  const summary = `${met} of ${judged.length} judged figures meet their target; every value is a median of its rounds.`
  return `${introduction}${START}\n\n${summary}\n\n${parts.map(section).join('\n')}`
}

/** Prints bench/results into bench/README.md. */
export const writeResultsPage = (): void => writeFileSync(PAGE, resultsPage())
