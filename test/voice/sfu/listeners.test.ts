import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { Listener, type Listeners, openListeners } from '../../../bench/voice-listeners.ts'
import type { Parley } from '../../../src/parley.ts'
import { bootCalls } from '../../support/browser/voice.ts'
import { person, stop, until } from '../../support/harness.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { gatewayUrl } from '../../support/socket.ts'
import { inVoice, voiceServer } from '../../support/voice-people.ts'

const LISTENERS = 20
const SOUND_MS = 20
const SSRC = 7

const canCompile = Bun.which('cc') !== null && existsSync('/usr/include/openssl/ssl.h')
if (!canCompile)
  console.error('SKIPPED LOUDLY: no cc or no headers of OpenSSL (Debian: apt-get install gcc libssl-dev)')

let parley: Parley
let load: Listeners
beforeAll(async () => {
  if (!canCompile) return
  parley = await bootCalls({ SFU_WORKERS: '2', SFU_PEERS_PER_WORKER: '10', VOICE_P2P_PEERS_MAX: '1' })
  await until(() => parley.sfu.pids().length === 2)
  load = await openListeners()
}, WORKER_MS)
afterAll(async () => {
  await load?.stop()
  if (parley) await stop(parley)
})

/** Sends Opus as a member's microphone, without WebRTC. */
async function speak(channelId: number, id: string): Promise<() => void> {
  const room = await parley.sfu.room(channelId, () => undefined)
  const direct = await room.peer(id).openDirect()
  await direct.produce(SSRC)
  const packet = Buffer.alloc(92, 0xfc)
  packet.writeUInt16BE(0x8000 | 120, 0)
  packet.writeUInt32BE(SSRC, 8)
  let number = 0
  const timer = setInterval(() => {
    packet.writeUInt16BE(++number & 0xffff, 2)
    packet.writeUInt32BE(number * 960, 4)
    direct.send(packet)
  }, SOUND_MS)
  return () => clearInterval(timer)
}

/** A figure of each worker by the metrics, in ascending order. */
async function figures(name: string): Promise<number[]> {
  const text = await parley.parts.metrics.registry.metrics()
  const values = text.matchAll(new RegExp(`^parley_sfu_worker_${name}{worker="\\d"} (\\d+)$`, 'gm'))
  return [...values].map(([, value]) => Number(value)).toSorted()
}

test.skipIf(!canCompile)(
  'twenty listeners on two workers lose nothing, and those of a worker that is killed hear again',
  async () => {
    const people = await Promise.all(Array.from({ length: LISTENERS + 1 }, (_, at) => person(parley, `member${at}`)))
    const [speaker, ...others] = people
    const { channel_id } = await voiceServer(speaker!, ...others)
    const { gateway, id } = await inVoice(speaker!, channel_id, { relay_only: true })
    const be = (who: (typeof others)[number]) =>
      Listener.join(gatewayUrl(parley, `token=${who.token}`), channel_id, load)
    const members = await Promise.all(others.map(be))
    const silence = await speak(channel_id, id)
    await until(async () => (await load.count()).hearing === LISTENERS)
    const room = await parley.sfu.room(channel_id, () => undefined)
    const [branch] = room.branches()
    expect([room.receivers(), branch?.members.size]).toEqual([10, 10])
    expect(await figures('rooms')).toEqual([0, 1])
    expect(await figures('receivers')).toEqual([10, 10])
    expect(await figures('links')).toEqual([0, 1])
    const before = await load.count()
    await until(async () => (await load.count()).packets > before.packets + LISTENERS * 50, 30_000)
    expect((await load.count()).lost).toBe(0)
    // Each listener of the dead worker opens another transport.
    if (branch) process.kill(branch.worker.pid, 'SIGKILL')
    await until(async () => (await load.count()).hearing === LISTENERS + 10, 30_000)
    const again = await load.count()
    await until(async () => (await load.count()).packets > again.packets + LISTENERS * 50, 30_000)
    expect((await load.count()).lost).toBe(0)
    silence()
    await Promise.all(members.map((member) => member.leave()))
    gateway.close()
  },
)
