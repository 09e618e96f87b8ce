import { expect } from 'bun:test'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { type Person, person } from '../support/harness.ts'
import { befriend, write } from '../support/people.ts'

const browser = await openBrowser()
const parley = await bootCalls({ CALLS_ENCRYPTION: 'preferred' })

/** In a page: the browser has no transforms, and so cannot encrypt. */
function withoutTransforms(): void {
  Reflect.deleteProperty(globalThis, 'RTCRtpScriptTransform')
  for (const { prototype } of [RTCRtpSender, RTCRtpReceiver]) Reflect.deleteProperty(prototype, 'createEncodedStreams')
}

/** In a page: counts what its connections receive. */
function countSound(): void {
  const connections: RTCPeerConnection[] = []
  class Watched extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      connections.push(this)
    }
  }
  const sound = async () => {
    const reports = await Promise.all(connections.map((each) => each.getStats()))
    const entries = reports.flatMap((report) => [...report.values()])
    const inbound = entries.filter(({ type, kind }) => type === 'inbound-rtp' && kind === 'audio')
    const sum = (key: string) => inbound.reduce((total, entry) => total + (entry[key] ?? 0), 0)
    return { packets: sum('packetsReceived'), energy: sum('totalAudioEnergy') }
  }
  Object.assign(globalThis, { RTCPeerConnection: Watched, sound })
}

const sound = (visitor: Visitor): Promise<{ packets: number; energy: number }> =>
  visitor.page.evaluate(() => Reflect.get(globalThis, 'sound')())

const hears = (visitor: Visitor, who: Person) =>
  visitor.sees(visitor.page.locator('.participants .speaking', { hasText: who.display_name }))

browserTest(
  browser,
  'where one browser cannot encrypt, both people of a dm are asked, and nothing is heard until both have agreed',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    await befriend(ann, ben)
    const { channel_id } = await write(ann, ben, 'Hello')
    const hers = await Visitor.as(chromium, ann, `/c/${channel_id}`, {}, countSound)
    const his = await Visitor.as(chromium, ben, `/c/${channel_id}`, {}, withoutTransforms)
    await hers.button('Start a call').click()
    await hers.page.getByRole('img', { name: 'End-to-end encrypted' }).waitFor()
    await his.button('Accept').click()
    await his.sees('This browser cannot encrypt calls end to end')
    await his.button('Cancel').click()
    await his.sees('This call needs an app that encrypts it end to end')
    await hers.page.getByRole('img', { name: 'End-to-end encrypted' }).waitFor()
    await his.button('Join the call').click()
    await his.button('Join without encryption').click()
    await hers.sees('Audio and video are not end-to-end encrypted: the app of a member cannot do that.')
    await hers.sees('Nothing is sent or played until you agree.')
    // The member is there, and what it sends arrives, but nothing is played.
    await hers.until(async () => (await sound(hers)).packets > 50)
    expect((await sound(hers)).energy).toBe(0)
    await hers.button('Go on without encryption').click()
    await hears(hers, ben)
    await hears(his, ann)
    await hers.until(async () => (await sound(hers)).energy > 0)
    await hers.sees('Not end-to-end encrypted')
    await hers.misses(hers.button('Go on without encryption'))
    // When the other one is gone, the call is encrypted again, and the next time both are asked anew.
    await his.button('Leave the call').click()
    await hers.page.getByRole('img', { name: 'End-to-end encrypted' }).waitFor()
    await his.button('Join the call').click()
    await his.button('Join without encryption').click()
    await hers.sees('Nothing is sent or played until you agree.')
    await hers.page.getByRole('alert').getByRole('button', { name: 'Leave the call' }).click()
    await his.button('Leave the call').click()
    for (const visitor of [hers, his]) await visitor.leave()
  },
)
