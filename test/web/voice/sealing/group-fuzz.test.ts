import { expect, test } from 'bun:test'
import type { GroupEvent } from '../../../../src/web/voice/sealing/group-messages.ts'
import { randomFrom, SimulatedCall } from '../../../support/sealed-calls.ts'

// Every message that the server may hand on, changed in every way, at up to the size of a frame.

const FRAME_BYTES_MAX = 64 * 1024
const KINDS = ['key_package', 'commit', 'welcome'] as const

/** Changes a message: bits, length, kind, epoch, sender, or all of it. */
function changed(event: GroupEvent, random: () => number): GroupEvent {
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)]!
  const bytes = Buffer.from(event.data, 'base64')
  const at = Math.floor(random() * bytes.length)
  const large = Buffer.alloc(Math.floor((random() * FRAME_BYTES_MAX * 3) / 4), random() < 0.5 ? 0xff : 0)
  const way = Math.floor(random() * 9)
  if (way < 3) bytes[at] = bytes[at]! ^ (1 << Math.floor(random() * 8))
  const data: Buffer[] = [
    bytes,
    bytes,
    bytes,
    bytes.subarray(0, at),
    Buffer.concat([bytes, bytes.subarray(at)]),
    Buffer.concat([bytes.subarray(0, at), large]),
    large,
    // A length that no frame has: RFC 9420 §2.1.2.
    Buffer.concat([bytes.subarray(0, at), Buffer.from([0xbf, 0xff, 0xff, 0xff]), bytes.subarray(at)]),
    bytes,
  ]
  const isTurned = way === 8
  return {
    ...event,
    data: data[way]!.toString('base64'),
    kind: isTurned ? pick(KINDS) : event.kind,
    epoch: isTurned ? event.epoch + pick([-1, 0, 1, 255, 2 ** 52]) : event.epoch,
    from: isTurned && random() < 0.3 ? 'f'.repeat(32) : event.from,
  }
}

for (let seed = 1; seed <= 6; seed++)
  test(`changed messages split no group, and it goes on (${seed})`, async () => {
    const random = randomFrom(100 + seed)
    const call = new SimulatedCall(random, 20)
    for (let at = 1; at <= 3; at++) call.join(at)
    await call.pass(2_000)
    const earlier: GroupEvent[] = []
    let changes = 0
    call.tamper = (_to, event) => {
      earlier.push(event)
      if (random() < 0.7) return event
      changes++
      return changed(event, random)
    }
    for (let step = 0; step < 12; step++) {
      const ids = [...call.present.keys()]
      if (ids.length > 4) call.leave(ids[1 + Math.floor(random() * (ids.length - 1))]!)
      else call.join(10 + step)
      // Others of before, changed, come in between.
      for (const event of earlier.slice(-20))
        for (const id of call.present.keys())
          if (random() < 0.2) {
            changes++
            call.hand(id, changed(event, random))
          }
      await call.pass(random() * 1_500)
    }
    call.tamper = (_to, event) => event
    expect(changes).toBeGreaterThan(20)
    await call.pass(20_000)
    // With nobody left who could add the others, the server begins another group: see encryption.test.ts.
    if (call.order.isStuck) return
    expect(call.isWhole()).toBe(true)
    const secrets = new Map<number, Set<string>>()
    for (const { epochs } of call.present.values())
      for (const { keyId, secret } of epochs) secrets.set(keyId, (secrets.get(keyId) ?? new Set()).add(secret.join()))
    for (const [keyId, each] of secrets) expect([keyId, each.size]).toEqual([keyId, 1])
  })

test('messages as large as a frame are refused without a change, in bounded time', async () => {
  const call = new SimulatedCall(randomFrom(7), 1)
  const ann = call.join(1)
  const ben = call.join(2)
  await call.pass(1_000)
  expect(call.isWhole()).toBe(true)
  const { authenticator } = ann
  const faults = ann.faults.length
  const group = call.order.id
  const sizes = [0, 1, 2, 3, 1_000, 41_000, 49_000]
  for (const kind of ['key_package', 'welcome'] as const)
    for (const size of sizes)
      for (const byte of [0, 1, 0x7f, 0x80, 0xff]) {
        const data = Buffer.alloc(size, byte)
        // The beginning of a genuine message: version 1, and each wire format.
        for (const format of [0, 1, 2, 3, 4, 5]) {
          if (size > 4) data.set([0, 1, 0, format])
          call.hand(ann.id, { group, epoch: 1, kind, from: ben.id, data: data.toString('base64') })
        }
      }
  await call.pass(500)
  expect(ann.faults.length - faults).toBe(2 * sizes.length * 5 * 6)
  expect([ann.authenticator === authenticator, call.isWhole()]).toEqual([true, true])
})
