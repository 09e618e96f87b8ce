import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type End, type Habits, type Needs, needsOf, PRESENCE_BYTES_MAX, PRIMARY_CORES_MAX } from './plan-needs.ts'
import { readUnits, type Units } from './plan-units.ts'
import { tableOf } from './report.ts'

const PAGE = join(import.meta.dir, '../docs/scaling.md')
const START = '<!-- Printed by `bun run plan --write` from bench/results. Do not edit up to the next such line. -->'
const STOP = '<!-- End of the printed part. -->'
/** Numbers of people online in the table of docs/scaling.md. */
const SIZES = [100, 10_000, 100_000, 1_000_000]

/** Assumptions about the busiest hour, unless an option says otherwise. */
export const HABITS: Habits = { messages: 30, receivers: 50, pages: 20, searches: 1, inCalls: 2, callMembers: 8 }

/** Rounds up to two significant digits, so that a small change of a measurement does not change the plan. */
function rounded(value: number): number {
  if (!Number.isFinite(value) || value <= 0) return 0
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1)
  return Number((Math.ceil(value / unit - 1e-9) * unit).toPrecision(2))
}

const count = (value: number): string => rounded(value).toLocaleString('en', { maximumFractionDigits: 3 })

/** Formats with the largest of some units, each a thousand times the one before. */
const scaled = (value: number, names: string[]): string => {
  const at = Math.min(names.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(value, 1)) / 3)))
  return `${count(value / 1000 ** at)} ${names[at]}`
}
const bytes = (value: number) => scaled(value, ['B', 'KB', 'MB', 'GB', 'TB', 'PB'])
const bits = (value: number) => scaled(value, ['bit/s', 'Kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s'])
/** Less than a tenth of a core is written so, because it is less than anything that one can rent. */
const cores = (value: number) => (value < 0.1 ? '< 0.1' : count(value))

function seconds(value: number): string {
  if (value < 120) return `${count(Math.max(value, 0.1))} s`
  return value < 7200 ? `${count(value / 60)} min` : `${count(value / 3600)} h`
}

const people = (value: number) => Math.round(Number(value.toPrecision(2))).toLocaleString('en')
const endOf = (end: End | undefined) => (end ? `${end.part}, at ${people(end.people)}` : 'none that was found')

const redisOf = ({ processes, redisCores }: Needs) => {
  if (processes === 1) return 'none'
  return redisCores <= 1 ? 'one, with a replica' : `a cluster of ${Math.max(3, Math.ceil(redisCores))}`
}

/** Rows of the plan: a name, and the value for a number of people. */
const ROWS: [name: string, value: (needs: Needs) => string][] = [
  ['messages / deliveries a second', (needs) => `${count(needs.sendsPerSecond)} / ${count(needs.deliveriesPerSecond)}`],
  ['processes', ({ processes }) => (processes > 1 ? `${processes}, one of them spare` : '1')],
  ['cores of all processes', ({ processCores }) => cores(processCores)],
  ['memory of each process', ({ processBytes }) => bytes(processBytes)],
  ['PostgreSQL: cores for messages', ({ databaseCores }) => cores(databaseCores.sends)],
  ['PostgreSQL: cores for history and search', ({ databaseCores }) => cores(databaseCores.reads)],
  ['event log of `RESUME_WINDOW`', ({ logBytes, logHours }) => `${bytes(logBytes)} (${logHours} h)`],
  ['messages of a day at this rate', ({ messageBytesPerDay }) => bytes(messageBytesPerDay)],
  ['Redis', redisOf],
  ['messages out of Redis a second', ({ redisPerSecond }) => (redisPerSecond > 0 ? count(redisPerSecond) : '–')],
  ['bandwidth of sockets', ({ frameBitsPerSecond }) => bits(frameBitsPerSecond)],
  ['bandwidth of calls', ({ callBitsPerSecond }) => bits(callBitsPerSecond)],
  ['cores of the SFU', ({ sfuCores }) => cores(sfuCores)],
  ['a process dies: sockets open again after', ({ takeOverSeconds: s }) => (s > 0 ? seconds(s) : 'its restart')],
  ['all sessions are lost: everybody is back after', ({ loginSeconds }) => seconds(loginSeconds)],
  ['ends first', ({ ends: [end] }) => endOf(end)],
]

function assumptions({ messages, receivers, pages, searches, inCalls, callMembers }: Habits, units: Units): string {
  const { measuredFrom, measuredTo, machines } = units
  return (
    `Assumed for the busiest hour: each person sends ${messages} messages to ${receivers} people online, opens ` +
    `${pages} pages of history and searches ${searches} ×; ${inCalls} % are in calls of ${callMembers} over the SFU. ` +
    `Cores are half busy. A primary of PostgreSQL has at most ${PRIMARY_CORES_MAX} cores, and presence takes at ` +
    `most ${PRESENCE_BYTES_MAX / 1024 ** 3} GiB of a process. Unit costs from ${measuredFrom} to ${measuredTo}` +
    `${machines.length > 0 ? ` (${machines.join('; ')})` : ''}, with load and database on the same cores: upper bounds.`
  )
}

/** The plan for a number of people, as text. */
export function planOf(online: number, habits: Habits = HABITS, units: Units = readUnits()): string {
  const needs = needsOf(online, habits, units)
  const lines = ROWS.map(([name, value]): [string, string] => [name, value(needs)])
  const width = Math.max(...lines.map(([name]) => name.length))
  const later = needs.ends.slice(1).map((end) => `${'then'.padEnd(width)}  ${endOf(end)}`)
  return [
    `${online.toLocaleString('en')} people online`,
    '',
    ...lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    ...later,
    '',
    assumptions(habits, units),
    'Calculated, not run. docs/scaling.md says what was run.',
  ].join('\n')
}

/** docs/scaling.md with its table printed anew. */
export function scalingPage(): string {
  const page = readFileSync(PAGE, 'utf8')
  const [before = '', rest] = page.split(START)
  const after = rest?.split(STOP)[1]
  if (after === undefined) throw new Error('docs/scaling.md has lost the lines around its printed part.')
  const units = readUnits()
  const all = SIZES.map((size) => needsOf(size, HABITS, units))
  const head = ['people online', ...SIZES.map((size) => size.toLocaleString('en'))]
  const table = tableOf([head, ...ROWS.map(([name, value]) => [name, ...all.map(value)])])
  return `${before}${START}\n\n${table}\n\n${assumptions(HABITS, units)}\n\n${STOP}${after}`
}

/** Prints the table into docs/scaling.md. */
export const writeScalingPage = (): void => writeFileSync(PAGE, scalingPage())
