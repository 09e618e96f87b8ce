import type { Browser } from 'playwright-core'
import type { Parley } from '../../../../src/parley.ts'
import { browserTest } from '../visitor.ts'

/** A sequence of what people do. It is written once; each browser has a test file that runs it. */
export interface Story {
  /** The title of the test. */
  claim: string
  run(browser: Browser, parley: Parley): Promise<void>
}

/** Makes a test of each story, in this browser. */
export function tellStories(browser: Browser | undefined, parley: Parley, stories: Story[]): void {
  for (const { claim, run } of stories) browserTest(browser, claim, (running) => run(running, parley))
}
