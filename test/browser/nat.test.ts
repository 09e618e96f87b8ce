import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { BROWSER_MS } from '../support/browser/chromium.ts'
import { Lab } from '../support/nat/lab.ts'
import { allHear, best, Caller, gapWhile } from '../support/browser/voice.ts'
import { person, standard, until } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { voiceServer } from '../support/voice-people.ts'

// Real networks: two households, each behind a NAT, and a server between them.
const lab = Lab.open()
const inLab = test.skipIf(!lab)
const parley = await standard()
let browsers: [Browser, Browser]

beforeAll(async () => {
  if (lab) browsers = await Promise.all([lab.browser('A'), lab.browser('B')])
}, WORKER_MS)
afterAll(async () => {
  for (const browser of browsers ?? []) await browser.close()
  await lab?.close()
})

/** Alice and bob at home, and a voice channel. */
async function households(lab: Lab) {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await voiceServer(alice, bob)
  const a = await Caller.open(browsers[0], alice, lab.gatewayOf(alice))
  const b = await Caller.open(browsers[1], bob, lab.gatewayOf(bob))
  return { channel_id, a, b, end: () => Promise.all([a.end(), b.end()]) }
}

/** Both join. @returns ms until both hear each other */
async function call(a: Caller, b: Caller, channel_id: number, options: { relay_only?: boolean } = {}) {
  await a.join(channel_id, options)
  const began = performance.now()
  await b.join(channel_id)
  await allHear(a, b)
  return Math.round(performance.now() - began)
}

inLab(
  'with TURN and an SFU there is sound through every kind of NAT and firewall',
  async () => {
    if (!lab) return
    await lab.serve()
    const took: Record<string, number> = {}
    for (const [nat, type] of [
      ['cone', 'direct'],
      ['symmetric', 'relay'],
      ['noudp', 'relay'],
    ] as const) {
      lab.nat(nat)
      const { a, b, channel_id, end } = await households(lab)
      took[nat] = await call(a, b, channel_id)
      // TURN works first; a direct path takes over when ICE finds one.
      const isIt = (pair: string) => (pair === 'relay') === (type === 'relay')
      await until(async () => (await a.pairTypes()).every(isIt))
      expect([nat, (await a.state()).route]).toEqual([nat, 'p2p'])
      await end()
    }
    console.log(`sound after joining: ${JSON.stringify(took)} ms`)
  },
  BROWSER_MS,
)

inLab(
  'a path that is cut during a call is replaced within 4 s',
  async () => {
    if (!lab) return
    await lab.serve()
    const gap = await best(4000, async () => {
      lab.nat('cone')
      const { a, b, channel_id, end } = await households(lab)
      await call(a, b, channel_id)
      // TURN works first; a direct path takes over when ICE finds one.
      await until(async () => !(await a.pairTypes()).includes('relay'))
      const quiet = await gapWhile([a, b], async () => {
        lab.cut()
        await Bun.sleep(5000)
      })
      console.log(`without sound after the cut: ${Math.round(quiet)} ms, then by ${(await a.state()).route}`)
      await end()
      return quiet
    })
    expect(gap).toBeLessThan(4000)
  },
  BROWSER_MS,
)

inLab(
  'without UDP there is sound over the SFU by TCP',
  async () => {
    if (!lab) return
    await lab.serve()
    lab.nat('noudp')
    const { a, b, channel_id, end } = await households(lab)
    await call(a, b, channel_id, { relay_only: true })
    expect((await a.state()).route).toBe('sfu')
    await end()
  },
  BROWSER_MS,
)

inLab(
  'without a path and without TURN the room goes to the SFU',
  async () => {
    if (!lab) return
    await lab.serve({ TURN_PORT: 'off' })
    lab.nat('symmetric')
    const { a, b, channel_id, end } = await households(lab)
    const took = await call(a, b, channel_id)
    console.log(`sound over the SFU after ${took} ms`)
    expect(await a.state()).toMatchObject({ route: 'sfu', epoch: 2 })
    expect(took).toBeLessThan(8000)
    await end()
  },
  BROWSER_MS,
)

inLab(
  'a relay_only member is heard through TURN alone, and shows no address',
  async () => {
    if (!lab) return
    await lab.serve({ MEDIA_WORKER: 'off' })
    lab.nat('cone')
    const { a, b, channel_id, end } = await households(lab)
    await call(a, b, channel_id, { relay_only: true }).catch(async (e) => {
      console.log(JSON.stringify([await a.seen(), await b.seen()], null, 0))
      throw e
    })
    expect([await b.pairTypes(), (await a.state()).route]).toEqual([['relay'], 'p2p'])
    const descriptions = (await b.seen()).filter(({ t }) => t === 'voice.description' || t === 'voice.candidate')
    const candidates = JSON.stringify(descriptions).match(/candidate:[^"\\]+/g) ?? []
    expect(candidates.length).toBeGreaterThan(0)
    expect(candidates.filter((candidate) => !/ typ relay raddr 0\.0\.0\.0 rport 9/.test(candidate))).toEqual([])
    expect(JSON.stringify(descriptions)).not.toMatch(/10\.77\.|198\.51\.100|typ (host|srflx|prflx)/)
    await end()
  },
  BROWSER_MS,
)

/** The share of another's samples that were concealed for losses, while `work` runs. */
async function concealedWhile(to: Caller, from: Caller, work: () => Promise<unknown>): Promise<number> {
  const before = await to.samples(from)
  await work()
  const after = await to.samples(from)
  return (after.concealed - before.concealed) / (after.all - before.all)
}

/** The number of sizes in which a camera is sent over the SFU. */
const sizesFrom = async (who: Caller) =>
  (await who.sentScreen()).sent.flatMap(({ encodings }) => encodings.filter(({ active }) => active)).length

inLab(
  'at 200 kbit/s and 5 % loss people hear each other beside cameras, in a mesh and over the SFU, which says why',
  async () => {
    if (!lab) return
    await lab.serve()
    const shares: Record<string, string> = {}
    for (const relay_only of [false, true]) {
      lab.nat('cone')
      const { a, b, channel_id, end } = await households(lab)
      await call(a, b, channel_id, { relay_only })
      expect(lab.narrow('A', '200kbit', 5)).toBe(true)
      await Promise.all([a.film(), b.film()])
      // Both estimate the line again.
      await Bun.sleep(8_000)
      // Over the SFU, the line then carries only the smaller of two pictures.
      if (relay_only) await until(async () => (await sizesFrom(a)) === 1)
      for (const each of [a, b]) await each.ownQuality()
      const levels = await Promise.all([
        concealedWhile(b, a, () => Bun.sleep(8_000)),
        concealedWhile(a, b, () => Bun.sleep(8_000)),
      ])
      // In a mesh of two, neither side can tell whose line it is.
      if (relay_only) {
        expect(await a.ownQuality()).toMatchObject({ level: expect.stringMatching(/^(fair|poor)$/) })
        expect((await a.ownQuality())?.reason?.what).toMatch(/^(upload|download)$/)
        expect((await b.ownQuality())?.reason?.what ?? 'none').not.toMatch(/^(upload|download)$/)
      }
      await allHear(a, b)
      const { route } = await a.state()
      expect(route).toBe(relay_only ? 'sfu' : 'p2p')
      // Concealment also depends on the machine: bench/NOTEBOOK.md has measured values.
      shares[route] = levels.map((share) => `${(100 * share).toFixed(1)} %`).join(' sent, ')
      await end()
    }
    console.log(`samples made up for lost ones at 200 kbit/s and 5 % loss: ${JSON.stringify(shares)} received`)
  },
  BROWSER_MS,
)
