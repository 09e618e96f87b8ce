import { appendFileSync, chmodSync, mkdtempSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The directory for temporary files of whoever started the tests: what is kept there stays. */
export const OUTSIDE = (process.env.PARLEY_TEST_OUTSIDE ??= tmpdir())

let directory: string | undefined

/**
 * Starts a small process that ends what this process leaves behind, however it ends, SIGKILL included: every process
 * with this process's TMPDIR in its environment, and that directory.
 * Bun.spawn hands on the environment in which Bun itself began: what it starts needs `env: process.env` to be ended.
 * @returns the directory, which is this process's TMPDIR from now on
 */
export function leaveNothing(): string {
  if (directory !== undefined) return directory
  // Short: such directories nest four deep, and a Unix socket's path has 107 bytes.
  directory = mkdtempSync(join(tmpdir(), 'pt-'))
  // bun test kills its own children when a test times out: the shell between ends at once, and the reaper is no child.
  const start = 'mkfifo "$2/alive" && { $(command -v setsid) sh "$1" "$2" </dev/null & }'
  Bun.spawnSync(['sh', '-c', start, 'sh', join(import.meta.dir, 'reaper.sh'), directory], {
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  // Stays open until the kernel closes it, and waits until the reaper reads.
  openSync(join(directory, 'alive'), 'w')
  // Processes that tests start as another user are descendants.
  chmodSync(directory, 0o711)
  process.env.TMPDIR = directory
  return directory
}

/** Lets that process remove network namespaces too. Call before they are made. */
export const leaveNoNamespace = (...names: string[]): void =>
  appendFileSync(join(leaveNothing(), 'namespaces'), `${names.join('\n')}\n`)

/** Removes network namespaces that may be there. */
export function removeNamespaces(...names: string[]): void {
  if (!Bun.which('ip')) return
  for (const name of names) Bun.spawnSync(['ip', 'netns', 'del', name], { stderr: 'ignore' })
}
