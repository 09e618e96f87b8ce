import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import type { Parley } from '../../src/parley.ts'
import { BROWSER_MS, launchChromium } from '../support/browser/chromium.ts'
import { allHear, best, bootCalls, Caller } from '../support/browser/voice.ts'
import { person, stop, until } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { voiceServer } from '../support/voice-people.ts'

let browser: Browser
let parley: Parley

beforeAll(async () => {
  parley = await bootCalls({ SFU_WORKERS: '2', SFU_PEERS_PER_WORKER: '2', CALLS_ENCRYPTION: 'preferred' })
  await until(() => parley.sfu.pids().length === 2)
  browser = await launchChromium()
}, WORKER_MS)
afterAll(async () => {
  await browser?.close()
  if (parley) await stop(parley)
})

/** Three people in a call over the SFU, the last of them receiving from the other worker. */
async function callOfThree(options: { receives_what_is_looked_at?: boolean; plain?: boolean } = {}) {
  // An earlier test may have killed one.
  await until(() => parley.sfu.pids().length === 2)
  const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))
  const [owner, ...others] = people
  const { channel_id } = await voiceServer(owner!, ...others)
  const all = (await Promise.all(people.map((who) => Caller.open(browser, who)))) as [Caller, Caller, Caller]
  const [alice, bob, carol] = all
  await alice.join(channel_id, { ...options, relay_only: true })
  await bob.join(channel_id, options)
  await allHear(alice, bob)
  await carol.join(channel_id, options)
  await allHear(...all)
  const room = await parley.sfu.room(channel_id, () => undefined)
  const [branch] = room.branches()
  expect([...(branch?.members ?? [])].map(({ voiceSessionId }) => voiceSessionId)).toEqual([carol.id])
  const further = branch?.worker.pid
  const main = parley.sfu.pids().find((pid) => pid !== further)
  if (further === undefined || main === undefined) throw new Error('There are two workers')
  return { alice, bob, carol, all, further, main, end: () => Promise.all(all.map((caller) => caller.end())) }
}

const namesOf = async (caller: Caller) => (await caller.seen()).map(({ t }) => t)

test(
  'across a link, an encrypted call is heard and seen, and each sees a camera in the size of its tile',
  async () => {
    const { alice, bob, carol, all, end } = await callOfThree({ receives_what_is_looked_at: true })
    expect(await Promise.all(all.map(async (caller) => (await caller.state()).encryption))).toEqual(
      Array(3).fill('sealed'),
    )
    await alice.film()
    for (const each of [bob, carol])
      await until(async () =>
        (await each.seen()).some(({ t, d }) => t === 'voice.peer_updated' && (d as { camera: boolean }).camera),
      )
    await bob.look(alice, 'camera', 1000)
    await carol.look(alice, 'camera', 100)
    for (const each of [bob, carol]) await each.sees(alice, 'camera')
    await carol.seesHeight(alice, 'camera', 120)
    await bob.seesHeight(alice, 'camera', 480)
    // A larger tile needs a key frame of another size, which is requested across the link.
    await carol.look(alice, 'camera', 1000)
    await carol.seesHeight(alice, 'camera', 480)
    // Hidden, and shown again.
    await carol.look(alice, 'camera', 0)
    let before = -1
    await until(async () => {
      const hasStopped = (await carol.frames(alice, 'camera')) === before
      before = await carol.frames(alice, 'camera')
      return hasStopped
    })
    await carol.look(alice, 'camera', 300)
    await carol.sees(alice, 'camera')
    // The active speaker is determined on the main router, and everybody learns of it.
    await bob.mute(true)
    await alice.mute(true)
    for (const each of all) await until(async () => (await each.state()).speakers.at(-1) === carol.id)
    for (const each of all) expect((await each.state()).faults).toEqual([])
    await end()
  },
  BROWSER_MS,
)

test(
  'a further worker is killed: its listener hears again within 3 s, and the others notice nothing',
  async () => {
    const gap = await best(3000, async () => {
      const { alice, bob, carol, all, further, end } = await callOfThree()
      await Promise.all(all.map((caller) => caller.listen()))
      await allHear(...all)
      process.kill(further, 'SIGKILL')
      // The page has then dropped the receivers of the dead worker, and new ones count from the beginning.
      await until(async () => (await namesOf(carol)).includes('voice.sfu.reset'))
      for (const from of [alice, bob]) await until(async () => (await carol.samples(from)).all > 0)
      await allHear(...all)
      const quiet = Math.max(await carol.longestQuiet(alice), await carol.longestQuiet(bob))
      const others = [await alice.longestQuiet(bob), await alice.longestQuiet(carol), await bob.longestQuiet(carol)]
      console.log(
        `without sound after the death: ${Math.round(quiet)} ms; the others: ${others.map(Math.round).join()} ms`,
      )
      for (const each of [alice, bob]) expect(await namesOf(each)).not.toContain('voice.sfu.reset')
      const { epoch } = await alice.state()
      for (const each of all) expect(await each.state()).toMatchObject({ epoch, faults: [] })
      await end()
      return quiet
    })
    expect(gap).toBeLessThan(3000)
  },
  BROWSER_MS,
)

test(
  'a listener whose gateway connection is away when its worker dies hears again',
  async () => {
    const { alice, carol, further, end } = await callOfThree()
    // Long enough that a new receiver, which counts from the beginning, is seen to have fewer samples.
    await until(async () => (await carol.samples(alice)).all > 5 * 48_000, 30_000)
    const before = await carol.samples(alice)
    await carol.cut(4_000)
    await until(async () =>
      (await alice.seen()).some(
        ({ t, d }) => t === 'voice.peer_updated' && (d as { reconnecting: boolean }).reconnecting,
      ),
    )
    process.kill(further, 'SIGKILL')
    await until(async () => (await carol.samples(alice)).all < before.all, 30_000)
    await carol.listen()
    await carol.hears(alice)
    await end()
  },
  BROWSER_MS,
)

test(
  'the main worker is killed: everybody hears everybody again',
  async () => {
    const { alice, bob, carol, main, end } = await callOfThree()
    const before = (await carol.state()).epoch
    process.kill(main, 'SIGKILL')
    for (const each of [alice, bob, carol]) {
      await until(async () => (await each.state()).epoch > before)
      await each.listen()
    }
    await allHear(alice, bob, carol)
    await end()
  },
  BROWSER_MS,
)
