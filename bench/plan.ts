import { parseArgs } from 'node:util'
import { HABITS, planOf, writeScalingPage } from './plan-page.ts'
import type { Habits } from './plan-needs.ts'

const ONLINE_MAX = 1e9

/** Options by name: the habit, its meaning, and its largest value. */
const OPTIONS: Record<string, { habit: keyof Habits; says: string; most: number }> = {
  messages: { habit: 'messages', says: 'messages that a person sends an hour', most: 10_000 },
  receivers: { habit: 'receivers', says: 'people online who receive a message', most: 1_000_000 },
  pages: { habit: 'pages', says: 'pages of history that a person opens an hour', most: 10_000 },
  searches: { habit: 'searches', says: 'searches of a person an hour', most: 10_000 },
  'in-calls': { habit: 'inCalls', says: 'percentage of people in calls over the SFU', most: 100 },
  'call-members': { habit: 'callMembers', says: 'people in each of these calls', most: 500 },
}

const USAGE = [
  'bun run plan --online <people> [option…]: the processes, cores, memory, PostgreSQL, Redis and bandwidth that so',
  'many people need, and the part that ends first. Unit costs come from bench/results: from this machine, if',
  '`bun run bench` ran here. `--write` prints the table of docs/scaling.md instead.',
  '',
  ...Object.entries(OPTIONS).map(
    ([name, { habit, says }]) => `  --${`${name} <number>`.padEnd(24)}${says} (${HABITS[habit]})`,
  ),
].join('\n')

/** The arguments are not a plan; the message says why. */
class NotUnderstood extends Error {}

function numberOf(name: string, text: string, least: number, most: number): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most))
    throw new NotUnderstood(`--${name} is a number from ${least} to ${most.toLocaleString('en')}.`)
  return value
}

function readArguments() {
  const string = { type: 'string' } as const
  const habitOptions = Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, string]))
  const flag = { type: 'boolean' } as const
  const { values } = parseArgs({ options: { online: string, write: flag, help: flag, ...habitOptions } })
  return values as Record<string, string | boolean | undefined>
}

try {
  const { online, write, help, ...others } = readArguments()
  if (help) console.log(USAGE)
  else if (write) writeScalingPage()
  else {
    if (typeof online !== 'string') throw new NotUnderstood('--online is missing.')
    const habits = { ...HABITS }
    for (const [name, { habit, most }] of Object.entries(OPTIONS))
      if (typeof others[name] === 'string') habits[habit] = numberOf(name, others[name], 0, most)
    console.log(planOf(Math.floor(numberOf('online', online, 1, ONLINE_MAX)), habits))
  }
} catch (error) {
  if (!(error instanceof Error)) throw error
  console.error(
    error instanceof NotUnderstood || error instanceof TypeError ? `${error.message}\n\n${USAGE}` : error.message,
  )
  process.exit(2)
}
