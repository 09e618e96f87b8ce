import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { mediaFacts } from '../support/browser/call-facts.ts'
import { BROWSER_MS } from '../support/browser/chromium.ts'
import { allHear, Caller } from '../support/browser/voice.ts'
import { person, standard, until } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { Lab } from '../support/nat/lab.ts'
import { voiceServer } from '../support/voice-people.ts'

const lab = Lab.open()
const parley = await standard()
let browsers: [Browser, Browser]

beforeAll(async () => {
  if (lab) browsers = await Promise.all([lab.browser('A'), lab.browser('B')])
}, WORKER_MS)
afterAll(async () => {
  for (const browser of browsers ?? []) await browser.close()
  await lab?.close()
})

test.skipIf(!lab)(
  'lost packets of an encrypted call over the SFU are sent again, and the pictures decode',
  async () => {
    if (!lab) return
    await lab.serve({ CALLS_ENCRYPTION: 'preferred' })
    lab.nat('cone')
    const [first, second] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { channel_id } = await voiceServer(first, second)
    const alice = await Caller.open(browsers[0], first, lab.gatewayOf(first))
    const bob = await Caller.open(browsers[1], second, lab.gatewayOf(second))
    await alice.join(channel_id, { relay_only: true })
    await bob.join(channel_id)
    await allHear(alice, bob)
    // Wide enough for the camera.
    expect(lab.narrow('A', '20mbit', 5)).toBe(true)
    await alice.film()
    await bob.sees(alice, 'camera', 60)
    const video = async ({ page }: Caller, type: string) =>
      (await page.evaluate(mediaFacts)).connections
        .flatMap(({ media }) => media)
        .filter((entry) => entry['kind'] === 'video' && entry['type'] === type)
    // The SFU asks alice for what it misses, and the pictures go on.
    await until(async () => (await video(alice, 'outbound-rtp')).some(({ nackCount }) => Number(nackCount) > 5))
    await bob.sees(alice, 'camera', 60)
    await allHear(alice, bob)
    for (const each of [alice, bob])
      expect(await each.state()).toMatchObject({ route: 'sfu', encryption: 'sealed', faults: [] })
    await Promise.all([alice.end(), bob.end()])
  },
  BROWSER_MS,
)
