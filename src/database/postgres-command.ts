import { spawn } from 'node:child_process'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isRoot, NOBODY, type PostgresUser } from './postgres-user.ts'

/** A command and its arguments. */
type Command = [string, string[]]

/**
 * How PostgreSQL's programs run:
 * - `direct`: as the user, without capabilities; from root only if that user may enter every directory
 * - `mounts`: the same in a separate mount namespace, where directories that the user may not enter are empty, and the
 * needed ones are mounted again at their paths
 * - `capability`: as the user, with one capability to search directories that the user may not enter
 */
export type Way = 'direct' | 'mounts' | 'capability'

export class PostgresCommands {
  readonly #binds: string[]

  /**
   * @param way how the programs run
   * @param covers the topmost directories that the user may not enter
   */
  private constructor(
    readonly way: Way,
    readonly covers: string[],
    neededPaths: string[],
    readonly user: PostgresUser,
    private readonly isLastThis = false,
  ) {
    this.#binds = neededPaths.filter((path) => covers.some((cover) => path === cover || path.startsWith(`${cover}/`)))
  }

  /**
   * Finds the way with the fewest rights.
   * @param directories that PostgreSQL reads and writes
   * @param inner directories below these that the user must also enter
   */
  static async open(user: PostgresUser, directories: string[], inner: string[]): Promise<PostgresCommands> {
    if (!isRoot) return new PostgresCommands('direct', [], [], user, await succeeds(withThis('true', [])))
    const neededPaths = [...new Set(directories.flatMap((path) => [path, realpathSync(path)]))]
    const closedPaths = [...new Set([...neededPaths, ...inner].flatMap((path) => closedAbove(path, user.uid) ?? []))]
    const covers = closedPaths.filter((path) => !closedPaths.some((other) => path.startsWith(`${other}/`)))
    if (covers.length === 0) return new PostgresCommands('direct', [], neededPaths, user)
    const mounts = new PostgresCommands('mounts', covers, neededPaths, user)
    const enters = [...neededPaths, ...inner].map((path) => `test -x ${quoted(path)}`).join(' && ')
    const works = !covers.includes('/') && (await succeeds(mounts.of('sh', ['-c', enters])))
    return works ? mounts : new PostgresCommands('capability', covers, neededPaths, user)
  }

  /** The command as PostgreSQL's user. The process id stays the same. */
  of(command: string, args: string[]): Command {
    if (!isRoot) return this.isLastThis ? withThis(command, args) : [command, args]
    if (this.way === 'capability') return switched(this.user, capability(), command, args)
    const plain = switched(this.user, NO_RIGHTS, command, args)
    return this.way === 'mounts' ? inNamespace(this.#script(), plain) : plain
  }

  /**
   * The command as PostgreSQL's user with a name, which initdb requires: in a mount namespace whose /etc/passwd lists
   * it.
   * @param passwd path of a file like /etc/passwd
   */
  asNamedUser(passwd: string, command: string, args: string[]): Command {
    const script = [...this.#script(), `mount --bind ${quoted(passwd)} /etc/passwd`]
    return inNamespace(script, switched(this.user, NO_RIGHTS, command, args))
  }

  /** The command as `nobody`, which has a name on every system, with the capability. */
  asNobody(command: string, args: string[]): Command {
    return switched({ uid: NOBODY, gid: NOBODY }, capability(), command, args)
  }

  #script(): string[] {
    const first = 3
    return [
      'set -e; umask 022',
      ...this.#binds.map((path, at) => `exec ${first + at}<${quoted(path)}`),
      ...this.covers.map((path) => `mount -t tmpfs -o mode=0711,size=1m parley ${quoted(path)}`),
      ...this.#binds.map((path) => `mkdir -p ${quoted(path)}`),
      // The new mount hides the directory itself; -c keeps its link in /proc from being resolved to a path.
      ...this.#binds.map((path, at) => {
        const descriptor = first + at
        return `mount -c --rbind /proc/self/fd/${descriptor} ${quoted(path)}; exec ${descriptor}<&-`
      }),
    ]
  }
}

/** PostgreSQL must stop when Parley ends for any reason: a killed command has no next start that would stop it. */
const DEATH = '--pdeathsig=INT'

const withThis = (command: string, args: string[]): Command => ['setpriv', [DEATH, command, ...args]]

const NO_RIGHTS = ['--inh-caps=-all', '--no-new-privs']

const switched = ({ uid, gid }: PostgresUser, rights: string[], command: string, args: string[]): Command => [
  'setpriv',
  [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', DEATH, ...rights, command, ...args],
]

/** unshare(1) makes mounts private, so that nothing outside sees them. */
const inNamespace = (script: string[], [command, args]: Command): Command => [
  'unshare',
  ['--mount', 'sh', '-c', [...script, 'exec "$@"'].join('\n'), 'sh', command, ...args],
]

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

export const succeeds = ([command, args]: Command): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore' })
    child.once('exit', (code) => resolve(code === 0))
    child.once('error', () => resolve(false))
  })

/** The topmost directory on the path that the user may not enter. */
function closedAbove(path: string, uid: number): string | undefined {
  const way = [path]
  for (let at = path; at !== '/'; at = dirname(at)) way.unshift(dirname(at))
  return way.find((directory) => {
    const stat = statSync(directory)
    // The group belongs to the user and has the same number.
    const bit = stat.uid === uid ? 0o100 : stat.gid === uid ? 0o010 : 0o001
    return (stat.mode & bit) === 0
  })
}

/** Options of setpriv(1) that keep a capability to search directories, if this container has one. */
function capability(): string[] {
  const bounding = BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`)
  // capabilities(7): CAP_DAC_READ_SEARCH is 2, CAP_DAC_OVERRIDE is 1.
  const name = bounding & 4n ? 'dac_read_search' : bounding & 2n ? 'dac_override' : undefined
  // no_setuid_fixup: without it access(2), which initdb uses to find its program, ignores capabilities. execve keeps
  // the ambient capability.
  return name ? [`--inh-caps=+${name}`, `--ambient-caps=+${name}`, '--securebits=+no_setuid_fixup'] : []
}
