import { expect, test } from 'bun:test'
import { Counters, FrameSealer } from '../../../../src/web/voice/sealing/frame-sealer.ts'
import { generationOf } from '../../../../src/web/voice/sealing/epoch-keys.ts'
import { randomFrom, SimulatedCall, type SimulatedMember } from '../../../support/sealed-calls.ts'

const SOUND = { isAudio: true, codec: 'whole' } as const
const TRAILER = { keyId: -7, counter: -6, end: -2 }

/** A page of a member: the group's keys, and its worker, which the page loses with a reload. */
class MemberPage {
  readonly #sealer = new FrameSealer()
  #epochs = 0

  constructor(readonly member: SimulatedMember) {
    this.#sealer.begin('sealed')
  }

  /** Takes new keys over, and seals some frames. @returns the key and nonce of each */
  async speak(now: number, frames: number): Promise<string[]> {
    const { epochs } = this.member
    for (; this.#epochs < epochs.length; this.#epochs++) this.#sealer.add(epochs[this.#epochs]!, now, now)
    const sealed = await Promise.all(Array.from({ length: frames }, () => this.#seal(now)))
    return sealed.filter((name) => name !== undefined)
  }

  async #seal(now: number): Promise<string | undefined> {
    const frame = await this.#sealer.seal(new Uint8Array(20), SOUND, now)
    if (!frame) return undefined
    const { secret, leaf } = this.member.epochs.findLast(({ keyId }) => keyId === frame.at(TRAILER.keyId))!
    const bytes = frame.slice(TRAILER.counter, TRAILER.end)
    const counter = new DataView(bytes.buffer).getUint32(0)
    return `${secret.join()} ${leaf} ${generationOf(counter)} ${counter}`
  }

  hears = (frame: Uint8Array<ArrayBuffer>, from: string, now: number) =>
    this.#sealer.open(frame, SOUND, from, new Counters(), now)
}

for (let seed = 1; seed <= 4; seed++)
  test(`no two frames of a call have the same key and nonce, over reloads and rekeys (${seed})`, async () => {
    const random = randomFrom(seed)
    const call = new SimulatedCall(random, 30)
    let pages = Array.from({ length: 4 }, (_, at) => new MemberPage(call.join(at + 1)))
    await call.pass(2_000)
    const seen = new Set<string>()
    const secrets = new Set<string>()
    let frames = 0
    const speak = async () => {
      for (const page of pages)
        for (const name of await page.speak(call.now, 1 + Math.floor(random() * 30))) {
          frames++
          seen.add(name)
          secrets.add(name.slice(0, name.indexOf(' ')))
        }
    }
    for (let step = 0; step < 16; step++) {
      await speak()
      const [page] = pages.splice(Math.floor(random() * pages.length), 1)
      const { id, user_id } = page!.member
      call.leave(id)
      // A page that is loaded again keeps its voice session, if the server lets it, or gets another one.
      const next =
        random() < 0.5
          ? id
          : Math.floor(random() * 2 ** 48)
              .toString(16)
              .padStart(32, '0')
      pages = [...pages, new MemberPage(call.join(user_id, { id: next }))]
      if (random() < 0.5) await call.pass(random() * 300)
      await speak()
      await call.pass(random() * 700)
    }
    await call.pass(5_000)
    await speak()
    expect(call.isWhole()).toBe(true)
    expect(frames).toBeGreaterThan(1_000)
    expect(secrets.size).toBeGreaterThan(16)
    expect(seen.size).toBe(frames)
  })
