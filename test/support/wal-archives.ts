import { expect } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pieceOf } from '../../src/backup/wal/names.ts'
import type { Parley } from '../../src/parley.ts'
import { startOn } from './backups.ts'
import { stop } from './harness.ts'

type Variables = Record<string, string>

/** A directory for an archive, on which nothing is yet. */
export const archiveDirectory = (): string => join(mkdtempSync(join(tmpdir(), 'archive-')), 'archive')

/** The paths of the files of an archive that match a pattern, in order. */
export const archived = (root: string, pattern: string): string[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: root })].sort().map((path) => join(root, path))

/** Flips a bit in the middle of a file. */
export function damage(path: string): void {
  const bytes = readFileSync(path)
  const place = Math.floor(bytes.length / 2)
  bytes[place] = (bytes[place] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

/** The piece of the WAL that ends the first cycle after a time. */
export function pieceAfter(root: string, time: string): string {
  const path = archived(root, 'lines/*/wal/*.zst').find(
    (file) => (pieceOf(file.split('/').at(-1) ?? '')?.at ?? 0) > Date.parse(time),
  )
  if (path === undefined) throw new Error(`The archive has nothing after ${time}`)
  return path
}

/** The texts of the messages of an installation, in order, as a server on it finds them. */
export async function textsIn(variables: Variables): Promise<string[]> {
  const parley = await startOn({ ...variables, WAL_ARCHIVE: '' })
  try {
    return await textsOf(parley)
  } finally {
    await stop(parley)
  }
}

export async function textsOf({ parts: { sql } }: Parley): Promise<string[]> {
  const rows = await sql<{ content: string }[]>`select content from messages where content <> '' order by id`
  return rows.map(({ content }) => content)
}

/** Takes the disk of the archive away: its empty place stays. */
export function unmount(archive: string): void {
  renameSync(archive, `${archive}.disk`)
  mkdirSync(archive)
}

export function mount(archive: string): void {
  rmSync(archive, { recursive: true })
  renameSync(`${archive}.disk`, archive)
}

/** Nothing is left of a restore that was refused. */
export function expectNothing(directory: string): void {
  expect(readdirSync(join(directory, '..'))).toEqual([])
}
