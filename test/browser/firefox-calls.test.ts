import { afterAll, beforeAll } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { openDisplay } from '../support/browser/display.ts'
import { launchFirefox } from '../support/browser/firefox.ts'
import { calls } from '../support/browser/stories/calls.ts'
import { browserTest, openBrowser, runningFor } from '../support/browser/visitor.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { stop } from '../support/harness.ts'
import { mediaWorker, WORKER_MS } from '../support/media-worker.ts'
import { bootRelay } from '../support/turn-client.ts'

const display = await openDisplay()
const firefox = display === undefined ? undefined : await openBrowser(() => launchFirefox(display))
const chromium = firefox && (await openBrowser())
let [whole, withoutSfu] = [undefined as Parley | undefined, undefined as Parley | undefined]

// On a new machine the media worker is built first, which takes longer than a test may.
beforeAll(async () => {
  await mediaWorker()
  if (chromium) [whole, withoutSfu] = await Promise.all([bootCalls(), bootRelay()])
}, WORKER_MS)
afterAll(() => Promise.all([whole, withoutSfu].map((parley) => parley && stop(parley))))

for (const { claim, run } of calls) {
  const servers = () => ({ whole: whole as Parley, withoutSfu: withoutSfu as Parley })
  browserTest(firefox, `Firefox: ${claim}`, (one) => run([one], servers()))
  browserTest(chromium, `Firefox and Chromium: ${claim}`, (other) => run([runningFor(firefox!), other], servers()))
}
