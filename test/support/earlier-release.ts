import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MigrationKind, kindOf } from '../../src/database/migration-kinds.ts'

const root = join(import.meta.dir, '../..')

/** The line of that release's harness after which a server runs. */
const STARTED = '  for (const { method, path, hooks } of parley.routes)'

/** @returns undefined if git fails: without a history, for instance */
function git(...args: string[]): string | undefined {
  const { exitCode, stdout } = Bun.spawnSync(['git', ...args], { cwd: root, stderr: 'ignore' })
  return exitCode === 0 ? stdout.toString().trim() : undefined
}

/** The migrations of this version after one, with their kinds. */
export function migrationsAfter(landed: string): { name: string; kind: MigrationKind }[] {
  const names = readdirSync(join(root, 'sql')).filter((name) => /^\d{4}_\w+\.sql$/.test(name) && name > landed)
  return names.sort().map((name) => ({ name, kind: kindOf(readFileSync(join(root, 'sql', name), 'utf8')) }))
}

/**
 * The newest commit whose last migration is this one: the program of the release that landed with it.
 * @returns undefined where the clone does not have it
 */
export function commitBefore(landed: string): string | undefined {
  const isLast = (commit: string) => {
    const names = git('ls-tree', '--name-only', commit, 'sql/')?.match(/\d{4}_\w+\.sql/g) ?? []
    return names.sort().at(-1) === landed
  }
  const commits = git('log', '--format=%H', '--', 'sql')?.split('\n') ?? []
  const later = commits.findLast((commit) => {
    const added = git('show', '--first-parent', '--format=', '--name-only', '--diff-filter=A', commit, '--', 'sql')
    return added?.match(/\d{4}_\w+\.sql/g)?.some((name) => name > landed)
  })
  return [later ? `${later}^` : 'HEAD'].find(isLast)
}

/**
 * Unpacks the program and the tests of a commit. Each server that its tests start gets this version's schema at once,
 * as when a server of this version starts next to it.
 * @returns the directory; undefined if its packages are others than this version's
 */
export function unpackBeside(commit: string): string | undefined {
  if (git('diff', '--quiet', commit, '--', 'bun.lock') === undefined) return undefined
  const directory = mkdtempSync(join(tmpdir(), 'earlier-'))
  const unpack = 'git archive "$1" | tar -x -C "$2"'
  const { exitCode } = Bun.spawnSync(['bash', '-o', 'pipefail', '-c', unpack, 'bash', commit, directory], { cwd: root })
  if (exitCode !== 0) return undefined
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  const harness = join(directory, 'test/support/harness.ts')
  const before = readFileSync(harness, 'utf8')
  if (!before.includes(STARTED)) throw new Error(`The harness of ${commit} has no line to add the next schema at`)
  const next = JSON.stringify(join(import.meta.dir, 'next-schema.ts'))
  const upgrade = `  await (await import(${next})).bringUp(common.DATABASE_URL)\n`
  writeFileSync(harness, before.replace(STARTED, upgrade + STARTED))
  return directory
}
