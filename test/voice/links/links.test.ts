import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { RedisNodes } from '../../../src/cluster/redis-nodes.ts'
import { openLog } from '../../../src/core/log.ts'
import type { MemberAudio } from '../../../src/voice/sfu/direct-audio.ts'
import { Busy } from '../../../src/voice/sfu/process.ts'
import type { RoutedRoom } from '../../../src/voice/sfu/room.ts'
import type { Sfu } from '../../../src/voice/sfu/sfu.ts'
import { gather } from '../../support/browser/sfu.ts'
import { until } from '../../support/harness.ts'
import { brokenProcess, type LinkedProcess, openProcess } from '../../support/voice-links.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { linkTo, redisProgram, redisServer } from '../../support/redis.ts'

const SOUND_MS = 20

describe.if(redisProgram !== undefined)('links between processes', () => {
  let owner: LinkedProcess
  let host: LinkedProcess
  let url = ''
  let channels = 0
  let clients = 0
  beforeAll(async () => {
    url = (await redisServer()).url
    ;[owner, host] = await Promise.all([openProcess(url), openProcess(url)])
    await until(() => owner.links.understands(host.nodes.id) && host.links.understands(owner.nodes.id))
  }, WORKER_MS)
  afterAll(() => Promise.all([owner?.stop(), host?.stop()]))

  async function openRoom() {
    await until(() => owner.sfu.state() === 'ready' && owner.links.choose([]) === host.nodes.id)
    const happened = gather()
    const room = await owner.sfu.room(++channels, happened.tell, owner.links)
    owner.rooms.clear()
    owner.rooms.add(room)
    return { room, happened }
  }

  /** The room is closed, and nothing of it is left on either process. */
  async function close(room: RoutedRoom) {
    room.close()
    await until(() => host.links.hosted() === 0 && host.sfu.figures().every(({ receivers }) => receivers === 0))
  }

  const portOf = (sfu: Sfu) => sfu.endpoints().map(({ port }) => port)
  const receiving = async (room: RoutedRoom, name: string) =>
    (await room.peer(name).createTransport('recv')).ice_candidates[0]?.port ?? 0

  /** Opens receiving transports, of which the first fill the owner's worker. @returns the ports */
  async function crowd(room: RoutedRoom, ...names: string[]) {
    const ports: number[] = []
    for (const name of names) ports.push(await receiving(room, name))
    return ports
  }

  /** Sends sound until it is stopped. */
  async function speak(audio: MemberAudio, ssrc: number) {
    await audio.produce(ssrc)
    let number = 0
    const packet = Buffer.alloc(32, 0xfc)
    packet.writeUInt16BE(0x8000 | 120, 0)
    packet.writeUInt32BE(ssrc, 8)
    const timer = setInterval(() => {
      packet.writeUInt16BE(++number & 0xffff, 2)
      packet.writeUInt32BE(number * 960, 4)
      audio.send(packet)
    }, SOUND_MS)
    return () => clearInterval(timer)
  }
  const producerOf = (room: RoutedRoom, name: string) =>
    room.producers().find(({ voice_session_id }) => voice_session_id === name)?.producer_id ?? ''

  async function hear(audio: MemberAudio, producerId: string) {
    let count = 0
    const stop = await audio.receive(producerId, () => void count++)
    return { count: () => count, stop }
  }
  const grows = async (count: () => number) => {
    const before = count()
    await until(() => count() > before + 10)
  }
  /** Waits until nothing has come for the time of ten packets: some may be on their way. */
  async function rests(count: () => number) {
    for (let before = -1; before !== count();) {
      before = count()
      await Bun.sleep(10 * SOUND_MS)
    }
  }
  /** A member of the owner's room whose audio the host carries. */
  async function remote() {
    const client = ++clients
    return { name: `client ${client}`, audio: await host.links.openAudio(owner.nodes.id, client) }
  }

  test('members beyond a machine’s workers receive from another process; a producer crosses to it once', async () => {
    const { room, happened } = await openRoom()
    const [ann, ben, cat, dan, eve] = await crowd(room, 'ann', 'ben', 'cat', 'dan', 'eve')
    // The last one finds no space anywhere.
    for (const port of [ann, ben, eve]) expect(portOf(owner.sfu)).toContain(port!)
    for (const port of [cat, dan]) expect(portOf(host.sfu)).toContain(port!)
    expect(host.sfu.figures()).toMatchObject([{ rooms: 0, receivers: 2, links: 1 }])
    const speaker = await room.peer('fay').openDirect()
    const stop = await speak(speaker, 7)
    for (const name of ['ann', 'cat', 'dan']) {
      const { consumer_id, rtp_parameters } = await room
        .peer(name)
        .consume(producerOf(room, 'fay'), room.rtp_capabilities)
      expect(rtp_parameters.codecs[0]?.mimeType).toBe('audio/opus')
      await room.peer(name).pauseConsumer(consumer_id, false)
    }
    const [branch] = room.linked()
    const { consumerIds } = await (await branch!.pipe).dump()
    expect(consumerIds).toHaveLength(1)
    // The next one takes the place of one who left.
    room.peer('cat').close()
    await until(() => host.sfu.figures().every(({ receivers }) => receivers === 1))
    expect(portOf(host.sfu)).toContain((await receiving(room, 'gus'))!)
    for (const name of ['dan', 'gus']) room.peer(name).close()
    expect(room.linked()).toEqual([])
    await until(() => host.links.hosted() === 0)
    expect(happened.of('receiving_reset')).toEqual([])
    stop()
    await close(room)
  })

  test('sound passes a link in both directions, encrypted, and not while its member is silenced', async () => {
    const { room } = await openRoom()
    const here = await room.peer('ann').openDirect()
    const there = await remote()
    const stops = [await speak(here, 7), await speak(there.audio, 8)]
    const toThere = await hear(there.audio, producerOf(room, 'ann'))
    const toHere = await hear(here, producerOf(room, there.name))
    await Promise.all([grows(toThere.count), grows(toHere.count)])
    for (const branch of room.linked()) expect((await branch.pipe).srtpParameters).toBeDefined()
    for (const [name, { count }] of [
      ['ann', toThere],
      [there.name, toHere],
    ] as const) {
      await room.peer(name).hold(['microphone'])
      await rests(count)
      await room.peer(name).hold([])
      await grows(count)
    }
    // A listener of a stage sends nothing, and its packets do not cross either.
    room.peer(there.name).listen(true)
    await rests(toHere.count)
    await expect(there.audio.produce(9)).rejects.toMatchObject({ code: 'forbidden' })
    toThere.stop()
    await rests(toThere.count)
    for (const stop of stops) stop()
    await close(room)
  })

  test('when the worker of a branch dies, its members receive anew and the others notice nothing', async () => {
    const { room, happened } = await openRoom()
    await crowd(room, 'ann', 'ben', 'cat', 'dan')
    for (const pid of host.sfu.pids()) process.kill(pid, 'SIGKILL')
    await until(() => happened.of('receiving_reset').length === 2)
    expect(happened.of('receiving_reset').map(({ to }) => to)).toEqual(['cat', 'dan'])
    await until(() => host.sfu.state() === 'ready' && owner.links.choose([]) === host.nodes.id)
    expect(portOf(host.sfu)).toContain(await receiving(room, 'cat'))
    expect(happened.of('receiving_reset')).toHaveLength(2)
    await close(room)
  })

  test(
    'a process that drains gives its branches up, and gets no further ones',
    async () => {
      const { url } = await redisServer()
      const [staying, draining] = await Promise.all([openProcess(url), openProcess(url)])
      await until(() => staying.links.choose([]) === draining.nodes.id)
      const happened = gather()
      const room = await staying.sfu.room(1, happened.tell, staying.links)
      await crowd(room, 'ann', 'ben', 'cat')
      draining.links.retire()
      await until(() => happened.of('receiving_reset').length === 1)
      await until(() => !staying.links.understands(draining.nodes.id))
      expect(portOf(staying.sfu)).toContain(await receiving(room, 'cat'))
      await Promise.all([staying.stop(), draining.stop()])
    },
    WORKER_MS,
  )

  test(
    'when a process falls silent or its media stop, its members receive elsewhere within 3 s',
    async () => {
      const { url } = await redisServer()
      const [staying, silent] = await Promise.all([openProcess(url), openProcess(url)])
      await until(() => staying.links.choose([]) === silent.nodes.id)
      const happened = gather()
      const room = await staying.sfu.room(1, happened.tell, staying.links)
      await crowd(room, 'ann', 'ben', 'cat')
      // The beats before are answered.
      await Bun.sleep(600)
      const [pid] = silent.sfu.pids()
      process.kill(pid!, 'SIGSTOP')
      await until(() => happened.of('receiving_reset').length === 1)
      expect(portOf(staying.sfu)).toContain(await receiving(room, 'cat'))
      process.kill(pid!, 'SIGCONT')
      await until(async () => {
        room.peer('cat').close()
        return portOf(silent.sfu).includes(await receiving(room, 'cat'))
      })
      silent.connection.stop()
      await until(() => happened.of('receiving_reset').length === 2)
      expect(portOf(staying.sfu)).toContain(await receiving(room, 'cat'))
      await Promise.all([staying.stop(), silent.stop()])
    },
    WORKER_MS,
  )

  test(
    'members leave a process to which a link passes nothing, or whose answers are malformed',
    async () => {
      const { url } = await redisServer()
      const staying = await openProcess(url)
      const consume = { consumer: 'c', rtp_parameters: {}, score: {} }
      const offer = { transport: 't', ice_parameters: {}, ice_candidates: [], dtls_parameters: {} }
      for (const answers of [{}, { create_transport: offer, consume }]) {
        const broken = await brokenProcess(url, answers)
        await until(() => staying.links.choose([]) === broken.nodes.id)
        const happened = gather()
        const room = await staying.sfu.room(++channels, happened.tell, staying.links)
        await crowd(room, 'ann', 'ben')
        const stop = await speak(await room.peer('fay').openDirect(), 7)
        const isPlaced = (await room.peer('cat').createTransport('recv')).transport_id === 't'
        expect(isPlaced).toBe('consume' in answers)
        const { consumer_id } = await room.peer('cat').consume(producerOf(room, 'fay'), room.rtp_capabilities)
        await room.peer('cat').pauseConsumer(consumer_id, false)
        await until(() => room.linked().length === 0)
        expect(happened.of('receiving_reset').map(({ to }) => to)).toEqual(['cat'])
        expect(staying.links.choose([])).toBeUndefined()
        expect(portOf(staying.sfu)).toContain(await receiving(room, 'cat'))
        stop()
        room.close()
        broken.stop()
        await until(() => staying.nodes.others().length === 0)
      }
      await staying.stop()
    },
    WORKER_MS,
  )

  test(
    'links go on while Redis is away, and nobody is placed on one meanwhile',
    async () => {
      const redis = await redisServer()
      const [staying, other] = await Promise.all([openProcess(redis.url), openProcess(redis.url)])
      await until(() => staying.links.choose([]) === other.nodes.id)
      const happened = gather()
      const room = await staying.sfu.room(++channels, happened.tell, staying.links)
      staying.rooms.add(room)
      const stop = await speak(await room.peer('ann').openDirect(), 7)
      const audio = await other.links.openAudio(staying.nodes.id, ++clients)
      const { count } = await hear(audio, producerOf(room, 'ann'))
      await grows(count)
      await redis.kill()
      // Requests fail by then, and end nothing.
      await until(async () => {
        const opening = room.linked()[0]?.openTransport({})
        return opening !== undefined && (await opening.catch((error) => error)) instanceof Busy
      })
      await grows(count)
      await redis.restart()
      await until(
        async () =>
          (await room
            .linked()[0]
            ?.openTransport({})
            .catch(() => undefined)) !== undefined,
      )
      await grows(count)
      expect(happened.of('receiving_reset')).toEqual([])
      stop()
      await Promise.all([staying.stop(), other.stop()])
    },
    WORKER_MS,
  )

  test(
    'hostile parameters end no branch, and a thousand joins leave nothing behind',
    async () => {
      const { room, happened } = await openRoom()
      await crowd(room, 'ann', 'ben', 'cat')
      const speaker = await room.peer('fay').openDirect()
      await speaker.produce(7)
      const hostile = { codecs: [{ mimeType: 'audio/opus', kind: 'audio', clockRate: -1 }] } as never
      const consuming = room.peer('cat').consume(producerOf(room, 'fay'), hostile)
      await expect(consuming).rejects.toMatchObject({ code: 'validation_failed' })
      const offer = await room.peer('cat').createTransport('recv')
      const connecting = room
        .peer('cat')
        .connect(offer.transport_id, { fingerprints: [{ algorithm: 'x', value: 'y' }] } as never)
      await expect(connecting).rejects.toMatchObject({ code: 'validation_failed' })
      const [branch] = room.linked()
      for (let joins = 0; joins < 1_000; joins++) {
        await room.peer('cat').createTransport('recv')
        await room.peer('cat').consume(producerOf(room, 'fay'), room.rtp_capabilities)
      }
      expect(room.linked()).toEqual([branch!])
      await until(() => host.sfu.figures().every(({ receivers }) => receivers === 2))
      expect(room.peer('cat').streams()).toBe(1)
      expect(happened.of('receiving_reset')).toEqual([])
      await close(room)
    },
    WORKER_MS,
  )

  test('messages of a process that has no part in a branch change nothing', async () => {
    const { room, happened } = await openRoom()
    await crowd(room, 'ann', 'ben', 'cat')
    const [branch] = room.linked()
    const connection = await linkTo(url)
    const stranger = new RedisNodes(connection, openLog('silent'))
    await until(() => stranger.others().length >= 2)
    const answers: any[] = []
    stranger.onMessage('voice.link_answer', (_from, body) => void answers.push(body))
    const ask = (op: string, d: unknown) => stranger.send(host.nodes.id, 'voice.link', { n: answers.length + 1, op, d })
    const answered = async (op: string, d: unknown) => {
      const before = answers.length
      ask(op, d)
      await until(() => answers.length > before)
      return answers.at(-1).error?.code ?? answers.at(-1).d
    }
    expect(await answered('create_transport', { branch: branch!.id })).toBe('not_found')
    expect(await answered('discard', { branch: branch!.id, ids: ['x'] })).toBe('not_found')
    expect(await answered('close', { branch: branch!.id })).toEqual({})
    expect(await answered('open', { branch: 'x', end: { ip: 'example.org', port: 0 } })).toBe('validation_failed')
    expect(await answered('audio_close', { client: 1, transport: 'x' })).toBe('not_found')
    stranger.send(owner.nodes.id, 'voice.link_events', { branch: branch!.id, events: [{ type: 'ended' }] })
    stranger.send(owner.nodes.id, 'voice.link_beat', { owned: [], hosted: [] })
    stranger.send(host.nodes.id, 'voice.link_beat', { owned: [], hosted: 'all' })
    expect(await answered('close', { branch: branch!.id })).toEqual({})
    expect(room.linked()).toEqual([branch!])
    expect(host.links.hosted()).toBe(1)
    expect(happened.of('receiving_reset')).toEqual([])
    stranger.stop()
    connection.stop()
    await close(room)
  })
})
