import type { Browser, Page } from 'playwright-core'
import { readEnvironment } from '../../../src/environment.ts'
import type { Source } from '../../../src/voice/sfu/codecs.ts'
import type { RoutedRoom } from '../../../src/voice/sfu/room.ts'
import type { RoomEvent } from '../../../src/voice/sfu/router-context.ts'
import { Sfu } from '../../../src/voice/sfu/sfu.ts'
import { until } from '../harness.ts'
import { mediaWorker } from '../media-worker.ts'

/** An SFU of its own, ready, on free ports. */
export async function openSfu(variables: Record<string, string> = {}): Promise<Sfu> {
  const environment = readEnvironment({ MEDIASOUP_WORKER_BIN: await mediaWorker(), SFU_PORT: '0', ...variables })
  const sfu = new Sfu(environment, () => undefined)
  sfu.start()
  await until(() => sfu.state() === 'ready')
  return sfu
}

/** Serves the members' page from an origin that browsers give microphones to. */
export async function servePage() {
  const built = await Bun.build({ entrypoints: [`${import.meta.dir}/sfu-page.ts`], target: 'browser' })
  const script = await built.outputs[0]?.text()
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) =>
      url.endsWith('/page.js')
        ? new Response(script, { headers: { 'content-type': 'text/javascript' } })
        : new Response('<!doctype html><script type="module" src="/page.js"></script>', {
            headers: { 'content-type': 'text/html' },
          }),
  })
}

/** A member of a room, in a browser; the SFU runs its commands directly. */
export class Member {
  constructor(
    readonly id: string,
    readonly page: Page,
    public room: RoutedRoom,
  ) {}

  static async open(browser: Browser, url: string, id: string, call: RoutedRoom): Promise<Member> {
    const page = await browser.newPage()
    const member = new Member(id, page, call)
    await page.exposeFunction('ask', (op: string, ...args: never[]) => member.do(op, ...args))
    await page.goto(url)
    await page.waitForFunction('globalThis.member !== undefined')
    return member
  }

  /** Runs a command as signalling does. */
  private async do(op: string, ...args: [never, never, never, never] | never[]): Promise<unknown> {
    if (op === 'capabilities') return this.room.rtp_capabilities
    const peer = this.room.peer(this.id)
    const [one, two, three, four] = args as [never, never, never, never]
    if (op === 'createTransport') return peer.createTransport(one)
    if (op === 'connect') return peer.connect(one, two)
    if (op === 'produce') return peer.produce(one, two, three, four)
    if (op === 'consume') return peer.consume(one, two)
    if (op === 'restartIce') return peer.restartIce(one)
    throw new Error(`A member has no ${op}`)
  }

  join = (protocol?: 'udp' | 'tcp') => this.page.evaluate((only) => globalThis.member.join(only), protocol)
  send = (source: Source) => this.page.evaluate((from) => globalThis.member.send(from), source)
  /** Consumes; the consumer is paused. */
  take = (producerId: string) => this.page.evaluate((id) => globalThis.member.receive(id), producerId)
  tone = (consumerId: string) => this.page.evaluate((id) => globalThis.member.tone(id), consumerId)
  arrived = (consumerId: string) => this.page.evaluate((id) => globalThis.member.arrived(id), consumerId)
  restartIce = () => this.page.evaluate(() => globalThis.member.restartIce())

  /** Consumes and resumes. */
  async receive(producerId: string): Promise<string> {
    const consumerId = await this.take(producerId)
    await this.room.peer(this.id).pauseConsumer(consumerId, false)
    return consumerId
  }

  /** Waits until sound other than silence arrives. */
  async hears(consumerId: string, ms = 10_000): Promise<void> {
    const { energy } = await this.arrived(consumerId)
    await until(async () => (await this.arrived(consumerId)).energy > energy + 0.001, ms)
  }

  /** The energy that arrives within a time. */
  async energyWithin(consumerId: string, ms: number): Promise<number> {
    const before = await this.arrived(consumerId)
    await Bun.sleep(ms)
    return (await this.arrived(consumerId)).energy - before.energy
  }

  async sees(consumerId: string, frames: number, ms = 20_000): Promise<void> {
    const before = await this.arrived(consumerId)
    await until(async () => (await this.arrived(consumerId)).frames >= before.frames + frames, ms)
  }
}

/** Collects a room's events. */
export function gather() {
  const events: RoomEvent[] = []
  const of = <T extends RoomEvent['type']>(type: T) =>
    events.filter((event): event is Extract<RoomEvent, { type: T }> => event.type === type)
  return { tell: (event: RoomEvent) => void events.push(event), of }
}
