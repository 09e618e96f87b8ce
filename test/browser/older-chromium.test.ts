import { expect } from 'bun:test'
import { browserTest, openBrowser } from '../support/browser/visitor.ts'
import { allHear, bootCalls, Caller } from '../support/browser/voice.ts'
import { person, until } from '../support/harness.ts'
import { voiceServer } from '../support/voice-people.ts'

// Chromium before version 141 has no RTCRtpScriptTransform, but createEncodedStreams, which newer ones have as well.

const browser = await openBrowser()
const parley = await bootCalls({ CALLS_ENCRYPTION: 'preferred' })

/** In a page: an older Chromium. Counts its encoded streams. */
function beOlder(): void {
  Reflect.deleteProperty(globalThis, 'RTCRtpScriptTransform')
  const streams = { send: 0, receive: 0 }
  const count = (prototype: object, side: keyof typeof streams) => {
    const create: () => unknown = Reflect.get(prototype, 'createEncodedStreams')
    const counted = function (this: unknown) {
      streams[side]++
      return create.call(this)
    }
    Object.assign(prototype, { createEncodedStreams: counted })
  }
  count(RTCRtpSender.prototype, 'send')
  count(RTCRtpReceiver.prototype, 'receive')
  Object.assign(globalThis, { streams })
}

const streams = (caller: Caller): Promise<{ send: number; receive: number }> =>
  caller.page.evaluate(() => Reflect.get(globalThis, 'streams'))
const isSealed = async (caller: Caller) => (await caller.state()).encryption === 'sealed'

browserTest(
  browser,
  'a browser that has only createEncodedStreams is heard and seen in an encrypted call, directly and over the SFU',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { channel_id } = await voiceServer(ann, ben)
    const older = await Caller.open(chromium, ann, undefined, beOlder)
    const newer = await Caller.open(chromium, ben)
    await older.join(channel_id)
    await newer.join(channel_id)
    await allHear(older, newer)
    await older.film()
    await newer.sees(older, 'camera')
    await newer.film()
    await older.sees(newer, 'camera')
    expect(await Promise.all([isSealed(older), isSealed(newer)])).toEqual([true, true])
    expect((await older.state()).route).toBe('p2p')
    const direct = await streams(older)
    expect(Math.min(direct.send, direct.receive)).toBeGreaterThan(0)
    await older.leave()
    // The SFU, because this connection may only use the relay.
    await older.join(channel_id, { relay_only: true })
    await older.goes('sfu')
    await allHear(older, newer)
    await older.film()
    await newer.sees(older, 'camera')
    await older.sees(newer, 'camera')
    expect(await Promise.all([isSealed(older), isSealed(newer)])).toEqual([true, true])
    await until(async () => (await streams(older)).receive > direct.receive)
    expect((await streams(older)).send).toBeGreaterThan(direct.send)
    expect((await older.state()).faults).toEqual([])
    await Promise.all([older.end(), newer.end()])
  },
)
