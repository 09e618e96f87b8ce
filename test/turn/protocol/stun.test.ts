import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ipText, parseIp } from '../../../src/core/ip.ts'
import { transportAddress } from '../../../src/turn/protocol/addresses.ts'
import {
  addressesOf,
  Attribute,
  bytesOf,
  Class,
  decode,
  hasValidIntegrity,
  longTermKey,
  type Message,
  Method,
  numberOf,
  attributeOf,
  textOf,
  transactionOf,
  unknownOf,
} from '../../../src/turn/protocol/stun.ts'
import { StunWriter } from '../../../src/turn/protocol/stun-writer.ts'

/** Cases per property: TURN_FUZZ_RUNS=100000 for a long run. */
const numRuns = Number(process.env.TURN_FUZZ_RUNS ?? 2000)

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(/\s+/g, ''), 'hex'))
const read = (hex: string): Message => {
  const message = decode(bytes(hex))
  if (!message) throw new Error('It is a message')
  return message
}

// The messages of RFC 5769 §2.
const HEADER = 'b7e7a701bc34d686fa87dfae'
const REQUEST = `00010058 2112a442 ${HEADER}
  80220010 5354554e 20746573 7420636c 69656e74  00240004 6e0001ff  80290008 932ff9b1 51263b36
  00060009 6576746a 3a683676 59202020  00080014 9aeaa70c bfd8cb56 781ef2b5 b2d3f249 c1b571a2  80280004 e57a3bcf`
const IPV4_ANSWER = `0101003c 2112a442 ${HEADER}  8022000b 74657374 20766563 746f7220
  00200008 0001a147 e112a643  00080014 2b91f599 fd9e90c3 8c7489f9 2af9ba53 f06be7d7  80280004 c07d4c96`
const IPV6_ANSWER = `01010048 2112a442 ${HEADER}  8022000b 74657374 20766563 746f7220
  00200014 0002a147 0113a9fa a5d3f179 bc25f4b5 bed2b9d9
  00080014 a382954e 4be67bf1 1784c97c 8292c275 bfe3ed41  80280004 c8fb0b4c`
const LONG_TERM = `00010060 2112a442 78ad3433c6ad72c029da412e
  00060012 e3839ee3 8388e383 aae38383 e382afe3 82b90000
  0015001c 662f2f34 39396b39 35346436 4f4c3334 6f4c3946 53547679 36347341
  0014000b 6578616d 706c652e 6f726700  00080014 f6702465 6dd64a3e 02b8e071 2e85c9a2 8ca89666`
const SHORT_TERM_KEY = Buffer.from('VOkJxbRl1RmTxUk/WvJxBt')

describe('RFC 5769', () => {
  test('§2.1: a request is decoded, and its integrity is valid for its password only', () => {
    const message = read(REQUEST)
    expect([message.method, message.class]).toEqual([Method.binding, Class.request])
    expect(textOf(message, Attribute.username)).toBe('evtj:h6vY')
    expect(textOf(message, Attribute.software)).toBe('STUN test client')
    expect(hasValidIntegrity(message, SHORT_TERM_KEY)).toBe(true)
    expect(hasValidIntegrity(message, Buffer.from('another'))).toBe(false)
    // PRIORITY (RFC 8445) is unknown here, and its number is below 0x8000.
    expect(unknownOf(message)).toEqual([0x0024])
  })

  test.each([
    ['§2.2', IPV4_ANSWER, '192.0.2.1'],
    ['§2.3', IPV6_ANSWER, '2001:db8:1234:5678:11:2233:4455:6677'],
  ])('%s: a response is decoded with its mapped address', (_section, hex, ip) => {
    const message = read(hex)
    expect([message.method, message.class]).toEqual([Method.binding, Class.success])
    const [address] = addressesOf(message, Attribute.xorMappedAddress) ?? []
    expect(address && [ipText(address.ip), address.port]).toEqual([ip, 32853])
    expect(hasValidIntegrity(message, SHORT_TERM_KEY)).toBe(true)
  })

  test('§2.4: long-term credentials with a username beyond ASCII are valid', () => {
    const message = read(LONG_TERM)
    expect(textOf(message, Attribute.username)).toBe('マトリックス')
    expect(textOf(message, Attribute.nonce)).toBe('f//499k954d6OL34oL9FSTvy64sA')
    const realm = textOf(message, Attribute.realm) ?? ''
    expect(realm).toBe('example.org')
    expect(hasValidIntegrity(message, longTermKey('マトリックス', realm, 'TheMatrIX'))).toBe(true)
  })

  test('§2.2 is encoded to the same bytes, except the padding', () => {
    const writer = new StunWriter(new ArrayBuffer(200))
    const written = writer
      .begin(Method.binding, Class.success, bytes(HEADER))
      .text(Attribute.software, 'test vector')
      .address(Attribute.xorMappedAddress, transportAddress(parseIp('192.0.2.1') ?? new Uint8Array(), 32853))
      .integrity(SHORT_TERM_KEY)
      .finish()
    // The vector pads with a space, which the integrity covers; RFC 8489 §14 pads with zeros.
    const zeros = bytes(IPV4_ANSWER)
    zeros[35] = 0
    expect(Buffer.from(written.slice(0, 52)).toString('hex')).toBe(Buffer.from(zeros.slice(0, 52)).toString('hex'))
    expect(hasValidIntegrity(decode(written) as Message, SHORT_TERM_KEY)).toBe(true)
  })
})

const transaction = fc.uint8Array({ minLength: 12, maxLength: 12 })
const address = fc
  .tuple(fc.constantFrom(4, 16), fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.integer({ min: 0, max: 65535 }))
  .map(([size, ip, port]) => transportAddress(ip.slice(0, size), port))
const attribute = fc.oneof(
  fc.record({
    kind: fc.constant('bytes' as const),
    type: fc.constantFrom(Attribute.data, Attribute.username, Attribute.nonce, 0x7ffe, 0x8055),
    value: fc.uint8Array({ maxLength: 90 }),
  }),
  fc.record({ kind: fc.constant('number' as const), type: fc.constant(Attribute.lifetime), value: fc.nat() }),
  fc.record({ kind: fc.constant('address' as const), type: fc.constant(Attribute.xorPeerAddress), value: address }),
)
const message = fc.record({
  method: fc.integer({ min: 0, max: 0xfff }),
  class: fc.constantFrom(0, 1, 2, 3),
  transaction,
  attributes: fc.array(attribute, { maxLength: 12 }),
  key: fc.option(fc.uint8Array({ minLength: 1, maxLength: 80 })),
})
type Made = typeof message extends fc.Arbitrary<infer M> ? M : never

function write(fields: Made): Uint8Array {
  const writer = new StunWriter(new ArrayBuffer(4096)).begin(fields.method, fields.class, fields.transaction)
  for (const { kind, type, value } of fields.attributes) {
    if (kind === 'bytes') writer.add(type, value)
    else if (kind === 'number') writer.number(type, value)
    else writer.address(type, value)
  }
  if (fields.key) writer.integrity(fields.key)
  return writer.finish().slice()
}

/** Calls every accessor of a message: none throws or reads past the end. */
function readEverything(message: Message): void {
  expect(message.attributes.length).toBeLessThanOrEqual(64)
  for (const { at, length } of message.attributes) expect(at + length).toBeLessThanOrEqual(message.bytes.length)
  for (const type of [...Object.values(Attribute), 0x7ffe]) {
    attributeOf(message, type)
    numberOf(message, type)
    textOf(message, type)
    addressesOf(message, type)
    expect(bytesOf(message, type)?.length ?? 0).toBeLessThanOrEqual(message.bytes.length - 20)
  }
  unknownOf(message)
  hasValidIntegrity(message, SHORT_TERM_KEY)
  expect(transactionOf(message)).toHaveLength(12)
}

test('a written message is decoded to the same values', () => {
  fc.assert(
    fc.property(message, (fields) => {
      const decoded = decode(write(fields))
      if (!decoded) throw new Error('It was not read')
      expect([decoded.method, decoded.class]).toEqual([fields.method, fields.class])
      expect(transactionOf(decoded)).toEqual(fields.transaction)
      const types = [...fields.attributes.map(({ type }) => type), ...(fields.key ? [Attribute.messageIntegrity] : [])]
      expect(decoded.attributes.map(({ type }) => type)).toEqual([...types, Attribute.fingerprint])
      const peers = fields.attributes.flatMap(({ kind, value }) => (kind === 'address' ? [value.key] : []))
      expect(addressesOf(decoded, Attribute.xorPeerAddress)?.map(({ key }) => key)).toEqual(peers)
      if (fields.key) expect(hasValidIntegrity(decoded, fields.key)).toBe(true)
      readEverything(decoded)
    }),
    { numRuns },
  )
})

const change = fc.record({ at: fc.nat(), to: fc.integer({ min: 0, max: 255 }), cut: fc.nat({ max: 40 }) })

test('a changed, cut or extended message is decoded or rejected, and never throws', () => {
  fc.assert(
    fc.property(message, fc.array(change, { minLength: 1, maxLength: 4 }), fc.uint8Array(), (fields, changes, rest) => {
      let changed = write(fields)
      for (const { at, to, cut } of changes) {
        changed[at % changed.length] = to
        if (cut > 36) changed = new Uint8Array(Buffer.concat([changed.subarray(0, at % changed.length), rest, changed]))
        if (changed.length > 20 && cut > 30) changed = changed.subarray(0, at % changed.length)
        if (changed.length === 0) return
      }
      // Most changes break the header: it is repaired, so that the attributes are tested.
      if (changed.length >= 20 && changed.length % 4 === 0) {
        changed[0] = (changed[0] ?? 0) & 0x3f
        changed[2] = (changed.length - 20) >> 8
        changed[3] = (changed.length - 20) & 0xff
        changed.set([0x21, 0x12, 0xa4, 0x42], 4)
      }
      const decoded = decode(changed)
      if (decoded) readEverything(decoded)
    }),
    { numRuns },
  )
})

test('random bytes never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
      const decoded = decode(noise)
      if (decoded) readEverything(decoded)
    }),
    { numRuns },
  )
})

test('a message of 65,532 bytes of empty attributes is rejected quickly', () => {
  const many = new Uint8Array(65_532)
  many.set(write({ method: 1, class: 0, transaction: new Uint8Array(12), attributes: [], key: null }).subarray(0, 20))
  many[2] = (many.length - 20) >> 8
  many[3] = (many.length - 20) & 0xff
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now()
    expect(decode(many)).toBeUndefined()
    return performance.now() - started
  })
  expect(Math.min(...times)).toBeLessThan(50)
})

test('attributes after MESSAGE-INTEGRITY except FINGERPRINT are ignored (RFC 8489 §14.5)', () => {
  const writer = new StunWriter(new ArrayBuffer(400)).begin(Method.refresh, Class.request, new Uint8Array(12))
  const sealed = writer.number(Attribute.lifetime, 600).integrity(SHORT_TERM_KEY)
  const decoded = decode(sealed.number(Attribute.requestedTransport, 17).finish())
  expect(decoded && attributeOf(decoded, Attribute.requestedTransport)).toBeUndefined()
  expect(decoded && hasValidIntegrity(decoded, SHORT_TERM_KEY)).toBe(true)
})
