import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { BROWSER_MS } from '../support/browser/chromium.ts'
import { allHear, Caller } from '../support/browser/voice.ts'
import { person, standard, until } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { Machines } from '../support/nat/machines.ts'
import { voiceServer } from '../support/voice-people.ts'

// Two machines with a process each, which reach each other only through their addresses, and Redis on a third one.
const machines = Machines.open()
const parley = await standard()
let browser: Browser

beforeAll(async () => {
  if (!machines) return
  await machines.serve({ SFU_WORKERS: '1', SFU_PEERS_PER_WORKER: '2', CALLS_ENCRYPTION: 'preferred' })
  browser = await machines.browser()
}, WORKER_MS)
afterAll(async () => {
  await browser?.close()
  await machines?.close()
})

/** True if a member receives from a machine. */
const isOn = async (caller: Caller, { address }: { address: string }) =>
  (await caller.paths()).some(({ other }) => other.address.startsWith(`${address}:`))

test.skipIf(!machines)(
  'people on two machines hear and see each other across a link, and hear each other again after it is cut',
  async () => {
    if (!machines) return
    const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))
    const [owner, ...others] = people
    const { channel_id } = await voiceServer(owner!, ...others)
    const all = await Promise.all(people.map((who) => Caller.open(browser, who, machines.gatewayOf(who))))
    const [alice, bob, carol] = all as [Caller, Caller, Caller]
    const options = { receives_what_is_looked_at: true }
    await alice.join(channel_id, { ...options, relay_only: true })
    await bob.join(channel_id, options)
    await allHear(alice, bob)
    // The processes may learn of each other's space only now.
    await until(async () => {
      await carol.join(channel_id, options)
      await allHear(...all)
      if (await isOn(carol, machines.all[1])) return true
      await carol.leave()
      return false
    })
    for (const each of [alice, bob]) expect(await isOn(each, machines.all[1])).toBe(false)
    for (const each of all) expect((await each.state()).encryption).toBe('sealed')

    await alice.film()
    await carol.look(alice, 'camera', 1000)
    await carol.sees(alice, 'camera')
    await carol.seesHeight(alice, 'camera', 480)
    await carol.look(alice, 'camera', 100)
    await carol.seesHeight(alice, 'camera', 120)

    await carol.listen()
    machines.cut()
    await until(async () => !(await isOn(carol, machines.all[1])))
    await allHear(...all)
    console.log(`without sound after the cut: ${Math.round(await carol.longestQuiet(alice))} ms`)
    await carol.sees(alice, 'camera')
    for (const each of all) expect(await each.state()).toMatchObject({ route: 'sfu', encryption: 'sealed', faults: [] })
    await Promise.all(all.map((each) => each.end()))
  },
  BROWSER_MS,
)
