import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import type { Media } from '../src/features/voice/media.ts'
import { BROWSER_MS, launchChromium } from './browser/chromium.ts'
import { gather, Member, openSfu, servePage } from './browser/sfu.ts'
import { until } from './harness.ts'
import { WORKER_MS } from './media-worker.ts'

let browser: Browser
let media: Media
let page: Awaited<ReturnType<typeof servePage>>
let channels = 0

beforeAll(async () => {
  media = await openSfu()
  browser = await launchChromium()
  page = await servePage()
}, WORKER_MS)
afterAll(async () => {
  await browser?.close()
  await media?.stop()
  page?.stop(true)
})

/** Two people in a room of its own. */
async function pair() {
  const happened = gather()
  const channel_id = ++channels
  const room = await media.room(channel_id, happened.tell)
  const [alice, bob] = await Promise.all(['alice', 'bob'].map((id) => Member.open(browser, page.url.origin, id, room)))
  if (!alice || !bob) throw new Error('both were opened')
  const end = async () => {
    room.close()
    await Promise.all([alice, bob].map((member) => member.page.close()))
  }
  return { channel_id, room, happened, alice, bob, end }
}

test(
  'sound and pictures of one arrive at the other, none before it says that it is ready, and who speaks is told',
  async () => {
    const { alice, bob, happened, end } = await pair()
    await Promise.all([alice.join(), bob.join()])
    const microphone = await alice.send('microphone')
    const camera = await alice.send('camera')
    expect(happened.of('producer_new').map(({ producer }) => producer)).toEqual([
      { producer_id: microphone, voice_session_id: 'alice', kind: 'audio', source: 'microphone' },
      { producer_id: camera, voice_session_id: 'alice', kind: 'video', source: 'camera' },
    ])
    const waiting = await bob.take(microphone)
    expect(await bob.energyWithin(waiting, 1500)).toBe(0)
    await bob.room.peer('bob').pauseConsumer(waiting, false)
    await bob.hears(waiting)
    await bob.sees(await bob.receive(camera), 20)
    await until(
      () => happened.of('active_speaker').some(({ voice_session_id }) => voice_session_id === 'alice'),
      10_000,
    )
    await end()
  },
  BROWSER_MS,
)
