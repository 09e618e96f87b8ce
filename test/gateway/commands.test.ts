import { expect, test } from 'bun:test'
import { person, newServer, say, standard, until } from '../support/harness.ts'
import { opcode, RawSocket } from '../support/raw-socket.ts'
import { connect, Gateway, gatewayUrl } from '../support/socket.ts'

const parley = await standard()

/** A raw socket after its handshake. */
async function rawSocket(token: string): Promise<RawSocket> {
  const raw = new RawSocket(parley, `token=${token}`)
  await raw.next('synced')
  return raw
}

/** The code of the close frame that the socket received; 1006 without one. */
async function closeCode(raw: RawSocket): Promise<number> {
  await until(() => raw.hasEnded || raw.frames.some((frame) => frame.opcode === opcode.close))
  const frame = raw.frames.find((candidate) => candidate.opcode === opcode.close)
  raw.destroy()
  return frame ? Buffer.from(frame.payload, 'latin1').readUInt16BE(0) : 1006
}

test('a malformed command frame closes the socket', async () => {
  const mallory = await person(parley, 'mallory')
  const texts = ['', 'hello', '[]', '[{"op":"ping"}]', '"ping"', 'null', '1', '{}', '{"op":"ping"', '{"op":7}']
  const envelopes = ['"id":"1"', '"id":1.5', '"id":-1', '"id":null', '"more":1'].map((rest) => `{"op":"ping",${rest}}`)
  const broken = [...texts, ...envelopes, `{"op":"${'x'.repeat(65)}"}`]
  for (const frame of broken) {
    const live = await connect(mallory)
    live.socket.send(frame)
    expect([frame, (await live.closed).code]).toEqual([frame, 4001])
  }
  const live = await connect(mallory)
  live.socket.send(new Uint8Array(Buffer.from('{"op":"ping","id":1}')))
  expect(await live.closed).toMatchObject({ code: 4001 })
})

test('a frame of 4 KiB is answered, a larger one closes the socket', async () => {
  const mallory = await person(parley, 'mallory')
  const live = await connect(mallory)
  const frame = (bytes: number) => `{"op":"nonsense","id":1,"d":"${'é'.repeat((bytes - 31) / 2)}"}`
  expect(Buffer.byteLength(frame(4095))).toBe(4095)
  live.socket.send(frame(4095))
  await live.settled()
  live.socket.send(frame(4097))
  expect(await live.closed).toMatchObject({ code: 1009 })
  const other = await connect(mallory)
  other.socket.send('x'.repeat(1024 * 1024))
  expect([1006, 1009]).toContain((await other.closed).code)
})

test('text that is not UTF-8 and unmasked frames end the connection', async () => {
  const mallory = await person(parley, 'mallory')
  const first = await rawSocket(mallory.token)
  first.send(opcode.text, Buffer.from([0xff, 0xfe, 0xc0]))
  expect(await closeCode(first)).toBeOneOf([1006, 1007, 4001])
  const second = await rawSocket(mallory.token)
  second.tcp.write(Buffer.from([0x81, 0x02, 0x7b, 0x7d]))
  expect(await closeCode(second)).toBeOneOf([1002, 1006])
})

test('more than 120 commands a minute close the socket', async () => {
  const mallory = await person(parley, 'mallory')
  const live = await connect(mallory)
  // Twice as many, since the next minute may begin meanwhile.
  for (let id = 0; id < 241; id++) live.socket.send(`{"op":"ping","id":${id}}`)
  expect(await live.closed).toMatchObject({ code: 4009 })
})

test('an unknown command or a wrong d is answered with a problem, and the socket stays open', async () => {
  const alice = await person(parley, 'alice')
  const live = await connect(alice)
  for (const [op, d] of [
    ['nonsense', {}],
    ['__proto__', {}],
    ['constructor', {}],
    ['ping', { now: 1 }],
    ['ping', []],
    ['typing.start', {}],
    ['typing.start', { channel_id: '1' }],
    ['typing.start', { channel_id: 2 ** 53 }],
    ['presence.set', { status: 'offline' }],
    ['channel.ack', { channel_id: 1 }],
    ['channel.ack', null],
  ] as const) {
    const answer = await live.command(op as 'ping', d)
    expect([op, answer.error?.code]).toEqual([op, 'validation_failed'])
    expect(answer.error.status).toBe(422)
  }
  await live.settled()
  live.close()
})

test('an answer carries the id of its command, or null', async () => {
  const alice = await person(parley, 'alice')
  const live = await connect(alice)
  expect(await live.command('ping')).toEqual({ re: 1, d: {} })
  const raw = await rawSocket(alice.token)
  raw.send(opcode.text, '{"op":"ping"}')
  raw.send(opcode.text, '{"op":"ping","id":0,"d":null}')
  await until(() => raw.frames.length === 4)
  expect(raw.frames.slice(2).map((frame) => frame.payload)).toEqual(['{"re":null,"d":{}}', '{"re":0,"d":{}}'])
  raw.destroy()
  live.close()
})

test('a command sent before ready is answered after it', async () => {
  const mallory = await person(parley, 'mallory')
  await newServer(mallory)
  for (let round = 0; round < 10; round++) {
    const raw = new RawSocket(parley, `token=${mallory.token}`)
    raw.send(opcode.text, '{"op":"ping","id":1}')
    await until(() => raw.frames.some((frame) => frame.payload === '{"re":1,"d":{}}'))
    // A WebSocket ping may come first.
    const first = raw.frames.find((frame) => frame.opcode === opcode.text)
    expect(first?.payload).toStartWith('{"t":"ready"')
    raw.destroy()
  }
})

test('typing reaches the members who see the channel, and only they can send it', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const mallory = await person(parley, 'mallory')
  const { channel_id } = await newServer(alice, bob)
  const [first, second, stranger] = await Promise.all([connect(alice), connect(bob), connect(mallory)])
  expect(await second.command('typing.start', { channel_id })).toMatchObject({ d: {} })
  const typing = await first.next('typing.started')
  expect(typing).toEqual({
    t: 'typing.started',
    d: { channel_id, user: { id: bob.id, display_name: bob.display_name, avatar_file_id: null, kind: 'person' } },
  })
  expect((await stranger.command('typing.start', { channel_id })).error.code).toBe('not_found')
  expect((await stranger.command('typing.start', { channel_id: 999_999 })).error.code).toBe('not_found')
  await first.settled()
  expect(first.of('typing.started')).toHaveLength(1)
  expect(stranger.of('typing.started')).toEqual([])
  for (const live of [first, second, stranger]) live.close()
})

test('typing needs send_messages', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  await parley.parts.sql`update roles set permissions = permissions & ~(1 << 11)::bigint where server_id = ${server_id}`
  const live = await connect(bob)
  expect((await live.command('typing.start', { channel_id })).error.code).toBe('missing_permission')
  live.close()
})

test('a read mark only moves forward, and reaches only the sockets of its account', async () => {
  const [alice, bob, mallory] = [
    await person(parley, 'alice'),
    await person(parley, 'bob'),
    await person(parley, 'mallory'),
  ]
  const { server_id, channel_id } = await newServer(alice, bob)
  const elsewhere = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'far', type: 'text' })).body.id
  const [one, two] = [await say(alice, channel_id, 'one'), await say(alice, channel_id, 'two')]
  const [phone, laptop, other] = await Promise.all([connect(bob), connect(bob), connect(alice)])
  const ack = (message_id: number, channel = channel_id) =>
    phone.command('channel.ack', { channel_id: channel, message_id })
  expect((await ack(two.id)).d).toEqual({ channel_id, message_id: two.id })
  expect((await laptop.next('channel.read')).d).toEqual({ channel_id, message_id: two.id })
  expect((await ack(one.id)).d).toEqual({ channel_id, message_id: two.id })
  expect((await ack(two.id)).d).toEqual({ channel_id, message_id: two.id })
  expect((await ack(one.id, elsewhere)).error.code).toBe('not_found')
  expect((await ack(999_999_999)).error.code).toBe('not_found')
  const stranger = await connect(mallory)
  const peek = await stranger.command('channel.ack', { channel_id, message_id: one.id })
  expect(peek.error.code).toBe('not_found')
  for (const live of [phone, laptop, other]) await live.settled()
  expect([phone, laptop, other].map((live) => live.of('channel.read').length)).toEqual([1, 1, 0])
  const fresh = await connect(bob)
  expect(fresh.frames[0]?.d.read_marks).toEqual([{ channel_id, message_id: two.id }])
  for (const live of [phone, laptop, other, stranger, fresh]) live.close()
})

test('a deleted newest message can be acknowledged, and the mark never moves beyond it', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const elsewhere = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'far', type: 'text' })).body.id
  const [one, two, three] = [
    await say(alice, channel_id, 'one'),
    await say(alice, channel_id, 'two'),
    await say(alice, channel_id, 'three'),
  ]
  const live = await connect(bob)
  const ack = (message_id: number, channel = channel_id) =>
    live.command('channel.ack', { channel_id: channel, message_id })
  for (const { id } of [two, three]) expect((await alice.delete(`/api/messages/${id}`)).status).toBe(204)
  const { last_message_id } = (await bob.get(`/api/channels/${channel_id}`)).body
  expect(last_message_id).toBe(three.id)
  for (const id of [two.id, three.id + 1, 999_999_999, Number.MAX_SAFE_INTEGER])
    expect([id, (await ack(id)).error?.code]).toEqual([id, 'not_found'])
  expect((await ack(three.id, elsewhere)).error.code).toBe('not_found')
  expect((await ack(one.id)).d).toEqual({ channel_id, message_id: one.id })
  expect((await ack(three.id)).d).toEqual({ channel_id, message_id: three.id })
  await live.next('channel.read', ({ d }) => d.message_id === three.id)
  const fresh = await connect(bob)
  expect(fresh.frames[0]?.d.read_marks).toEqual([{ channel_id, message_id: last_message_id }])
  for (const socket of [live, fresh]) socket.close()
})

test('racing acknowledgements leave the furthest mark, in the log and in the table', async () => {
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  const ids: number[] = []
  for (let n = 0; n < 12; n++) ids.push((await say(alice, channel_id, `${n}`)).id)
  const live = await connect(alice)
  await Promise.all(ids.toReversed().map((message_id) => live.command('channel.ack', { channel_id, message_id })))
  await live.settled()
  const marks = live.of('channel.read').toSorted((a, b) => (a.s ?? 0) - (b.s ?? 0))
  expect(marks.at(-1)?.d.message_id).toBe(ids.at(-1))
  const fresh = new Gateway(gatewayUrl(parley, `token=${alice.token}`))
  expect((await fresh.next('ready')).d.read_marks).toEqual([{ channel_id, message_id: ids.at(-1) }])
  for (const socket of [live, fresh]) socket.close()
})
