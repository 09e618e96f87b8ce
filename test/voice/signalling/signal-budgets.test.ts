import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { eventFrame, topic } from '../../../src/core/events.ts'
import { OUTBOUND_BYTES_MAX } from '../../../src/gateway/model.ts'
import type { Parley } from '../../../src/parley.ts'
import { RECEIVED, SENT, SignalBudgets } from '../../../src/voice/signalling/signal-budgets.ts'
import { WaitingSignals } from '../../../src/voice/signalling/waiting-signals.ts'
import { type Person, person, say, standard, stop, until } from '../../support/harness.ts'
import { inCallBy, nodesOn } from '../../support/installation.ts'
import { opcode, RawSocket } from '../../support/raw-socket.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import type { Gateway } from '../../support/socket.ts'
import { inVoice, joinVoice, MIC, voiceServer } from '../../support/voice-people.ts'

const parley = await standard()
const describing = (to: string, sdp = 'v'.repeat(48_000)) => ({ to, epoch: 1, description: { type: 'offer', sdp } })
/** Sends this many descriptions of 48 kB at once. @returns the codes of the refusals */
const flood = async (live: Gateway, to: string, count: number): Promise<string[]> => {
  const answers = await Promise.all(
    Array.from({ length: count }, () => live.command('voice.description', describing(to))),
  )
  return answers.flatMap(({ error }) => (error ? [error.code] : []))
}

test('a call member cannot throw another off the gateway by 6.6 MB of descriptions', async () => {
  const [mallory, bob, carol] = [
    await person(parley, 'mallory'),
    await person(parley, 'bob'),
    await person(parley, 'carol'),
  ]
  const { channel_id } = await voiceServer(bob, carol, mallory)
  const [m, b, c] = [
    await inVoice(mallory, channel_id),
    await inVoice(bob, channel_id),
    await inVoice(carol, channel_id),
  ]
  const refused = await flood(m.gateway, b.id, 137)
  expect(new Set(refused)).toEqual(new Set(['rate_limited']))
  await c.gateway.command('voice.description', describing(b.id, 'v=0'))
  await b.gateway.next('voice.description', ({ d }) => d.from === c.id)
  await b.gateway.settled()
  expect(b.gateway.socket.readyState).toBe(WebSocket.OPEN)
  const received = b.gateway.of('voice.description').filter(({ d }) => d.from === m.id)
  expect(received).toHaveLength(137 - refused.length)
  expect(received.length * 48_000).toBeLessThanOrEqual(SENT.burstBytes)
  // Joining again gives no new budget; a refusal says how long to wait.
  await m.gateway.command('voice.leave')
  await joinVoice(m.gateway, channel_id)
  const again = await Promise.all([b, b].map(({ id }) => m.gateway.command('voice.description', describing(id))))
  expect(again.at(-1).error).toMatchObject({ code: 'rate_limited', retry_after: expect.any(Number) })
  for (const { gateway } of [m, b, c]) gateway.close()
})

test('several members together cannot throw another off the gateway either', async () => {
  const attackers = await Promise.all(Array.from({ length: 5 }, () => person(parley, 'mallory')))
  const bob = await person(parley, 'bob')
  const { channel_id } = await voiceServer(bob, ...attackers)
  const b = await inVoice(bob, channel_id)
  const seats = await Promise.all(attackers.map((mallory) => inVoice(mallory, channel_id)))
  await Promise.all(seats.map(({ gateway }) => flood(gateway, b.id, 60)))
  await b.gateway.settled()
  expect(b.gateway.socket.readyState).toBe(WebSocket.OPEN)
  expect(b.gateway.of('voice.description').length * 48_000).toBeLessThan(1.5 * RECEIVED.burstBytes)
  for (const { gateway } of [b, ...seats]) gateway.close()
})

/** Publishes 16 kB to an account. @returns the number of bytes */
function publish(node: Parley, who: Person): number {
  const frame = eventFrame(topic.user(who.id), 'user.updated', 1, JSON.stringify({ filler: 'x'.repeat(16_000) }))
  node.parts.bus.publish(frame)
  return frame.text.length
}

/** Joins a call on a socket without a library. */
async function joinRaw(node: Parley, who: Person, channel_id: number): Promise<RawSocket> {
  const raw = new RawSocket(node, `token=${who.token}`)
  await raw.next('synced')
  raw.send(opcode.text, JSON.stringify({ op: 'voice.join', id: 1, d: { channel_id, ...MIC } }))
  await until(() => raw.frames.some(({ payload }) => payload.startsWith('{"re":1,')))
  return raw
}

/** Bytes sent to a client that wait in the kernel, on either side. Source: proc_pid_net(5). */
function inKernel({ tcp }: RawSocket): number {
  const port = (which: number | undefined) => (which ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const [own, remote] = [port(tcp.localPort), port(tcp.remotePort)]
  const rows = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n'))
  const waiting = rows.map((row) => {
    const [, from, to, , queues = ''] = row.trim().split(/\s+/)
    const [outbound = '', inbound = ''] = queues.split(':')
    if (from?.endsWith(`:${remote}`) && to?.endsWith(`:${own}`)) return Number.parseInt(outbound, 16)
    return from?.endsWith(`:${own}`) && to?.endsWith(`:${remote}`) ? Number.parseInt(inbound, 16) : 0
  })
  return waiting.reduce((sum, bytes) => sum + bytes, 0)
}

/** Publishes to a client that does not read, until its outbound buffer on the server has little room left. */
async function fill(node: Parley, who: Person, raw: RawSocket): Promise<void> {
  for (let [sent, waiting] = [0, 0]; waiting < OUTBOUND_BYTES_MAX - 120_000; waiting = sent - inKernel(raw)) {
    for (let n = waiting < OUTBOUND_BYTES_MAX / 2 ? 8 : 1; n > 0; n--) sent += publish(node, who)
    // The server sends published frames some milliseconds later.
    await Bun.sleep(10)
  }
}

/** Fills bob's outbound buffer, has alice signal, and lets bob read on. */
async function slowReader(alices: Parley, bobs: Parley): Promise<void> {
  const [alice, bob, carol] = [
    await person(alices, 'alice'),
    await person(alices, 'bob'),
    await person(alices, 'carol'),
  ]
  const { channel_id } = await voiceServer(alice, bob, carol)
  const slow = await joinRaw(bobs, bob, channel_id)
  const a = await inCallBy(alices, alice, channel_id)
  const to = a.seat.peers[0]?.voice_session_id as string
  slow.tcp.pause()
  await fill(bobs, bob, slow)
  const texts = Array.from({ length: 5 }, (_, n) => `${n} ${'v'.repeat(47_000)}`)
  for (const text of texts) expect((await a.gateway.command('voice.description', describing(to, text))).d).toEqual({})
  // The answer to carol comes after the frames for bob.
  const c = await inCallBy(bobs, carol, channel_id)
  const { server_id } = (await alice.get(`/api/channels/${channel_id}`)).body
  const [general] = (await alice.get(`/api/servers/${server_id}/channels`)).body
  const { id } = await say(alice, general.id, 'Still there?')
  slow.tcp.resume()
  const received = () =>
    slow.frames.flatMap(({ payload }) =>
      payload.startsWith('{"t":"voice.description"') ? [JSON.parse(payload).d.description.sdp] : [],
    )
  await until(() => slow.hasEnded || received().length === texts.length)
  expect(slow.hasEnded).toBe(false)
  expect(received()).toEqual(texts)
  await until(() => slow.frames.some(({ payload }) => payload.includes(`"id":${id},`)))
  slow.destroy()
  for (const { gateway } of [a, c]) gateway.close()
}

test('signalling waits while the receiver’s outbound buffer fills, and follows in order', () =>
  slowReader(parley, parley))

test('a budget is whole again after a while, and a refusal takes nothing from it', () => {
  const budgets = new SignalBudgets()
  const fits = (from: number, to: number, bytes: number, now: number): boolean => {
    try {
      budgets.take(from, to, bytes, now)
      return true
    } catch {
      return false
    }
  }
  expect([fits(1, 2, SENT.burstBytes, 0), fits(1, 2, 1, 0)]).toEqual([true, false])
  expect([fits(1, 2, SENT.bytesPerSecond, 999), fits(1, 2, SENT.bytesPerSecond, 1000)]).toEqual([false, true])
  // The clock may be set back.
  expect(fits(1, 2, 1, -50_000)).toBe(false)
  expect([fits(3, 4, SENT.burstBytes, 0), fits(5, 4, SENT.burstBytes, 0), fits(6, 4, 1, 0)]).toEqual([
    true,
    true,
    false,
  ])
  expect(fits(6, 7, SENT.burstBytes, 0)).toBe(true)
  budgets.prune(60_000)
  expect(fits(1, 2, SENT.burstBytes, 60_000)).toBe(true)
})

test('one sender fills only its share of the queue of a member', () => {
  const waiting = new WaitingSignals()
  const push = (from: string, bytes: number) => waiting.push({ from, frame: from, bytes }, 4)
  expect([push('mallory', 60_000), push('mallory', 60_000)]).toEqual([true, false])
  expect(['alice', 'bob', 'carol'].map((from) => push(from, 64_000))).toEqual([true, true, true])
  expect(push('dave', 64_000)).toBe(false)
  expect(['mallory', 'alice', 'bob', 'carol'].map(() => waiting.shift())).toEqual(['mallory', 'alice', 'bob', 'carol'])
  expect(waiting.isEmpty()).toBe(true)
})

describe.if(redisProgram !== undefined)('over two nodes', async () => {
  const redis = await redisServer()
  const [one, two] = await nodesOn(redis)
  afterAll(() => Promise.all([stop(one), stop(two)]))

  test('signalling waits while the receiver’s outbound buffer fills on a node that does not own the room', () =>
    slowReader(one, two))
})
