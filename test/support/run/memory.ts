import { constants, accessSync, readFileSync, statfsSync } from 'node:fs'

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm'
/** 22 mixed files filled 1 GB, databases kept. The rest is for a whole run, not measured, and its processes; bytes. */
const FREE_MIN_BYTES = 10 * 1024 ** 3

/**
 * A directory in memory for what a run writes, where there is room: a disk's file system takes longer to make and to
 * delete the many small files of databases than these take to be filled.
 */
export function directoryInMemory(): string | undefined {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY)
    const [, availableKb] = /^MemAvailable: *(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? []
    const free = Math.min(bavail * bsize, Number(availableKb ?? 0) * 1024)
    // Tests start programs from there.
    return mount && !/\bnoexec\b/.test(mount) && free >= FREE_MIN_BYTES ? MEMORY : undefined
  } catch {
    return undefined
  }
}
