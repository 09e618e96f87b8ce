import { expect } from 'bun:test'
import type { Browser } from 'playwright-core'
import { browserTest, openBrowser } from '../support/browser/visitor.ts'
import { allHear, bootCalls, Caller } from '../support/browser/voice.ts'
import { person, until } from '../support/harness.ts'
import { voiceServer } from '../support/voice-people.ts'

// A member's gateway connection breaks while something begins in a call.

const browser = await openBrowser()
const parley = await bootCalls()

/** Two people with a voice channel, each with a page. */
async function callers(chromium: Browser, options: { relay_only?: boolean } = {}) {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { channel_id } = await voiceServer(ann, ben)
  const all = [await Caller.open(chromium, ann), await Caller.open(chromium, ben)] as const
  for (const each of all) await each.join(channel_id, options)
  await allHear(...all)
  return { all, directions: [all, [all[1], all[0]] as const] }
}

/** In a page: its gateway connection breaks in place of its next command with this text. */
function breakBefore(text: string): void {
  const { send } = WebSocket.prototype
  Reflect.set(globalThis, 'hasBroken', false)
  WebSocket.prototype.send = function (frame) {
    if (!String(frame).includes(text)) return send.call(this, frame)
    WebSocket.prototype.send = send
    Reflect.set(globalThis, 'hasBroken', true)
    this.close()
  }
}
const hasBroken = ({ page }: Caller): Promise<boolean> => page.evaluate(() => Reflect.get(globalThis, 'hasBroken'))

browserTest(
  browser,
  'from peer to peer, a camera is seen although the gateway connection breaks before the answer to its offer',
  async (chromium) => {
    const { all, directions } = await callers(chromium)
    for (const [from, to] of directions) {
      await to.page.evaluate(breakBefore, '"type":"answer"')
      await from.film()
      await to.sees(from, 'camera')
      // On a busy machine, the call may have moved to the SFU.
      if ((await to.state()).route === 'p2p') expect(await hasBroken(to)).toBe(true)
    }
    for (const each of all) await each.end()
  },
)

browserTest(
  browser,
  'over the SFU, a camera is seen although the gateway connection of either breaks before it begins',
  async (chromium) => {
    const { all, directions } = await callers(chromium, { relay_only: true })
    const [producing, resuming] = ['"op":"voice.sfu.produce"', '"op":"voice.sfu.resume_consumer"']
    for (const [from, to] of directions)
      for (const [who, text] of [
        [from, producing],
        [to, resuming],
      ] as const) {
        await who.page.evaluate(breakBefore, text)
        await from.film()
        await to.sees(from, 'camera')
        expect(await hasBroken(who)).toBe(true)
        await from.stopFilming()
        await until(async () => (await to.frames(from, 'camera')) === 0)
      }
    for (const each of all) await each.end()
  },
)

for (const [route, options] of [
  ['from peer to peer', {}],
  ['over the SFU', { relay_only: true }],
] as const)
  browserTest(
    browser,
    `${route}, a camera and a screen that end while the gateway connection is broken end for the others`,
    async (chromium) => {
      const { all } = await callers(chromium, options)
      const [ann, ben] = all
      await ann.film()
      await ann.share()
      for (const source of ['camera', 'screen'] as const) await ben.sees(ann, source)
      // Its commands fail from now on, until it has connected again.
      await ann.cut(1_000)
      await ann.stopFilming()
      await ann.stopSharing()
      const peersOf = () => ben.page.evaluate(async () => (await globalThis.caller.facts()).peers)
      await until(async () => (await peersOf()).every(({ camera, sharing_screen }) => !camera && !sharing_screen))
      await until(async () => (await peersOf()).every(({ receives }) => receives.join() === 'microphone'))
      await allHear(ann, ben)
      for (const each of all) await each.end()
    },
  )
