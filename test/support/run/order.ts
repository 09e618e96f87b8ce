/** Files that measure times or take the whole machine: each runs alone, at the end. */
const ALONE = /^test\/(chaos\/|browser\/(voice|nat|sfu|figures|updates)\.test)/

/** Files that take longest begin first. */
const LONGEST = [
  'test/gateway/presence-nodes',
  'test/cli/admin/log',
  'test/cluster/nodes',
  'test/boot.test',
  'test/http/limits/limits',
  'test/cli/admin/installation',
  'test/features/accounts/passwords',
  'test/boot-refusal',
  'test/cluster/leases',
  'test/database/database-fault',
  'test/backup/refusals',
  'test/web/state/store.test',
  'test/gateway/sync.test',
  'test/voice/worker/',
  'test/browser/accessible',
  'test/browser/bots',
  'test/browser/direct-calls',
  'test/browser/reading',
  'test/browser/search',
  'test/browser/reactions',
  'test/browser/first-steps',
  'test/browser/talking',
  'test/browser/installed',
  'test/browser/story',
  'test/browser/settings',
]

/** Files that need the media worker begin last: on a new machine it is being built meanwhile. */
const NEEDS_WORKER = /^test\/(browser\/|cli\/(doctor|release)|support\/reaper|voice\/(cluster|routing|sfu|worker)\/)/

export const isAlone = (file: string): boolean => ALONE.test(file)

export const inOrder = (files: string[]): string[] => files.toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))

function place(file: string): number {
  const at = LONGEST.findIndex((start) => file.startsWith(start))
  return (NEEDS_WORKER.test(file) ? LONGEST.length + 1 : 0) + (at < 0 ? LONGEST.length : at)
}
