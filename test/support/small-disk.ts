import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../src/core/errors.ts'
import { dataDirectory } from './spawned.ts'

const MIB = 1024 ** 2

/** A file system of its own, in a mount namespace that lives until the test ends. */
export interface SmallDisk extends AsyncDisposable {
  /** Mount point, for processes that the wrapper starts. */
  directory: string
  /** The same directory as this process sees it. */
  seen_from_outside: string
  /** A command that runs its arguments in the namespace. */
  wrapper: string[]
}

/** Mounts a small file system; undefined where this process may not: only root makes mount namespaces. */
export const smallDisk =
  process.platform === 'linux' && process.getuid?.() === 0 && Bun.which('unshare') && Bun.which('nsenter')
    ? mountTmpfs
    : undefined

/** @param bytes the size of the file system */
async function mountTmpfs(bytes: number): Promise<SmallDisk> {
  const directory = dataDirectory()
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const script = `mount -t tmpfs -o size=${bytes},mode=700 tmpfs "$0" && echo mounted && exec sleep 600`
  const holder = Bun.spawn(['unshare', '--mount', 'sh', '-c', script, directory], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  for await (const _ of holder.stdout) break
  return {
    directory,
    seen_from_outside: join(`/proc/${holder.pid}/root`, directory),
    wrapper: ['nsenter', `--mount=/proc/${holder.pid}/ns/mnt`, '--'],
    async [Symbol.asyncDispose]() {
      holder.kill()
      await holder.exited
    },
  }
}

/** Writes a file until less than this many bytes are free; 0: until not one byte more fits. */
export async function fill(path: string, freeBytes = 0): Promise<void> {
  const file = openSync(path, 'w')
  const isFilled = async () => {
    const { bavail, bsize } = await statfs(join(path, '..'))
    return freeBytes > 0 && bavail * bsize < freeBytes
  }
  for (let bytes = MIB; bytes >= 1 && !(await isFilled()); bytes >>= 1)
    try {
      while (!(await isFilled())) writeSync(file, Buffer.alloc(bytes))
    } catch (error) {
      if (codeOf(error) !== 'ENOSPC') throw error
    }
  closeSync(file)
}
