import { createHash } from 'node:crypto'
import {
  chmodSync,
  lchownSync,
  lstatSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs'
import { renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from './errors.ts'
import { programFile } from './program.ts'

/** Native programs packed into the executable. They can only run from files, so they are unpacked first. */
type Pack = 'postgres' | 'media'

/** A file of a pack; its content begins at byte `start` of the unpacked data. */
interface PackedFile {
  path: string
  sha256: string
  start: number
  bytes: number
  isProgram: boolean
}

/** Lists the contents of a pack; paths are relative. */
interface Contents {
  files: PackedFile[]
  /** Symbolic links. */
  links: { path: string; target: string }[]
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
/** Paths of a pack's list and data inside the executable. */
const insideOf = (pack: Pack) => ({ list: `packed/${pack}-files.json`, bytes: `packed/${pack}.zst` })

/**
 * Packs files for the executable.
 * @param directory folder of the files
 * @param paths their relative paths; symbolic links stay links
 * @returns the files of the pack, by their path in the executable
 */
export async function packed(pack: Pack, directory: string, paths: string[]): Promise<[string, Uint8Array][]> {
  const contents: Contents = { files: [], links: [] }
  const parts: Uint8Array[] = []
  let start = 0
  for (const path of paths.toSorted()) {
    const from = join(directory, path)
    const target = linkTarget(from)
    if (target !== undefined) {
      contents.links.push({ path, target })
      continue
    }
    const content = readFileSync(from)
    const isProgram = (statSync(from).mode & 0o100) !== 0
    contents.files.push({ path, sha256: sha256(content), start, bytes: content.length, isProgram })
    parts.push(content)
    start += content.length
  }
  const inside = insideOf(pack)
  return [
    [inside.list, Buffer.from(JSON.stringify(contents))],
    [inside.bytes, await Bun.zstdCompress(Buffer.concat(parts), { level: ZSTD_LEVEL })],
  ]
}

/** Takes 1 s per pack. Level 19 saves 6 MB and takes half a minute. */
const ZSTD_LEVEL = 9

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/**
 * Unpacks a pack unless it is already unpacked and complete. The directory is renamed into place when it is complete;
 * its name contains a hash of the content.
 * @param home parent directory
 * @returns undefined if this is no executable, or one without this pack
 */
export async function unpacked(pack: Pack, home: string): Promise<string | undefined> {
  const inside = insideOf(pack)
  if (!existsSync(programFile(inside.list))) return undefined
  const list = readFileSync(programFile(inside.list))
  const directory = join(home, `${pack}-${sha256(list).slice(0, 16)}`)
  const contents: Contents = JSON.parse(list.toString())
  if (isWhole(directory, contents)) return directory
  const isNew = lstatSync(home, { throwIfNoEntry: false }) === undefined
  makeDirectory(home)
  // Refuse a link made by the server's user: root would change the owner of its target.
  if (!lstatSync(home).isDirectory()) throw new Error(`${home} is no directory`)
  // When root runs an operator's command, the files must belong to the server's user.
  const { uid, gid } = statSync(dirname(home))
  if (isNew && process.getuid?.() === 0) lchownSync(home, uid, gid)
  const newDirectory = mkdtempSync(join(home, `new-${pack}-`))
  try {
    write(newDirectory, contents, await Bun.zstdDecompress(readFileSync(programFile(inside.bytes))))
    if (!isWhole(directory, contents)) rmSync(directory, { recursive: true, force: true })
    renameSync(newDirectory, directory)
  } catch (error) {
    rmSync(newDirectory, { recursive: true, force: true })
    // Another process unpacked it first.
    if (codeOf(error) !== 'ENOTEMPTY' || !isWhole(directory, contents)) throw error
  }
  return directory
}

/** Removes the packs of other versions, as far as this user may. Call only when none of their programs run. */
export function removeOthers(directory: string): void {
  const home = dirname(directory)
  const pack = directory.slice(home.length + 1).split('-')[0] ?? ''
  for (const name of readdirSync(home))
    if (join(home, name) !== directory && (name.startsWith(`${pack}-`) || name.startsWith(`new-${pack}-`)))
      try {
        rmSync(join(home, name), { recursive: true, force: true })
      } catch {
        // Unpacked by root for an operator's command. It only takes space.
      }
}

/** True if the directory has every file of the pack, unchanged. */
const isWhole = (directory: string, { files, links }: Contents): boolean =>
  links.every(({ path, target }) => linkTarget(join(directory, path)) === target) &&
  files.every(({ path, sha256: expected }) => {
    try {
      return sha256(readFileSync(join(directory, path))) === expected
    } catch {
      return false
    }
  })

function write(directory: string, { files, links }: Contents, bytes: Uint8Array): void {
  chmodSync(directory, 0o755)
  const makeAbove = (path: string) => {
    if (dirname(path) === '.') return
    makeAbove(dirname(path))
    makeDirectory(join(directory, dirname(path)))
  }
  for (const { path, start, bytes: length, isProgram } of files) {
    makeAbove(path)
    writeFileSync(join(directory, path), bytes.subarray(start, start + length))
    // chmod overrides the umask: the embedded PostgreSQL may run as another user.
    chmodSync(join(directory, path), isProgram ? 0o755 : 0o644)
  }
  for (const { path, target } of links) {
    makeAbove(path)
    symlinkSync(target, join(directory, path))
  }
}

/** Makes a directory that every user may enter, whatever the umask. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return
  mkdirSync(directory, { recursive: true })
  chmodSync(directory, 0o755)
}
