import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { packed } from '../../core/packed-files.ts'

/** Libraries that every glibc system has. */
const SYSTEM = /^(ld-linux.*|lib(c|m|dl|rt|pthread))\.so/
/** Libraries that Debian's libsrtp2 loads at run time, through libnss3. */
const NSS = ['libsoftokn3.so', 'libfreeblpriv3.so']

function run(command: string[]): string {
  const { stdout, stderr, success } = Bun.spawnSync(command)
  if (!success) throw new Error(`${command.join(' ')}: ${stderr.toString().trim()}`)
  return stdout.toString()
}

/** Paths of the libraries that a program or library links to, without system libraries. */
const librariesOf = (file: string): string[] =>
  [...run(['ldd', file]).matchAll(/=> (\/\S+)/g)]
    .map(([, path = '']) => path)
    .filter((path) => !SYSTEM.test(basename(path)))

/**
 * Packs a mediasoup-worker with its libraries. Upstream's prebuilt worker needs few; one built here needs those of
 * this machine's Debian.
 * @throws Error if patchelf is missing, which sets the worker's library path
 */
export async function packedWorker(worker: string): Promise<[string, Uint8Array][]> {
  const direct = librariesOf(worker)
  const loaded = direct
    .filter((path) => basename(path) === 'libnss3.so')
    .flatMap((path) => NSS.map((name) => join(dirname(realpathSync(path)), name)))
    .filter((path) => existsSync(path))
  const libraries = new Set([...direct, ...loaded, ...loaded.flatMap(librariesOf)])
  const directory = mkdtempSync(join(tmpdir(), 'worker-'))
  try {
    const copy = join(directory, 'mediasoup-worker')
    copyFileSync(worker, copy)
    if (libraries.size > 0) {
      if (!Bun.which('patchelf'))
        throw new Error('The media worker needs libraries of this machine: apt-get install patchelf')
      // DT_RPATH instead of DT_RUNPATH, because it also applies to the libraries' own dependencies.
      run(['patchelf', '--force-rpath', '--set-rpath', '$ORIGIN/lib', copy])
      mkdirSync(join(directory, 'lib'))
      for (const library of libraries) copyFileSync(library, join(directory, 'lib', basename(library)))
    }
    const names = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    return await packed('media', directory, names)
  } finally {
    rmSync(directory, { recursive: true })
  }
}
