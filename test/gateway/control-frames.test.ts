import { expect, test } from 'bun:test'
import { CONTROL_FRAMES_PER_MINUTE_MAX } from '../../src/gateway/model.ts'
import { type Person, person, standard, until } from '../support/harness.ts'
import { opcode, RawSocket } from '../support/raw-socket.ts'
import { connect } from '../support/socket.ts'
import { MIC, voiceServer } from '../support/voice-people.ts'

const parley = await standard()

async function raw(who: Person): Promise<RawSocket> {
  const socket = new RawSocket(parley, `token=${who.token}`)
  await socket.next('synced')
  return socket
}

/** The close code that the server sent. */
async function closeCode(socket: RawSocket): Promise<number | undefined> {
  await until(() => socket.frames.some((frame) => frame.opcode === opcode.close))
  const { payload } = socket.frames.find((frame) => frame.opcode === opcode.close) ?? {}
  return payload === undefined ? undefined : Buffer.from(payload, 'latin1').readUInt16BE(0)
}

for (const kind of ['ping', 'pong'] as const)
  test(`a client that sends too many ${kind} frames is closed with 4009`, async () => {
    const mallory = await person(parley, 'mallory')
    const socket = await raw(mallory)
    for (let n = 0; n < CONTROL_FRAMES_PER_MINUTE_MAX - 1; n++) socket.send(opcode[kind], '')
    socket.send(opcode.text, '{"op":"ping","id":1}')
    await until(() => socket.frames.some(({ payload }) => payload.startsWith('{"re":1,')))
    expect(socket.frames.some((frame) => frame.opcode === opcode.close)).toBe(false)
    // Twice as many, since a new minute may begin in between.
    for (let n = 0; n < CONTROL_FRAMES_PER_MINUTE_MAX + 2; n++) socket.send(opcode[kind], 'x'.repeat(125))
    expect(await closeCode(socket)).toBe(4009)
    // The account may connect again.
    const live = await connect(mallory)
    live.close()
  })

test('pings and pongs together have one limit, in every mixture', async () => {
  const socket = await raw(await person(parley, 'mallory'))
  for (let n = 0; n <= 2 * CONTROL_FRAMES_PER_MINUTE_MAX; n++)
    socket.send(n % 2 === 0 ? opcode.ping : opcode.pong, `${n}`)
  expect(await closeCode(socket)).toBe(4009)
})

test('pongs that answer the server’s pings close nobody, however many there are', async () => {
  const alice = await person(parley, 'alice')
  const { channel_id } = await voiceServer(alice)
  const socket = await raw(alice)
  const d = { channel_id, ...MIC }
  socket.send(opcode.text, JSON.stringify({ op: 'voice.join', id: 1, d }))
  await until(() => socket.frames.some(({ payload }) => payload.startsWith('{"re":1,')))
  // A call pings a socket that is silent.
  const pings = () => socket.frames.filter((frame) => frame.opcode === opcode.ping).length
  await until(() => pings() >= 2)
  for (let n = 0; n < CONTROL_FRAMES_PER_MINUTE_MAX - 2; n++) socket.send(opcode.ping, '')
  for (let n = pings(); n > 0; n--) socket.send(opcode.pong, '')
  socket.send(opcode.text, '{"op":"ping","id":2}')
  await until(() => socket.frames.some(({ payload }) => payload.startsWith('{"re":2,')))
  expect(socket.hasEnded).toBe(false)
  expect(socket.frames.some((frame) => frame.opcode === opcode.close)).toBe(false)
  socket.destroy()
})

test('a flood of pings that goes on after the close keeps nobody else waiting', async () => {
  const mallory = await person(parley, 'mallory')
  const flooders = await Promise.all(Array.from({ length: 4 }, () => raw(mallory)))
  // 6-byte frames: masked pings without payload.
  const flood = Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.from([0x89, 0x80, 1, 2, 3, 4])))
  const pump = ({ tcp }: RawSocket): void => {
    if (tcp.destroyed) return
    tcp.write(flood, () => setTimeout(() => pump({ tcp } as RawSocket), 1))
  }
  // The median of what others wait, ms.
  const waiting = async () => {
    const times: number[] = []
    for (let n = 0; n < 30; n++) {
      const began = performance.now()
      expect((await fetch(`${parley.url}/healthz`)).status).toBe(200)
      times.push(performance.now() - began)
    }
    return times.toSorted((a, b) => a - b)[15] ?? 0
  }
  const calm = await waiting()
  for (const flooder of flooders) pump(flooder)
  for (const flooder of flooders) expect(await closeCode(flooder)).toBe(4009)
  expect(await waiting()).toBeLessThan(100 + 10 * calm)
  for (const flooder of flooders) flooder.destroy()
})
