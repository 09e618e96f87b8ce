import { codeOf } from '../../src/core/errors.ts'

const TRIES_MAX = 10

/** Runs a statement that cleans up after a test. Jobs may lock the same rows in another order meanwhile. */
export async function cleanUp(run: () => PromiseLike<unknown>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await run()
      return
    } catch (error) {
      if (codeOf(error) !== '40P01' || tries === TRIES_MAX) throw error
    }
}
