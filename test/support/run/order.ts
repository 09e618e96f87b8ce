/** Files that measure times or fill the processor, as video does: each runs with nothing else, at the end. */
const BROWSERS =
  'voice|nat|two-machines|sfu|sfu-branches|hand-over|figures|call|direct-calls|firefox-calls|sealed-media|sealed-loss'
const ALONE = new RegExp(`^test/(chaos/|deploy/patroni|browser/(${BROWSERS})\\.test)`)

/** Files that mostly wait, those first that take longest. */
const WAITING = [
  'test/voice/cluster/redis-outage',
  'test/api/proxies',
  'test/cluster/nodes',
  'test/gateway/presence-nodes',
  'test/cluster/leases',
  'test/turn/turn.test',
  'test/database/database-fault',
  'test/gateway/presence.test',
  'test/voice/cluster/',
  'test/features/push/',
  'test/voice/routing/route-switcher',
  'test/features/calls/calls',
  'test/turn/announced-address',
  'test/events/late-events',
  'test/events/notice-listener-recheck',
  'test/http/limits/shifts',
  'test/voice/seat',
  'test/cluster/several-nodes',
  'test/http/limits/limiter-nodes',
  'test/features/webhooks/slow-forms',
]

/** Other files that take long. */
const LONG = [
  'test/outside.test',
  'test/cli/doctor',
  'test/backup/',
  'test/database/postgres-rights',
  'test/cli/admin/',
  'test/boot.test',
  'test/api/documents',
  'test/voice/worker/',
  'test/browser/translated',
  'test/browser/settings',
  'test/browser/screens',
  'test/browser/accessible',
  'test/browser/bots',
  'test/browser/reading',
  'test/browser/search',
  'test/browser/reactions',
  'test/browser/first-steps',
  'test/browser/talking',
  'test/browser/installed',
  'test/browser/story',
  'test/browser/firefox',
]

/** Files that need the media worker begin last: on a new machine it is being built meanwhile. */
const NEEDS_WORKER = new RegExp(
  `^test/(${[
    'browser/',
    'cli/(doctor|release)',
    'discord/(stages|voice/)',
    'support/reaper',
    'voice/(cluster|routing|sfu|stages|worker)/',
    'web/ui/stages',
  ].join('|')})`,
)

/**
 * Files that share nothing but what a bare `bun test` shares too: a server, unless they boot one; and how many have one
 * process. Each more would save less, and what they start lives until its end.
 */
const BATCHED = [
  { files: /^test\/(events|features|gateway|http|storage|web)\//, files_max: 8 },
  { files: /^test\/browser\//, files_max: 3 },
]

/** Files whose servers serve the web client. */
export const isOfBrowsers = (file: string): boolean => file.startsWith('test/browser/')

/** By the beginnings of their paths. */
export const LONGEST = [...WAITING, ...LONG]

export const isAlone = (file: string): boolean => ALONE.test(file)

export const mostlyWaits = (file: string): boolean => WAITING.some((start) => file.startsWith(start))

export const inOrder = (files: string[]): string[] => files.toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))

/**
 * The files of each process, in order: several short files, since loading and starting the server costs more than most
 * of their tests; or one longer file.
 */
export function inBatches(files: string[]): string[][] {
  const batches: string[][] = []
  for (const file of files) {
    const last = batches.at(-1)
    const kind = kindOf(file)
    if (kind && last?.every((each) => kindOf(each) === kind) && last.length < kind.files_max) last.push(file)
    else batches.push([file])
  }
  return batches
}

/** How a file shares its process; undefined for one that takes long, or measures. */
const kindOf = (file: string) =>
  isAlone(file) || LONGEST.some((start) => file.startsWith(start))
    ? undefined
    : BATCHED.find(({ files }) => files.test(file))

function place(file: string): number {
  const at = LONGEST.findIndex((start) => file.startsWith(start))
  return (NEEDS_WORKER.test(file) ? LONGEST.length + 1 : 0) + (at < 0 ? LONGEST.length : at)
}
