import { expect, test } from 'bun:test'
import { createCipheriv, randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import fc from 'fast-check'
import { Encryption, MODES, PACKET_BYTES_MAX, ReplayWindow } from '../../../src/discord/voice/encryption.ts'
import { layoutOf, parseRtp, type Rtp, rtpHeader } from '../../../src/discord/voice/rtp.ts'
import { UdpLeg } from '../../../src/discord/voice/udp-leg.ts'
import { VoiceUdp } from '../../../src/discord/voice/udp.ts'
import { discover } from '../../support/ip-discovery.ts'

const rtp = (fields: Partial<Rtp> = {}): Rtp => ({
  marker: false,
  payloadType: 120,
  sequence: 7,
  timestamp: 960,
  ssrc: 0xfedcba98,
  payload: Buffer.from('opus'),
  ...fields,
})

/** A pair of ends with the same key. */
function ends(mode: (typeof MODES)[number] = MODES[0]) {
  const key = randomBytes(32)
  const [sender, receiver] = [new Encryption(mode, key), new Encryption(mode, key)]
  return { key, sender, receiver, sealed: (fields?: Partial<Rtp>) => sender.seal(rtp(fields)) as Buffer }
}

test.each([...MODES])('a packet in mode %s arrives as it was sent', (mode) => {
  const { receiver, sealed } = ends(mode)
  for (const fields of [{}, { marker: true, sequence: 65_535, timestamp: 2 ** 32 - 1, payload: randomBytes(1275) }])
    expect(receiver.open(sealed(fields))).toEqual(rtp(fields))
})

test.each([...MODES])('in mode %s, a packet with any changed bit, or cut anywhere, is dropped', (mode) => {
  const { key, sealed } = ends(mode)
  const packet = sealed()
  for (let bit = 0; bit < packet.length * 8; bit++) {
    const changed = Buffer.from(packet)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(new Encryption(mode, key).open(changed)).toBeUndefined()
  }
  for (let length = 0; length < packet.length; length++)
    expect(new Encryption(mode, key).open(packet.subarray(0, length))).toBeUndefined()
  expect(new Encryption(mode, randomBytes(32)).open(packet)).toBeUndefined()
  expect(new Encryption(mode, key).open(packet)).toEqual(rtp())
})

test('random bytes of any length are no packet, and throw nothing', () => {
  const { receiver } = ends()
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: PACKET_BYTES_MAX + 50 }), (bytes) => {
      const packet = Buffer.from(bytes)
      layoutOf(packet)
      parseRtp(packet)
      expect(receiver.open(packet)).toBeUndefined()
    }),
  )
})

test('a packet that came before is dropped, and one out of order is not', () => {
  const { receiver, sealed } = ends()
  const packets = Array.from({ length: 6 }, (_, sequence) => sealed({ sequence }))
  const arrive = (...order: number[]) => order.map((at) => receiver.open(packets[at] as Buffer)?.sequence)
  expect(arrive(0, 3, 1, 1, 3, 2, 0, 5, 4, 4)).toEqual([0, 3, 1, undefined, undefined, 2, undefined, 5, 4, undefined])
})

test('the window of replays knows each of the newest packets, and takes none that is older', () => {
  const window = new ReplayWindow()
  window.note(1000)
  expect([1000, 1001, 999, 873, 872, 0].map((counter) => window.isNew(counter))).toEqual([
    false,
    true,
    true,
    true,
    false,
    false,
  ])
  window.note(873)
  expect(window.isNew(873)).toBe(false)
  window.note(2 ** 32 - 1)
  expect([1000, 2 ** 32 - 1, 2 ** 32 - 2].map((counter) => window.isNew(counter))).toEqual([false, false, true])
})

test('a forged packet with a high counter blocks no later one', () => {
  const { receiver, sealed } = ends()
  const [first, second] = [sealed(), sealed()]
  const forged = Buffer.from(first)
  forged.writeUInt32BE(2 ** 32 - 1, forged.length - 4)
  expect(receiver.open(forged)).toBeUndefined()
  expect(receiver.open(second)).toBeDefined()
})

/** Encrypts by hand a packet whose header has every optional part. */
function withExtension(key: Buffer, body: Buffer, first = 0xb1, words = 2): Buffer {
  const header = Buffer.concat([rtpHeader(rtp()), Buffer.from('src1'), Buffer.from([0xbe, 0xde, 0, words])])
  header[0] = first
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(1)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(header)
  return Buffer.concat([header, cipher.update(body), cipher.final(), cipher.getAuthTag(), nonce.subarray(0, 4)])
}

test('sources, header extension and padding are cut off', () => {
  const { key, receiver } = ends()
  const body = Buffer.concat([Buffer.from('extended'), Buffer.from('opus'), Buffer.from([0, 0, 3])])
  expect(receiver.open(withExtension(key, body))).toEqual(rtp())
})

test('lengths in an authentic packet that exceed it are refused', () => {
  const body = Buffer.from('extended')
  for (const [first, words, bytes] of [
    [0xb1, 3, body],
    [0xb1, 65_535 & 0xff, body],
    [0xb1, 2, Buffer.concat([body, Buffer.from([200])])],
    [0xb1, 2, Buffer.concat([body, Buffer.from([0])])],
  ] as const) {
    const { key, receiver } = ends()
    expect(receiver.open(withExtension(key, Buffer.from(bytes), first, words))).toBeUndefined()
  }
  // More contributing sources than the packet has bytes.
  const { receiver, sealed } = ends()
  const packet = sealed()
  packet[0] = 0x8f
  expect(receiver.open(packet)).toBeUndefined()
})

const HOME = { ip: '198.51.100.7', port: 4000 }
const ELSEWHERE = { ip: '198.51.100.8', port: 4000 }

/** A leg whose bot has chosen its address. */
function leg(demandedIp?: string) {
  const record: Rtp[] = []
  const udp = new UdpLeg(demandedIp, (packet) => void record.push(packet))
  const answer = udp.discover(HOME, 0)
  const key = udp.select(answer ?? HOME, MODES[0])
  const sender = new Encryption(MODES[0], key)
  return { udp, answer, record, sealed: () => sender.seal(rtp({ ssrc: udp.ssrc })) as Buffer }
}

test('media are exchanged only with an address that asked over UDP and was named over TLS', () => {
  const { udp, record, sealed } = leg()
  expect(udp.address).toEqual(HOME)
  udp.receive(sealed(), ELSEWHERE, 0)
  udp.receive(sealed(), { ...HOME, port: 4001 }, 0)
  expect(record).toEqual([])
  udp.receive(sealed(), HOME, 0)
  expect(record).toHaveLength(1)
  // A bot cannot name the address of somebody else.
  udp.select(ELSEWHERE, MODES[0])
  expect(udp.address).toBeUndefined()
})

test('a bot whose address is not certain has to receive at the address that it names', () => {
  const { udp, answer } = leg()
  expect(answer).not.toEqual(HOME)
  expect(answer?.ip).toMatch(/^(\d{1,3}\.){3}\d{1,3}$/)
  expect(udp.discover(HOME, 0)).toEqual(answer as typeof HOME)
  // It knows the victim's address, has forged a question from there, and never sees the answer.
  const attacker = new UdpLeg(undefined, () => {})
  attacker.discover(HOME, 0)
  attacker.select(HOME, MODES[0])
  expect([attacker.address, attacker.maySend(0)]).toEqual([undefined, false])
  // Nor does it know that of another bot.
  attacker.select(answer as typeof HOME, MODES[0])
  expect(attacker.address).toBeUndefined()
})

test('packets to a bot are bounded', () => {
  const { udp } = leg()
  const count = (now: number) => Array.from({ length: 20_000 }, () => udp.maySend(now)).filter(Boolean).length
  expect([count(0), count(0), count(1_000)]).toEqual([5_000, 0, 2_500])
})

test.each(['hidden', 'certain'])(
  'over UDP, a bot whose address is %s is sent packets where it found itself',
  async (way) => {
    const certain = way === 'certain' ? '127.0.0.1' : undefined
    const errors: unknown[] = []
    const server = new VoiceUdp({ DISCORD_VOICE_PORT: 0, SFU_ANNOUNCED_ADDRESS: '127.0.0.1' }, (error) =>
      errors.push(error),
    )
    const { port } = await server.open()
    const udp = new UdpLeg(certain, () => {})
    server.add(udp)
    const socket = createSocket('udp4')
    const own = await discover(socket, port, udp.ssrc)
    const real = { address: '127.0.0.1', port: socket.address().port }
    if (certain) expect(own).toEqual(real)
    else expect(own).not.toEqual(real)
    udp.select({ ip: own.address, port: own.port }, MODES[0])
    expect(udp.address).toEqual({ ip: real.address, port: real.port })
    const packet = new Promise<Buffer>((resolve) => socket.once('message', resolve))
    server.send(Buffer.from('sealed'), udp.address as typeof HOME)
    expect((await packet).toString()).toBe('sealed')
    expect(errors).toEqual([])
    socket.close()
    server.stop()
  },
)

test('a bot whose public address is certain uses no other', () => {
  expect(leg(HOME.ip).answer).toEqual(HOME)
  const foreign = leg(ELSEWHERE.ip)
  expect(foreign.answer).toBeUndefined()
  expect(foreign.udp.address).toBeUndefined()
})

test('strangers who know the number of a bot cannot take its address away, nor use up its share', () => {
  const { udp, record, sealed } = leg()
  for (let port = 1; port < 10; port++) udp.discover({ ...ELSEWHERE, port }, 10_000 * port)
  expect(udp.address).toEqual(HOME)
  const forged = sealed()
  forged[20] = (forged[20] ?? 0) ^ 1
  for (let count = 0; count < 500; count++) udp.receive(forged, HOME, 0)
  for (let count = 0; count < 200; count++) udp.receive(sealed(), HOME, 0)
  expect(record).toHaveLength(200)
})

test('a flood of packets is bounded, and so are questions', () => {
  const { udp, record, sealed } = leg()
  for (let count = 0; count < 1_000; count++) udp.receive(sealed(), HOME, 0)
  expect(record).toHaveLength(250)
  udp.receive(sealed(), HOME, 1_000)
  expect(record).toHaveLength(251)
  const answers = Array.from({ length: 100 }, (_, port) => udp.discover({ ...ELSEWHERE, port }, 0)).filter(Boolean)
  expect(answers.length).toBeLessThan(10)
})

test('a packet of another speaker is dropped although its key is right', () => {
  const { udp, answer, record } = leg()
  const key = udp.select(answer as typeof HOME, MODES[0])
  udp.receive(new Encryption(MODES[0], key).seal(rtp({ ssrc: (udp.ssrc ^ 1) >>> 0 })) as Buffer, HOME, 0)
  expect(record).toEqual([])
})
