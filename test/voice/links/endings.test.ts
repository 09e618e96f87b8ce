import { describe, expect, test } from 'bun:test'
import type { types } from 'mediasoup'
import type { Seat, VoiceClient } from '../../../src/voice/seat.ts'
import { Busy } from '../../../src/voice/sfu/process.ts'
import type { RoutedRoom } from '../../../src/voice/sfu/room.ts'
import { Deafness } from '../../../src/voice/signalling/deafness.ts'
import { gather } from '../../support/browser/sfu.ts'
import { until } from '../../support/harness.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { brokenProcess, openProcess } from '../../support/voice-links.ts'

const SOUND_MS = 20

/** Fills the workers of the room's process, so that the last member receives from another process. */
async function crowd(room: RoutedRoom, ...names: string[]) {
  for (const name of names) await room.peer(name).createTransport('recv')
}

async function speak(room: RoutedRoom) {
  const direct = await room.peer('fay').openDirect()
  await direct.produce(7)
  let number = 0
  const packet = Buffer.alloc(32, 0xfc)
  packet.writeUInt16BE(0x8000 | 120, 0)
  packet.writeUInt32BE(7, 8)
  const timer = setInterval(() => {
    packet.writeUInt16BE(++number & 0xffff, 2)
    packet.writeUInt32BE(number * 960, 4)
    direct.send(packet)
  }, SOUND_MS)
  return { producer_id: room.producers()[0]?.producer_id ?? '', stop: () => clearInterval(timer) }
}

describe.if(redisProgram !== undefined)('what ends behind a link', () => {
  test(
    'a producer that ends while it is being brought to another process does not stay there',
    async () => {
      const { url } = await redisServer()
      const staying = await openProcess(url)
      const arrived = Promise.withResolvers<void>()
      const offer = { transport: 't', ice_parameters: {}, ice_candidates: [], dtls_parameters: {} }
      const broken = await brokenProcess(url, { create_transport: offer }, (op) =>
        op === 'produce' ? arrived.promise : Promise.resolve(),
      )
      await until(() => staying.links.choose([]) === broken.nodes.id)
      const room = await staying.sfu.room(1, gather().tell, staying.links)
      await crowd(room, 'ann', 'ben', 'cat')
      const { producer_id, stop } = await speak(room)
      const bringing = room.peer('cat').consume(producer_id, room.rtp_capabilities)
      const asks = (op: string) => broken.requests.findLastIndex((each) => each.op === op)
      await until(() => asks('produce') >= 0)
      room.peer('fay').close()
      // This one finds nothing there yet.
      await until(() => asks('discard') >= 0)
      const early = asks('discard')
      arrived.resolve()
      await expect(bringing).rejects.toBeDefined()
      await until(() => asks('discard') > early)
      expect(broken.requests[asks('discard')]?.d.ids).toEqual([producer_id])
      stop()
      room.close()
      broken.stop()
      await staying.stop()
    },
    WORKER_MS,
  )

  test(
    'members whose parameters are as long as a command end no branch',
    async () => {
      const { url } = await redisServer()
      const [staying, other] = await Promise.all([openProcess(url), openProcess(url)])
      await until(() => staying.links.choose([]) === other.nodes.id)
      const happened = gather()
      const room = await staying.sfu.room(1, happened.tell, staying.links)
      await crowd(room, 'ann', 'ben', 'cat')
      const [branch] = room.linked()
      const codecs = [{ mimeType: 'video/VP8', payloadType: 96, clockRate: 90_000 }]
      /** Makes a picture, and shows it to the member behind the link. */
      const show = async (cname: string, ssrc: number, feedback?: types.RtcpFeedback[]) => {
        // mediasoup keeps the first name of a transport.
        const { transport_id } = await room.peer('eve').createTransport('send')
        const parameters = { codecs, encodings: [{ ssrc }], rtcp: { cname } }
        const { producer_id } = await room.peer('eve').produce(transport_id, 'video', parameters, 'camera')
        const { codecs: all = [], ...rest } = room.rtp_capabilities
        const others = all.map((codec) =>
          codec.mimeType === 'video/VP8' && feedback ? { ...codec, rtcpFeedback: feedback } : codec,
        )
        return room.peer('cat').consume(producer_id, { ...rest, codecs: others })
      }
      // It passes the link, and what the member gets would be too long for an answer: that has some more fields.
      await expect(show('x'.repeat(64_500), 1)).rejects.toMatchObject({ code: 'validation_failed' })
      expect(room.linked()).toEqual([branch!])
      // mediasoup adds an empty parameter to each of these.
      const many = Array.from({ length: 4_000 }, () => ({ type: 'a' }))
      await expect(show('x', 2, many)).rejects.toMatchObject({ code: 'validation_failed' })
      expect(room.linked()).toEqual([branch!])
      await show('x'.repeat(1_000), 3)
      expect(happened.of('receiving_reset')).toEqual([])
      await Promise.all([staying.stop(), other.stop()])
    },
    WORKER_MS,
  )

  test(
    'when one of a process’s workers hangs, members on the other one stay, and those on it receive elsewhere',
    async () => {
      const { url } = await redisServer()
      const [staying, other] = await Promise.all([openProcess(url), openProcess(url, 2)])
      await until(() => staying.links.choose([]) === other.nodes.id)
      const happened = gather()
      const room = await staying.sfu.room(1, happened.tell, staying.links)
      await crowd(room, 'ann', 'ben')
      const ports = new Map<string, number | undefined>()
      for (const name of ['cat', 'dan', 'eve', 'gus'])
        ports.set(name, (await room.peer(name).createTransport('recv')).ice_candidates[0]?.port)
      expect(other.sfu.figures()).toMatchObject([{ receivers: 2 }, { receivers: 2 }])
      let beats = 0
      staying.nodes.onMessage('voice.link_beat', () => void beats++)
      await until(() => beats > 0)
      const endpoints = other.sfu.endpoints()
      const hanging = endpoints.slice(0, endpoints.length / 2).map(({ port }) => port)
      const [pid] = other.sfu.pids()
      process.kill(pid!, 'SIGSTOP')
      const resets = () => happened.of('receiving_reset').map(({ to }) => to)
      await until(() => resets().length === 2)
      // More than may be missed.
      const before = beats
      await until(() => beats > before + 5)
      expect(resets()).toEqual([...ports].flatMap(([name, port]) => (hanging.includes(port ?? 0) ? [name] : [])))
      expect(room.linked()).toHaveLength(1)
      // The process gets no further branch for a while.
      for (const name of resets())
        expect(staying.sfu.endpoints().map(({ port }) => port)).toContain(
          (await room.peer(name).createTransport('recv')).ice_candidates[0]?.port ?? 0,
        )
      // A member whose media that process carries gets a branch there all the same, on the worker that answers.
      const further = await staying.sfu.room(2, gather().tell, staying.links)
      await further.peer('hal').openRemote(other.nodes.id)
      expect(other.links.hosted()).toBe(2)
      process.kill(pid!, 'SIGCONT')
      further.close()
      await until(() => other.links.hosted() === 1)
      await Promise.all([staying.stop(), other.stop()])
    },
    WORKER_MS,
  )

  test(
    'a process passes over a worker that hangs when it opens branches',
    async () => {
      const { url } = await redisServer()
      const [staying, other] = await Promise.all([openProcess(url), openProcess(url, 2)])
      await until(() => staying.links.choose([]) === other.nodes.id)
      const [pid] = other.sfu.pids()
      process.kill(pid!, 'SIGSTOP')
      let rooms = 0
      /** Opens a branch on that process. */
      const branch = async () => {
        const room = await staying.sfu.room(++rooms, gather().tell, staying.links)
        await room.peer('ann').openRemote(other.nodes.id)
        return room
      }
      // Two workers that answer would take two branches by turns.
      await branch()
      await branch()
      expect(other.sfu.figures().map(({ links }) => links)).toEqual([0, 2])
      process.kill(pid!, 'SIGCONT')
      // It answers, and is the least loaded.
      await until(async () => {
        const room = await branch().catch(() => undefined)
        const isThere = other.sfu.figures()[0]?.links === 1
        if (!isThere) room?.close()
        return isThere
      })
      await Promise.all([staying.stop(), other.stop()])
    },
    WORKER_MS,
  )

  test(
    'a member who is deafened while no request gets through hears nothing once they get through',
    async () => {
      const redis = await redisServer()
      const [staying, other] = await Promise.all([openProcess(redis.url), openProcess(redis.url)])
      await until(() => staying.links.choose([]) === other.nodes.id)
      const room = await staying.sfu.room(1, gather().tell, staying.links)
      staying.rooms.add(room)
      await crowd(room, 'ann', 'ben', 'cat')
      const { producer_id, stop } = await speak(room)
      const place = { routed: room }
      const seat = { room: place, voice_session_id: 'cat', server_deaf: false, user: { id: 1 } } as unknown as Seat
      const rooms = { of: () => seat, demandSeat: () => seat, ofUser: () => seat }
      const deafness = new Deafness(rooms as never)
      const commands = deafness.within({
        'voice.sfu.consume': () => room.peer('cat').consume(producer_id, room.rtp_capabilities),
        'voice.sfu.resume_consumer': async (_client: VoiceClient, d: { consumer_id: string }) => {
          await room.peer('cat').pauseConsumer(d.consumer_id, false)
          return {}
        },
      } as never)
      const client = {} as VoiceClient
      const { consumer_id } = await commands['voice.sfu.consume'](client, { producer_id, rtp_capabilities: {} })
      await commands['voice.sfu.resume_consumer'](client, { consumer_id })
      const [branch] = room.linked()
      const pipe = await branch!.pipe
      const sent = async () => (await pipe.getStats())[0]?.rtpBytesSent ?? 0
      const flows = async () => {
        const before = await sent()
        await Bun.sleep(10 * SOUND_MS)
        return (await sent()) > before
      }
      await until(flows)
      await redis.kill()
      await until(async () => (await branch!.openTransport({}).catch((error) => error)) instanceof Busy)
      seat.server_deaf = true
      await deafness.apply(seat)
      await redis.restart()
      await until(async () => !(await flows()))
      expect(room.linked()).toEqual([branch!])
      // It hears again once it may.
      seat.server_deaf = false
      await deafness.apply(seat)
      await until(flows)
      stop()
      await Promise.all([staying.stop(), other.stop()])
    },
    WORKER_MS,
  )
})
