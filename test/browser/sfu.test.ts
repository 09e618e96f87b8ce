import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import type { RouterContext } from '../../src/voice/sfu/router-context.ts'
import type { Sfu } from '../../src/voice/sfu/sfu.ts'
import { BROWSER_MS, launchChromium } from '../support/browser/chromium.ts'
import { gather, Member, openSfu, servePage } from '../support/browser/sfu.ts'
import { until } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'

let browser: Browser
let sfu: Sfu
let page: Awaited<ReturnType<typeof servePage>>
let channels = 0

beforeAll(async () => {
  sfu = await openSfu()
  browser = await launchChromium()
  page = await servePage()
}, WORKER_MS)
afterAll(async () => {
  await browser?.close()
  await sfu?.stop()
  page?.stop(true)
})

/** Two people in a separate room. */
async function pair() {
  const happened = gather()
  const channel_id = ++channels
  const room = await sfu.room(channel_id, happened.tell)
  const [alice, bob] = await Promise.all(['alice', 'bob'].map((id) => Member.open(browser, page.url.origin, id, room)))
  if (!alice || !bob) throw new Error('both were opened')
  const end = async () => {
    room.close()
    await Promise.all([alice, bob].map((member) => member.page.close()))
  }
  return { channel_id, room, happened, alice, bob, end }
}

test(
  'sound and video arrive once the consumer is resumed, and the active speaker is announced',
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

test(
  'nobody hears a muted member, whatever it commands, until released; its own pause stays',
  async () => {
    const { alice, bob, room, happened, end } = await pair()
    await Promise.all([alice.join(), bob.join()])
    const producerId = await alice.send('microphone')
    const consumer = await bob.receive(producerId)
    await bob.hears(consumer)
    const peer = room.member('alice')
    // Concurrently, like commands of two people.
    await Promise.all([
      peer.pauseProducer(producerId, false),
      peer.hold(['microphone']),
      peer.pauseProducer(producerId, false),
    ])
    // The browser fades the last sound out.
    await until(async () => (await bob.energyWithin(consumer, 1500)) === 0)
    expect(happened.of('producer_paused')).toHaveLength(1)
    // A new producer is muted as well.
    const again = await alice.send('microphone')
    expect(happened.of('producer_closed').map(({ producer }) => producer.producer_id)).toEqual([producerId])
    const anew = await bob.receive(again)
    expect(await bob.energyWithin(anew, 1500)).toBe(0)
    await peer.pauseProducer(again, true)
    await peer.hold([])
    expect(happened.of('producer_resumed')).toEqual([])
    expect(await bob.energyWithin(anew, 1000)).toBe(0)
    await peer.pauseProducer(again, false)
    await bob.hears(anew)
    await end()
  },
  BROWSER_MS,
)

test(
  'a consumer of simulcast video gets its preferred layer',
  async () => {
    const { alice, bob, happened, end } = await pair()
    await Promise.all([alice.join(), bob.join()])
    const seen = await bob.receive(await alice.send('camera'))
    const shows = (height: number) => until(async () => (await bob.arrived(seen)).height === height)
    await shows(480)
    await bob.room.member('bob').setPreferredLayers(seen, { spatialLayer: 0 })
    await shows(120)
    const layers = happened.of('consumer_layers')
    expect(layers.map(({ to, consumer_id }) => [to, consumer_id])).toContainEqual(['bob', seen])
    await until(() => happened.of('consumer_layers').at(-1)?.layers?.spatialLayer === 0)
    await end()
  },
  BROWSER_MS,
)

/** The number of a VP8 picture in an RTP packet without contributors, and whether it has an index. RFC 7741, §4.2. */
function pictureIn(packet: Buffer): { number: number; hasIndex: boolean; isKey: boolean } {
  const at = 12 + ((packet[0] ?? 0) & 0x10 ? 4 + 4 * packet.readUInt16BE(14) : 0)
  const [first = 0, extensions = 0] = packet.subarray(at)
  // The number always has two bytes after mediasoup.
  const number = packet.readUInt16BE(at + 2) & 0x7fff
  const header = at + 4 + (extensions & 0x40 ? 1 : 0) + (extensions & 0x30 ? 1 : 0)
  const isBeginning = (first & 0x1f) === 0x10
  return { number, hasIndex: (extensions & 0xc0) === 0xc0, isKey: isBeginning && ((packet[header] ?? 1) & 1) === 0 }
}

test(
  'a viewer who changes the size of a camera gets pictures whose numbers go on',
  async () => {
    const { alice, room, end } = await pair()
    await alice.join()
    const producerId = await alice.send('camera')
    const { router } = Reflect.get(room, 'context') as RouterContext
    const transport = await router.createDirectTransport()
    const consumer = await transport.consume({ producerId, rtpCapabilities: router.rtpCapabilities })
    const pictures: ReturnType<typeof pictureIn>[] = []
    consumer.on('rtp', (packet) => pictures.push(pictureIn(packet)))
    for (const spatialLayer of [1, 0, 1, 0]) {
      await consumer.setPreferredLayers({ spatialLayer })
      const before = pictures.length
      await until(
        () =>
          consumer.currentLayers?.spatialLayer === spatialLayer && pictures.slice(before).some(({ isKey }) => isKey),
      )
    }
    expect(pictures.filter(({ hasIndex }) => !hasIndex)).toEqual([])
    const numbers = [...new Set(pictures.map(({ number }) => number))]
    const steps = numbers.slice(1).map((number, at) => (number - (numbers[at] ?? 0)) & 0x7fff)
    expect(Math.max(...steps)).toBeLessThan(100)
    await end()
  },
  BROWSER_MS,
)

test(
  'a screen is seen, and a member’s producers close when it leaves',
  async () => {
    const { alice, bob, room, happened, end } = await pair()
    await Promise.all([alice.join(), bob.join()])
    const screen = await alice.send('screen')
    const seen = await bob.receive(screen)
    await bob.sees(seen, 5)
    room.member('alice').close()
    await until(() => happened.of('consumer_closed').length > 0)
    expect(happened.of('producer_closed').map(({ producer }) => producer.source)).toEqual(['screen'])
    expect(happened.of('consumer_closed')).toEqual([{ type: 'consumer_closed', to: 'bob', consumer_id: seen }])
    expect(() => room.member('alice')).toThrow('Not found')
    expect(room.producers()).toEqual([])
    expect(room.streams()).toBe(0)
    await end()
  },
  BROWSER_MS,
)

test(
  'if UDP is blocked, media go by TCP, and go on after an ICE restart',
  async () => {
    const { alice, bob, end } = await pair()
    await Promise.all([alice.join('tcp'), bob.join('tcp')])
    const consumer = await bob.receive(await alice.send('microphone'))
    await bob.hears(consumer)
    await Promise.all([alice.restartIce(), bob.restartIce()])
    await Bun.sleep(500)
    await bob.hears(consumer)
    await end()
  },
  BROWSER_MS,
)

test(
  'a worker killed in a call is replaced: its members rejoin, and sound arrives again within 3 s',
  async () => {
    const { channel_id, alice, bob, happened, end } = await pair()
    await Promise.all([alice.join(), bob.join()])
    await bob.hears(await bob.receive(await alice.send('microphone')))
    const [pid = 0] = sfu.pids()
    const killed = performance.now()
    process.kill(pid, 'SIGKILL')
    await until(() => happened.of('reset').length > 0)
    // Clients do the same: they join the channel's new room from the beginning.
    const anew = await sfu.room(channel_id, happened.tell)
    for (const member of [alice, bob]) member.room = anew
    await Promise.all([alice.join(), bob.join()])
    await bob.hears(await bob.receive(await alice.send('microphone')), 3000)
    expect(performance.now() - killed).toBeLessThan(3000)
    expect(happened.of('reset')).toHaveLength(1)
    expect(sfu.pids()).not.toContain(pid)
    await end()
  },
  BROWSER_MS,
)
