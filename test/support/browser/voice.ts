import { basename } from 'node:path'
import { expect } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import type { Parley } from '../../../src/parley.ts'
import { events } from '../../../src/api/asyncapi.ts'
import { hit } from '../coverage.ts'
import { boot, expectExactly, type Person, until } from '../harness.ts'
import { mediaWorker } from '../media-worker.ts'
import { gatewayUrl } from '../socket.ts'
import { inCall } from './call-facts.ts'

/**
 * An origin that browsers give microphones to. Nothing listens there: the test answers its requests. Firefox opens no
 * page of port 1.
 */
const ORIGIN = 'http://localhost:2'

/** While a busy machine delays speech, a page asks for the smallest pictures, for 40 s at first. Source: sparing.ts. */
const CALM_MS = 120_000

let building: Promise<Map<string, string>> | undefined

/** The page's built files, by name. */
const built = () =>
  (building ??= (async () => {
    const entrypoints = [`${import.meta.dir}/voice-page.ts`]
    const { outputs } = await Bun.build({ entrypoints, target: 'browser', splitting: true })
    // Workers are not modules, so they share no part with the page.
    const source = `${import.meta.dir}/frame-worker.ts`
    const worker = await Bun.build({ entrypoints: [source], target: 'browser' })
    const files = [...outputs, ...worker.outputs]
    return new Map(await Promise.all(files.map(async (file) => [basename(file.path), await file.text()] as const)))
  })())

/** The environment of a server with an SFU and TURN on free ports of loopback. */
export const withCalls = async (): Promise<Record<string, string>> => ({
  MEDIA_WORKER: 'on',
  MEDIASOUP_WORKER_BIN: await mediaWorker(),
  SFU_PORT: '0',
  TURN_PORT: '0',
  TURN_ALLOWED_PEERS: '127.0.0.0/8',
  VOICE_CALM_SECONDS: '2',
})

/** The running server. */
export async function bootCalls(variables: Record<string, string> = {}, beside?: Parley): Promise<Parley> {
  const parley = await boot({ ...(await withCalls()), ...variables }, beside)
  await until(() => ['ready', 'off'].includes(parley.sfu.state()))
  return parley
}

interface JoinOptions {
  relay_only?: boolean
  listen_only?: boolean
  receives_what_is_looked_at?: boolean
  /** Has no worker, and so cannot encrypt. */
  plain?: boolean
}

/** A person in a browser, with a tone as voice. */
export class Caller {
  id = ''
  private constructor(
    readonly who: Person,
    readonly page: Page,
  ) {}

  /** @param prepare runs in the page before its scripts */
  static async open(
    browser: Browser,
    who: Person,
    url = gatewayUrl(who.parley, `token=${who.token}`),
    prepare?: () => void,
  ): Promise<Caller> {
    const files = await built()
    const page = await browser.newPage()
    if (prepare) await page.addInitScript(prepare)
    await page.route(`${ORIGIN}/**`, async (route) => {
      const script = files.get(basename(new URL(route.request().url()).pathname))
      if (script !== undefined) await route.fulfill({ contentType: 'text/javascript', body: script })
      else await route.fulfill({ contentType: 'text/html', body: PAGE })
    })
    await page.goto(`${ORIGIN}/`)
    await page.waitForFunction('globalThis.caller !== undefined')
    await page.evaluate((address) => globalThis.caller.connect(address), url)
    return new Caller(who, page)
  }

  /** Joins. @returns how long that took, ms */
  async join(channel_id: number, options: JoinOptions = {}): Promise<number> {
    const wish = { channel_id, ...options }
    const { id, ms } = await this.page.evaluate((what) => globalThis.caller.join(what), wish)
    this.id = id
    return ms
  }

  state = () => this.page.evaluate(() => globalThis.caller.state())
  quiet = () => this.page.evaluate(() => globalThis.caller.quiet())
  listen = () => this.page.evaluate(() => globalThis.caller.listen())
  seen = () => this.page.evaluate(() => globalThis.caller.seen())
  askedLayer = () => this.page.evaluate(() => globalThis.caller.askedLayer())
  ownQuality = () => this.page.evaluate(() => globalThis.caller.ownQuality())
  pairTypes = () => this.page.evaluate(() => globalThis.caller.pairTypes())
  paths = () => this.page.evaluate(() => globalThis.caller.paths())
  samples = (from: Caller) => this.page.evaluate((id) => globalThis.caller.samples(id), from.id)
  leave = () => this.page.evaluate(() => globalThis.caller.leave())
  /** Moves to another channel. @returns the code of the problem when that is refused */
  move = async (channel_id: number) => {
    const refusal = await this.page.evaluate((id) => globalThis.caller.move(id), channel_id)
    await this.follow()
    return refusal
  }
  /** Takes over the voice session that the page has now. */
  follow = async () => void (this.id = (await this.state()).id)
  holdJoins = () => this.page.evaluate(() => globalThis.caller.holdJoins())
  releaseJoins = () => this.page.evaluate(() => globalThis.caller.releaseJoins())
  microphone = () => this.page.evaluate(() => globalThis.caller.microphone())
  cut = (ms: number) => this.page.evaluate((time) => globalThis.caller.cut(time), ms)
  /** Shares a screen: the one that the browser gives, or a drawn one of this size. */
  share = async (kind?: 'detail' | 'motion', size?: [number, number], hasSound?: boolean) => {
    // Firefox gives a screen only after a click. A script of WebDriver BiDi counts as one only once in a page.
    await this.page.mouse.click(1, 1)
    return this.page.evaluate(([what, px, hasSound]) => globalThis.caller.share(what, px, hasSound), [
      kind,
      size,
      hasSound,
    ] as const)
  }
  giveScreens = (constraints: MediaTrackConstraints) =>
    this.page.evaluate((wishes) => globalThis.caller.giveScreens(wishes), constraints)
  sentScreen = () => this.page.evaluate(() => globalThis.caller.sentScreen())
  energy = (from: Caller, source: 'microphone' | 'screen_audio') =>
    this.page.evaluate(([id, what]) => globalThis.caller.energy(id, what), [from.id, source] as const)
  stopSharing = () => this.page.evaluate(() => globalThis.caller.stopSharing())
  film = () => this.page.evaluate(() => globalThis.caller.film())
  stopFilming = () => this.page.evaluate(() => globalThis.caller.stopFilming())
  look = (from: Caller, source: 'screen' | 'camera', height: number) =>
    this.page.evaluate(([id, what, px]) => globalThis.caller.look(id, what, px), [from.id, source, height] as const)
  heightOf = (from: Caller, source: 'screen' | 'camera') =>
    this.page.evaluate(([id, what]) => globalThis.caller.heightOf(id, what), [from.id, source] as const)
  mute = (isMuted: boolean) => this.page.evaluate((value) => globalThis.caller.mute(value), isMuted)
  changeDevice = () => this.page.evaluate(() => globalThis.caller.changeDevice())
  playMusic = () => this.page.evaluate(() => globalThis.caller.playMusic())
  sound = (from: Caller, source: 'microphone' | 'screen_audio' = 'microphone') =>
    this.page.evaluate(([id, what]) => globalThis.caller.sound(id, what), [from.id, source] as const)
  sentVoice = () => this.page.evaluate(() => globalThis.caller.sentVoice())
  command = (op: string, d: object) =>
    this.page.evaluate(([name, what]) => globalThis.caller.command(name, what), [op, d] as const)
  frames = (from: Caller, source: 'screen' | 'camera') =>
    this.page.evaluate(([id, what]) => globalThis.caller.frames(id, what), [from.id, source] as const)

  /** Checks the gateway's frames against the contract, and closes. */
  async end(): Promise<void> {
    for (const { t, d } of await this.seen()) {
      const event = events[t]
      if (!event) throw new Error(`${t} is not a declared event`)
      hit(`event ${t}`)
      expectExactly(event.schema, d, t)
    }
    await this.page.close()
  }

  /** Waits until a condition holds. If it does not, the error tells what both sides know of the call. */
  #awaits = (others: Caller[], condition: () => Promise<boolean>, ms?: number) =>
    inCall([this, ...others], this.who.parley, () => until(condition, ms))

  /** Waits until sound arrives from all of these. */
  async hears(...others: Caller[]): Promise<void> {
    const areHeard = async () => {
      const quiet = await this.quiet()
      return others.every(({ id }) => quiet[id]?.sounded && quiet[id].since_ms < 400)
    }
    await this.#awaits(others, areHeard, 15_000).catch(async ({ message }: Error) => {
      const ids = others.map(({ id }) => id).join()
      throw new Error(`${this.who.username} does not hear ${ids} ${JSON.stringify(await this.quiet())}: ${message}`)
    })
  }

  /** Waits until this number of further pictures of a source has come from another. */
  async sees(from: Caller, source: 'screen' | 'camera', frames = 5): Promise<void> {
    const before = await this.frames(from, source)
    await this.#awaits([from], async () => (await this.frames(from, source)) >= before + frames)
  }

  /**
   * Waits until pictures of this height arrive from another.
   * @param layer the one that the SFU was last asked for then
   */
  async seesHeight(from: Caller, source: 'screen' | 'camera', height: number, layer?: number): Promise<void> {
    const isAsked = async () => layer === undefined || (await this.askedLayer()) === layer
    const arrives = async () => (await isAsked()) && (await this.heightOf(from, source)) === height
    await this.#awaits([from], arrives, CALM_MS)
  }

  /** The longest time without sound from another since `listen`, ms. */
  async longestQuiet(from: Caller): Promise<number> {
    const { quiet_ms, sounded } = (await this.quiet())[from.id] ?? { quiet_ms: Infinity, sounded: false }
    expect(sounded).toBe(true)
    return quiet_ms
  }

  /** Waits until the page knows that the room has this route. */
  goes = (way: 'p2p' | 'sfu', ms = 10_000) => until(async () => (await this.state()).route === way, ms)
}

const PAGE = '<!doctype html><meta charset="utf-8"><script type="module" src="/voice-page.js"></script>'

/** Waits until everyone hears everyone else. */
export const allHear = (...callers: Caller[]) =>
  Promise.all(callers.map((caller) => caller.hears(...callers.filter((other) => other !== caller))))

/**
 * Lets a call begin anew that is not direct. A pair that has no path for 4 s, as on a busy machine, keeps it on the SFU
 * for as long as both are there.
 */
export async function makeDirect(channel_id: number, callers: Caller[]): Promise<void> {
  const isDirect = async (caller: Caller) => (await caller.state()).route === 'p2p'
  while ((await Promise.all(callers.map(isDirect))).includes(false)) {
    for (const caller of callers) await caller.leave()
    for (const caller of callers) await caller.join(channel_id)
    await allHear(...callers)
  }
}

/** The best of a few tries: other load on the machine makes gaps too. */
export async function best(limitMs: number, measure: () => Promise<number>): Promise<number> {
  let shortest = Infinity
  for (let tries = 0; tries < 3 && shortest >= limitMs; tries++) shortest = Math.min(shortest, await measure())
  return shortest
}

/** The longest time for which one of these did not hear another during `work`, ms. */
export async function gapWhile(callers: Caller[], work: () => Promise<void>): Promise<number> {
  await allHear(...callers)
  await Promise.all(callers.map((caller) => caller.listen()))
  await work()
  await allHear(...callers)
  const gaps = callers.flatMap((to) => callers.filter((from) => from !== to).map((from) => to.longestQuiet(from)))
  return Math.max(...(await Promise.all(gaps)))
}
