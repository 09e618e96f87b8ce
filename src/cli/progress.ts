import type { Progress } from '../backup/dump.ts'

const LINE_SECONDS = 10
const TERMINAL_SECONDS = 1

/** A size for people. */
export function bytesInWords(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`
}

/**
 * Prints the progress of a backup or restore to stderr, periodically. @returns stops that, and returns the final line
 */
export function showProgress(progress: () => Progress | undefined): () => string {
  const began = Date.now()
  const line = (): string => {
    const { rows = 0, rowBytes = 0, objects = 0, objectBytes = 0 } = progress() ?? {}
    const seconds = Math.max(0.001, (Date.now() - began) / 1000)
    const speed = bytesInWords((rowBytes + objectBytes) / seconds)
    return `${rows} rows (${bytesInWords(rowBytes)}), ${objects} objects (${bytesInWords(objectBytes)}), ${speed}/s`
  }
  const { isTTY } = process.stderr
  const timer = setInterval(
    () => progress()?.rows && process.stderr.write(isTTY ? `\r\u001B[K${line()}` : `${line()}\n`),
    (isTTY ? TERMINAL_SECONDS : LINE_SECONDS) * 1000,
  )
  return () => {
    clearInterval(timer)
    if (isTTY) process.stderr.write('\r\u001B[K')
    return line()
  }
}
