import { createHash } from 'node:crypto'
import { closeSync, constants, fchmodSync, fchownSync, fstatSync, lchownSync, lstatSync, mkdirSync } from 'node:fs'
import { openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, messageOf, RefusesToBoot } from '../core/errors.ts'

/** Released versions ran PostgreSQL as `nobody` when started by root. */
export const NOBODY = 65534
/** User ids that root may assign to a PostgreSQL; the second range is for containers with 65,536 ids. */
const RANGES = [
  { first: 1_900_000_000, count: 100_000_000 },
  { first: 30_000, count: 30_000 },
]
/** Candidate ids per cluster. */
const CHOICES = 8

export const isRoot = process.getuid?.() === 0

/** The user that PostgreSQL runs as. If root starts it, it gets a separate user and group id without a name. */
export interface PostgresUser {
  uid: number
  gid: number
}

/**
 * Chooses the user of a cluster. The cluster's path determines a few ids: PostgreSQL keeps the id that owns the
 * cluster, or gets the first unused one.
 * @param cluster the resolved path
 */
export function postgresUserOf(cluster: string): PostgresUser {
  if (!isRoot) return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const range = RANGES.find(({ first, count }) => isMapped('uid', first, count) && isMapped('gid', first, count))
  if (!range) return { uid: NOBODY, gid: NOBODY }
  const choices = Array.from({ length: CHOICES }, (_, at) => {
    const digest = createHash('sha256').update(`${cluster} ${at}`).digest()
    return range.first + (digest.readUInt32BE() % range.count)
  })
  const owner = ownerOf(cluster)
  const takenIds = owner !== undefined && choices.includes(owner) ? undefined : usedIds()
  const chosenId = takenIds ? choices.find((id) => !takenIds.has(id)) : owner
  if (chosenId === undefined) throw new RefusesToBoot(`There is no free user id for the PostgreSQL in ${cluster}.`)
  return { uid: chosenId, gid: chosenId }
}

/** True if root may have created files under this id for a PostgreSQL: nobody, or an id of the high range. */
const isFormerUser = (uid: number): boolean =>
  uid === NOBODY || RANGES.slice(0, 1).some(({ first, count }) => uid >= first && uid < first + count)

export function ownerOf(path: string): number | undefined {
  try {
    return lstatSync(path).uid
  } catch {
    return undefined
  }
}

/** True if this user namespace maps the ids (user_namespaces(7): inside, outside, count). */
function isMapped(kind: 'uid' | 'gid', first: number, count: number): boolean {
  const lines = readOrEmpty(`/proc/self/${kind}_map`).trim().split('\n')
  return lines.some((line) => {
    const [inside = 0, , length = 0] = line.trim().split(/\s+/).map(Number)
    return inside <= first && first + count <= inside + length
  })
}

/** The ids with a name, and those of all processes. */
function usedIds(): Set<number> {
  const ids = ['/etc/passwd', '/etc/group'].flatMap((file) =>
    [...readOrEmpty(file).matchAll(/^[^:\n]*:[^:\n]*:(\d+)/gm)].map(([, id]) => Number(id)),
  )
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [, uids = ''] = /^Uid:\s*(.*)$/m.exec(readOrEmpty(`/proc/${pid}/status`)) ?? []
    ids.push(...uids.split(/\s+/).map(Number))
  }
  return new Set(ids)
}

/** True if a process is a PostgreSQL. A zombie has no command line. */
export const runsPostgres = (pid: number): boolean => /^[^\0]*\bpostgres\0/.test(readOrEmpty(`/proc/${pid}/cmdline`))

/** The name of this process's user, for `peer`; undefined if it has none. */
export function userName(): string | undefined {
  const uid = process.getuid?.()
  const userLines = readOrEmpty('/etc/passwd').split('\n')
  const [ownFields] = userLines.map((line) => line.split(':')).filter(([, , id]) => id === String(uid))
  if (ownFields?.[0]) return ownFields[0]
  // Not userInfo(): Bun reads the name from $USER, which anyone can set.
  if (!Bun.which('id')) return undefined
  const { stdout, success } = Bun.spawnSync(['id', '-un'])
  return (success && stdout.toString().trim()) || undefined
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** @throws RefusesToBoot */
export function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new RefusesToBoot(`DATA_DIR is not usable: ${messageOf(error)}.`)
  }
}

/**
 * Creates a directory that belongs to `uid`, or takes over one that root's PostgreSQL had under another id.
 * @returns true if it belonged to another id
 * @throws RefusesToBoot if the directory belongs to someone else: the socket's directory may lie in the temporary
 * directory
 */
export function claimDirectory(directory: string, uid: number, gid: number, mode: number): boolean {
  makeDirectory(directory)
  const file = openDirectory(directory)
  try {
    const owner = fstatSync(file).uid
    if (owner !== process.getuid?.() && owner !== uid && !(isRoot && isFormerUser(owner)))
      throw new RefusesToBoot(`${directory} belongs to another user (id ${owner}).`)
    if (isRoot) fchownSync(file, uid, gid)
    fchmodSync(file, mode)
    return owner !== uid
  } finally {
    closeSync(file)
  }
}

/** Does not follow links: another user could have put one into the temporary directory. */
function openDirectory(directory: string): number {
  try {
    return openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOTDIR' || code === 'ELOOP') throw new RefusesToBoot(`${directory} is not a directory.`)
    throw new RefusesToBoot(`${directory} belongs to another user (id ${ownerOf(directory)}).`)
  }
}

/**
 * Gives everything below a directory to the user: files of a released version, of a copy, or of a restore as root.
 * Changes the owner of each directory before reading it, so that its former owner cannot interfere.
 * @throws RefusesToBoot if a file must not change its owner
 */
export function giveTree(directory: string, { uid, gid }: PostgresUser): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (!stat) continue
    if (stat.isSymbolicLink()) demandOwner(path, uid)
    else if (stat.uid !== uid) {
      if (!isRoot)
        throw new RefusesToBoot(
          `${path} belongs to another user (id ${stat.uid}): chown -R ${uid}:${gid} ${directory}.`,
        )
      // A hard link may be another name of a file that its owner may not write.
      if (stat.nlink > 1 && !stat.isDirectory())
        throw new RefusesToBoot(`${path} is a hard link: copy the cluster without them.`)
      lchownSync(path, uid, gid)
    }
    if (stat.isDirectory()) giveTree(path, { uid, gid })
  }
}

/** The target of a link keeps its owner: another user may have made the link. */
function demandOwner(link: string, uid: number): void {
  const owner = statSync(link, { throwIfNoEntry: false })?.uid
  if (owner !== undefined && owner !== uid)
    throw new RefusesToBoot(`${link} points to another user's file (id ${owner}): chown -R ${uid}:${uid} it.`)
}
