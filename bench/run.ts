import { against } from './against.ts'
import { automod } from './automod.ts'
import { bots } from './bots.ts'
import { bounds } from './bounds.ts'
import { calendar } from './calendar.ts'
import { eventLog } from './event-log.ts'
import { fanOut } from './fan-out.ts'
import { files } from './files.ts'
import { history } from './history.ts'
import { imports } from './import.ts'
import { listeners } from './listeners.ts'
import { login } from './login.ts'
import { nodes } from './nodes.ts'
import { openings } from './openings.ts'
import { overwrites } from './overwrites.ts'
import { page } from './page.ts'
import { people } from './people.ts'
import { presence } from './presence.ts'
import { writeScalingPage } from './plan-page.ts'
import { polls } from './polls.ts'
import { replicas } from './replicas.ts'
import { type Figure, record, table } from './report.ts'
import { writeResultsPage } from './results-page.ts'
import { sealing } from './sealing.ts'
import { search } from './search.ts'
import { send } from './send.ts'
import { soak } from './soak.ts'
import { sockets } from './sockets.ts'
import { start } from './start.ts'
import { forums } from './forums.ts'
import { halveMachine } from './half.ts'
import { publicPages } from './public-pages.ts'
import { threads } from './threads.ts'
import { turn } from './turn.ts'
import { use } from './use.ts'
import { voice } from './voice.ts'

const parts: Record<string, () => Promise<Figure[]>> = {
  'fan-out': fanOut,
  send,
  history,
  search,
  people,
  presence,
  forums,
  'public-pages': publicPages,
  threads,
  bounds,
  automod,
  polls,
  overwrites,
  calendar,
  sockets,
  openings,
  bots,
  soak,
  import: imports,
  login,
  start,
  files,
  turn,
  voice,
  listeners,
  sealing,
  page,
  nodes,
  replicas,
  'event-log': eventLog,
  use,
}

const words = process.argv.slice(2)
const commit = words[0] === '--against' ? words[1] : undefined
if (words[0] === '--against' && !commit) {
  console.error('bun run bench --against <commit> [part…]')
  process.exit(1)
}
const selected = commit ? words.slice(2) : words
const unknown = selected.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}
// exit() runs the handler that kills the child processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

if (commit) {
  console.log(await against(commit, selected.length > 0 ? selected : Object.keys(parts)))
  process.exit(0)
}

const started = performance.now()
const all: Figure[] = []
const failed: string[] = []
const slower = process.env['BENCH_HALF'] === '1' ? await halveMachine() : undefined
for (const [name, run] of Object.entries(parts)) {
  if (selected.length > 0 && !selected.includes(name)) continue
  console.error(`${name} …`)
  const begun = performance.now()
  const figures = await run().catch((error: unknown) => {
    console.error(`${name} failed:`, error)
    failed.push(name)
  })
  console.error(`${name}: ${Math.round((performance.now() - begun) / 1000)} s`)
  // The others of a long run are still worth measuring; the results of before stay for this part.
  if (!figures) continue
  // Next to the results of the whole machine.
  if (slower === undefined) record(name, figures)
  else record(`${name}-half`, figures, `, made ${slower.toFixed(2)} × slower`)
  all.push(...figures)
  for (const { note } of figures) if (note) console.error(note)
}
writeResultsPage()
writeScalingPage()
console.log(table(all))
const seconds = Math.round((performance.now() - started) / 1000)
console.log(`\n${seconds} s; every value is a median; results in bench/results/, bench/README.md and docs/scaling.md`)
if (failed.length > 0) console.error(`Failed, with the results of before: ${failed.join(', ')}`)
process.exit(failed.length > 0 ? 1 : 0)
