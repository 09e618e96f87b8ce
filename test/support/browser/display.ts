import { afterAll } from 'bun:test'
import { debianProgram } from '../debian.ts'

/**
 * Starts a display without a screen, which Firefox needs in order to share one, for a test file.
 * @param size of its screen, pixels
 * @returns its name for DISPLAY; undefined, said loudly, if it cannot be had
 */
export async function openDisplay(size = '1280x800'): Promise<string | undefined> {
  const program = debianProgram('Xvfb', 'xvfb')
  if (program === undefined) return undefined
  const display = Bun.spawn(
    [program, '-displayfd', '1', '-screen', '0', `${size}x24`, '-nolisten', 'tcp', '-noreset'],
    { env: process.env, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  afterAll(() => display.kill())
  // It writes its number once it takes connections, and the end of the line separately: it ends if nobody reads that.
  let number = ''
  for await (const part of display.stdout.pipeThrough(new TextDecoderStream())) {
    number += part
    if (number.endsWith('\n')) return `:${number.trim()}`
  }
  throw new Error('Xvfb has ended')
}
