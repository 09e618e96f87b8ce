import { expect } from 'bun:test'
import type { Browser } from 'playwright-core'
import type { Parley } from '../../../../src/parley.ts'
import { type Person, person, until } from '../../harness.ts'
import { voicePair, voiceServer } from '../../voice-people.ts'
import { inCall, keepMedia } from '../call-facts.ts'
import { Visitor } from '../visitor.ts'
import { allHear, Caller } from '../voice.ts'

/** A call of several people. It is written once, for each combination of browsers. */
export interface CallStory {
  /** The title of the test, after the names of the browsers. */
  claim: string
  /** @param browsers those of the people, in order; the first again after the last */
  run(browsers: [Browser, ...Browser[]], servers: Servers): Promise<void>
}

interface Servers {
  /** With an SFU and TURN. */
  whole: Parley
  /** With TURN only. */
  withoutSfu: Parley
}

/** The packets of two voices in a second. */
const PACKETS = 100
const NAMES = ['ann', 'ben', 'cleo']

const browserOf = (browsers: [Browser, ...Browser[]], at: number): Browser =>
  browsers[at % browsers.length] ?? browsers[0]

/** People with a voice channel, each with a page, in a call of which everyone hears everyone. */
async function gather(browsers: [Browser, ...Browser[]], parley: Parley, count: number, options = {}) {
  const people = await Promise.all(NAMES.slice(0, count).map((name) => person(parley, name)))
  const [owner, ...others] = people
  const { channel_id } = await voiceServer(owner!, ...others)
  const callers = await Promise.all(people.map((who, at) => Caller.open(browserOf(browsers, at), who)))
  for (const caller of callers) await caller.join(channel_id, options)
  await allHear(...callers)
  const [ann, ben] = callers as [Caller, Caller]
  return { callers, ann, ben, directions: [[ann, ben] as const, [ben, ann] as const] }
}

async function end(...callers: Caller[]): Promise<void> {
  for (const caller of callers) {
    expect((await caller.state()).faults).toEqual([])
    await caller.end()
  }
}

/** Mutes, and is heard again, also by another microphone. */
async function muteAndSpeak(from: Caller, to: Caller): Promise<void> {
  await from.mute(true)
  await until(async () => ((await to.quiet())[from.id]?.since_ms ?? 0) > 800)
  await from.mute(false)
  await to.hears(from)
  await from.changeDevice()
  await to.listen()
  await to.hears(from)
}

/** Turns the camera on and off, and shares a screen. */
async function showAll(from: Caller, to: Caller): Promise<void> {
  await from.film()
  await to.sees(from, 'camera')
  await from.stopFilming()
  await until(async () => (await to.frames(from, 'camera')) === 0)
  await from.share('detail')
  await to.sees(from, 'screen')
  await from.stopSharing()
  await until(async () => (await to.frames(from, 'screen')) === 0)
}

const callingDirectly: CallStory = {
  claim: 'two people hear each other from peer to peer, mute, and see camera and screen',
  async run(browsers, { whole }) {
    const { ann, ben, directions } = await gather(browsers, whole, 2)
    for (const [from, to] of directions) {
      await muteAndSpeak(from, to)
      await showAll(from, to)
    }
    for (const one of [ann, ben]) expect((await one.state()).route).toBe('p2p')
    await end(ann, ben)
  },
}

/** Checks by both browsers and the server that the media of two people go by two relayed addresses of it. */
async function expectRelayed({ parts, turn }: Parley, ann: Caller, ben: Caller): Promise<void> {
  const [first, last] = parts.environment.TURN_RELAY_PORTS
  for (const one of [ann, ben]) {
    expect((await one.state()).route).toBe('p2p')
    expect(await one.pairTypes()).toEqual(['relay'])
    const [path, ...others] = await one.paths()
    expect([path?.own.type, others]).toEqual(['relay', []])
    // Firefox and Chromium were once seen to name different pairs for a minute.
    for (const end of [path?.own, path?.other]) {
      const { hostname, port } = new URL(`relay://${end?.address}`)
      expect([hostname]).toEqual(parts.environment.TURN_ANNOUNCED_ADDRESS.slice(0, 1))
      expect(Number(port)).toBeWithin(first, last + 1)
    }
  }
  const before = await turn.count()
  expect(before.allocations).toBeGreaterThanOrEqual(2)
  await until(async () => {
    const { packets_out, packets_in } = await turn.count()
    return packets_out - before.packets_out > PACKETS && packets_in - before.packets_in > PACKETS
  })
}

const callingByTurn: CallStory = {
  claim: 'two people with relayed addresses only hear each other over TURN',
  async run(browsers, { withoutSfu }) {
    const { ann, ben, directions } = await gather(browsers, withoutSfu, 2, { relay_only: true })
    await expectRelayed(withoutSfu, ann, ben)
    for (const [from, to] of directions) await muteAndSpeak(from, to)
    await expectRelayed(withoutSfu, ann, ben)
    await end(ann, ben)
  },
}

/** Shows a camera in a height, and waits until its layer has been asked for and arrives. */
async function lookAt(
  from: Caller,
  to: Caller,
  { shown, layer, height }: Record<'shown' | 'layer' | 'height', number>,
) {
  await to.look(from, 'camera', shown)
  await to.seesHeight(from, 'camera', height, layer).catch(async ({ message }: Error) => {
    const layers = (await to.seen()).filter(({ t }) => t.startsWith('voice.sfu.consumer_')).map(({ d }) => d)
    throw new Error(`${message}\nasked for ${await to.askedLayer()}: ${JSON.stringify(layers)}`)
  })
}

const callingBySfu: CallStory = {
  claim: 'two people hear each other over the SFU, and a camera arrives in the size that is looked at',
  async run(browsers, { whole }) {
    const options = { relay_only: true, receives_what_is_looked_at: true }
    const { ann, ben, directions } = await gather(browsers, whole, 2, options)
    for (const one of [ann, ben]) expect((await one.state()).route).toBe('sfu')
    for (const [from, to] of directions) {
      await muteAndSpeak(from, to)
      await from.film()
      await until(async () => (await to.seen()).some(({ t, d }) => t === 'voice.peer_updated' && (d as any).camera))
      await lookAt(from, to, { shown: 1000, layer: 1, height: 480 })
      await to.sees(from, 'camera')
      await lookAt(from, to, { shown: 100, layer: 0, height: 120 })
      await to.look(from, 'camera', 0)
      await from.stopFilming()
      await from.share('detail')
      await to.look(from, 'screen', 1000)
      await to.sees(from, 'screen')
      await from.stopSharing()
    }
    await end(ann, ben)
  },
}

const changingTheRoute: CallStory = {
  claim: 'three people go to the SFU with a camera and back without it, and hear each other all along',
  async run(browsers, { whole }) {
    const { callers, ann, ben } = await gather(browsers, whole, 3)
    const [, , cleo] = callers as [Caller, Caller, Caller]
    for (const caller of callers) expect((await caller.state()).route).toBe('p2p')
    for (const from of [ann, ben]) {
      await from.film()
      await Promise.all(callers.map((caller) => caller.goes('sfu')))
      await Promise.all(callers.map((caller) => caller.listen()))
      await allHear(...callers)
      for (const to of callers) if (to !== from) await to.sees(from, 'camera')
      await from.stopFilming()
      await Promise.all(callers.map((caller) => caller.goes('p2p')))
      await Promise.all(callers.map((caller) => caller.listen()))
      await allHear(...callers)
    }
    await end(ann, ben, cleo)
  },
}

/** Two people with their pages at a voice channel. */
async function atVoiceChannel(browsers: [Browser, ...Browser[]], parley: Parley) {
  const { ann, ben, path } = await voicePair(parley)
  const open = (at: number, who: Person) => Visitor.as(browserOf(browsers, at), who, path, {}, keepMedia)
  return { ann, ben, first: await open(0, ann), second: await open(1, ben) }
}

/** Pictures arrive in the video of this name. */
const isShown = ({ page }: Visitor, name: string): Promise<boolean> =>
  page
    .getByLabel(name, { exact: true })
    .first()
    .evaluate((video) => video instanceof HTMLVideoElement && video.videoWidth > 0 && video.currentTime > 0)

/** Each sees when the other speaks and is muted, and sees the other's camera and screen. */
async function showEachOther(people: [Visitor, Visitor, Person][]): Promise<void> {
  for (const [from, to, who] of people) {
    const speaking = to.page.locator('.participants .speaking', { hasText: who.display_name })
    await to.sees(speaking)
    await from.button('Mute').first().click()
    await to.sees(to.page.locator('.participant', { hasText: who.display_name }).getByLabel('muted'))
    await to.misses(speaking)
    await from.button('Unmute').first().click()
    await to.sees(speaking)
    await from.button('Turn camera on').click()
    const camera = to.page.getByLabel(`Camera of ${who.display_name}`, { exact: true })
    await to.sees(camera)
    await to.until(() => isShown(to, `Camera of ${who.display_name}`))
    await from.button('Turn camera off').click()
    await to.misses(camera)
    await from.button('Share screen').click()
    await from.page.getByRole('menuitem', { name: 'Sharp text' }).click()
    await to.button('Watch screen').click()
    await to.until(() => isShown(to, 'Shared screen'))
    await from.button('Stop sharing').click()
    await to.misses(to.page.getByLabel('Shared screen'))
  }
}

const callingFromPages: CallStory = {
  claim: 'two people call each other from their pages, see who speaks, mute, and see camera and screen',
  async run(browsers, { whole }) {
    const { ann, ben, first, second } = await atVoiceChannel(browsers, whole)
    for (const visitor of [first, second]) await visitor.button('Join voice').click()
    await inCall([first, second], whole, () =>
      showEachOther([
        [first, second, ann],
        [second, first, ben],
      ]),
    )
    for (const visitor of [first, second]) await visitor.button('Leave the call').first().click()
    for (const visitor of [first, second]) await visitor.leave()
  },
}

const callingWithFilters: CallStory = {
  claim: 'a person is heard with RNNoise and with voice activity, also on a machine without speakers',
  async run(browsers, { whole }) {
    const { ann, first, second } = await atVoiceChannel(browsers, whole)
    await second.button('Join voice').click()
    const speaking = second.page.locator('.participants .speaking', { hasText: ann.display_name })
    for (const settings of [{ noise: 'rnnoise' }, { noise: 'browser', mode: 'voice' }]) {
      await first.page.evaluate((value) => localStorage.setItem('parley.talk', JSON.stringify(value)), settings)
      await first.page.reload()
      await first.button('Join voice').click()
      await inCall([first, second], whole, () => second.sees(speaking))
      await first.button('Leave the call').click()
      await second.misses(speaking)
    }
    for (const visitor of [first, second]) await visitor.leave()
  },
}

export const calls: CallStory[] = [
  callingDirectly,
  callingByTurn,
  callingBySfu,
  changingTheRoute,
  callingFromPages,
  callingWithFilters,
]
