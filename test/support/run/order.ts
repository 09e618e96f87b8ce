/** Files that measure times, which others on the machine would change: each runs alone, at the end. */
const ALONE = [/^test\/chaos\//, /^test\/browser\/(voice|nat|sfu|relay)\.test/]

/** Files that take longest begin first. */
const LONGEST = [
  'test/gateway/presence-nodes',
  'test/http/limits/limits',
  'test/cli/admin/installation',
  'test/cluster/nodes',
]

/** Files that need the media worker begin last: on a new machine it is being built meanwhile. */
const NEEDS_WORKER = /^test\/(browser|cli\/doctor|voice\/(sfu|worker|cluster))/

export const isAlone = (file: string): boolean => ALONE.some((pattern) => pattern.test(file))

export const inOrder = (files: string[]): string[] => files.toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))

function place(file: string): number {
  if (NEEDS_WORKER.test(file)) return LONGEST.length + 1
  const at = LONGEST.findIndex((start) => file.startsWith(start))
  return at < 0 ? LONGEST.length : at
}
