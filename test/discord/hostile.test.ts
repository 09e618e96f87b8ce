import { afterAll, expect, spyOn, test } from 'bun:test'
import { connect } from 'node:net'
import { inflateSync, constants } from 'node:zlib'
import { snowflake } from '../../src/discord/snowflake.ts'
import { addBot, botOf } from '../support/bots.ts'
import { boot, newServer, person, say, stop, until } from '../support/harness.ts'

const parley = await boot()
const [alice, mallory] = [await person(parley, 'alice'), await person(parley, 'mallory')]
const home = await newServer(alice)
const other = await newServer(mallory)
const bot = await botOf(mallory, 'Eve')
await addBot(mallory, other.server_id, bot)
afterAll(() => stop(parley))

const api = async (method: string, path: string, body?: unknown, token = bot.token, { url } = parley) => {
  const response = await fetch(`${url}/discord/api/v10${path}`, {
    method,
    headers: {
      authorization: `Bot ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, type: response.headers.get('content-type'), body: text && JSON.parse(text) }
}

/** A raw connection to Discord's gateway. */
async function gateway(query = '?v=10&encoding=json', { url } = parley) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/discord/gateway${query}`)
  socket.binaryType = 'arraybuffer'
  const frames: any[] = []
  const bytes: Buffer[] = []
  const closed = new Promise<number>((resolve) => (socket.onclose = ({ code }) => resolve(code)))
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') frames.push(JSON.parse(data))
    else bytes.push(Buffer.from(data))
  }
  await until(() => frames.length + bytes.length > 0 || socket.readyState === WebSocket.CLOSED)
  const send = (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  return { socket, frames, bytes, closed, send }
}

const channelOf = async (channelId: number, owner = alice) => {
  const { created_at } = (await owner.get(`/api/channels/${channelId}`)).body
  return snowflake(channelId, Date.parse(created_at))
}

test('a bot finds nothing by guessed ids: neither by snowflakes nor by bare numbers or paths', async () => {
  const channel = await channelOf(home.channel_id)
  const unknown = { status: 404, type: 'application/json', body: { message: 'Unknown Channel', code: 10003 } }
  for (const id of [channel, String(home.channel_id), '0', '..', '%2e%2e', '..%2Fservers', '9'.repeat(400)])
    expect([id, await api('GET', `/channels/${id}`)]).toEqual([
      id,
      id === '..' || id === '%2e%2e' ? expect.anything() : unknown,
    ])
  const secret = await say(alice, home.channel_id, 'secret')
  const message = snowflake(secret.id, Date.parse(secret.created_at))
  const own = await channelOf(other.channel_id, mallory)
  for (const path of [`/channels/${channel}/messages/${message}`, `/channels/${own}/messages/${message}`])
    expect((await api('GET', path)).body.code).toBe(10008)
  expect((await api('DELETE', `/channels/${own}/messages/${message}`)).body.code).toBe(10008)
  expect((await api('POST', `/channels/${own}/messages/bulk-delete`, { messages: [message] })).status).not.toBe(200)
  expect((await alice.get(`/api/messages/${secret.id}`)).status).toBe(200)
})

test('a token that is no bot’s, none, or a wrong one is answered with 401', async () => {
  for (const token of [alice.token, '', 'x.y.z', `${bot.token}x`]) {
    const answer = await api('GET', '/users/@me', undefined, token)
    expect(answer).toEqual({ status: 401, type: 'application/json', body: { message: '401: Unauthorized', code: 0 } })
  }
  const cookie = await fetch(`${parley.url}/discord/api/users/@me`, { headers: { cookie: `session=${bot.token}` } })
  expect(cookie.status).toBe(401)
})

test('bodies that are malformed, too deep or of other types get an error in Discord’s format', async () => {
  const own = await channelOf(other.channel_id, mallory)
  const path = `/channels/${own}/messages`
  expect((await api('POST', path, '{"content":')).body.code).toBe(50109)
  expect((await api('POST', path, `${'['.repeat(5000)}${']'.repeat(5000)}`)).body.code).toBe(50109)
  const refused = await api('POST', path, {
    content: { $ne: 1 },
    embeds: 'x',
    __proto__: null,
    components: [{ type: 1 }],
  })
  expect(refused.body).toMatchObject({ code: 50035, message: 'Invalid Form Body' })
  expect(Object.keys(refused.body.errors).length).toBeGreaterThan(0)
  const polluting = '{"content":"x","embeds":[{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}]}'
  await api('POST', path, polluting)
  expect(({} as any).polluted).toBeUndefined()
  const sent = await api('POST', path, { content: 'kept', unknown_field: 1, tts: true })
  expect([sent.status, sent.body.content]).toEqual([200, 'kept'])
  expect((await api('POST', path, { content: 'kept', sticker_ids: ['1'] })).status).toBe(404)
})

test('the gateway closes what speaks wrongly with Discord’s codes', async () => {
  const cases: [frame: unknown, code: number][] = [
    ['{', 4002],
    ['x'.repeat(20_000), 4002],
    [{ op: 99 }, 4001],
    [{ op: 8, d: {} }, 4003],
    [{ op: 2, d: { token: 'x', intents: -1 } }, 4002],
    [{ op: 2, d: { token: 'x'.repeat(3000), intents: 0 } }, 4002],
    [{ op: 2, d: { token: 'x.y.z', intents: 0 } }, 4004],
    [{ op: 2, d: { token: alice.token, intents: 0 } }, 4004],
    [{ op: 2, d: { token: bot.token, intents: 0, shard: [3, 2] } }, 4010],
  ]
  for (const [frame, code] of cases) {
    const { send, closed } = await gateway()
    send(frame)
    expect([frame, await closed]).toEqual([frame, code])
  }
  const { send, closed } = await gateway()
  for (let count = 0; count < 130; count++) send({ op: 1, d: null })
  expect(await closed).toBe(4008)
})

test('a session is resumed only with its own bot’s token', async () => {
  const first = await gateway()
  first.send({ op: 2, d: { token: bot.token, intents: 513 } })
  await until(() => first.frames.some(({ t }) => t === 'READY'))
  const { session_id } = first.frames.find(({ t }) => t === 'READY').d
  const thief = await botOf(alice, 'Thief')
  const second = await gateway()
  second.send({ op: 6, d: { token: thief.token, session_id, seq: 1 } })
  await until(() => second.frames.some(({ op }) => op === 9))
  expect(second.frames.some(({ t }) => t === 'RESUMED')).toBe(false)
  for (const seq of [2 ** 31, 2 ** 52]) {
    const third = await gateway()
    third.send({ op: 6, d: { token: bot.token, session_id, seq } })
    await until(() => third.frames.some(({ op }) => op === 9))
  }
  for (const { socket } of [first, second]) socket.close()
})

test('a compressed connection is one zlib stream', async () => {
  const { send, bytes, socket } = await gateway('?v=10&encoding=json&compress=zlib-stream')
  send({ op: 2, d: { token: bot.token, intents: 513 } })
  const text = () => inflateSync(Buffer.concat(bytes), { finishFlush: constants.Z_SYNC_FLUSH }).toString()
  await until(() => text().includes('GUILD_CREATE'))
  expect(bytes.every((chunk) => chunk.subarray(-4).equals(Buffer.from([0, 0, 0xff, 0xff])))).toBe(true)
  socket.close()
})

test('neither tokens nor ids of paths are logged', async () => {
  const lines: string[] = []
  const logging = await boot({ LOG_LEVEL: 'debug' }, parley)
  const write = spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0)
  try {
    await api('GET', `/channels/${await channelOf(home.channel_id)}`, undefined, bot.token, logging)
    for (const path of ['/webhooks/123456789012345678/1.secret', '/interactions/123456789012345678/1.secret/callback'])
      await api('POST', path, { type: 4 }, bot.token, logging)
    const { closed, send } = await gateway(`?v=10&token=${bot.token}`, logging)
    send({ op: 2, d: { token: `${bot.token}x`, intents: 0 } })
    await closed
  } finally {
    write.mockRestore()
    await stop(logging)
  }
  expect(lines.some((line) => line.includes('/discord/api/channels/:channel'))).toBe(true)
  for (const secret of ['1.secret', bot.token, '123456789012345678'])
    expect(lines.filter((line) => line.includes(secret))).toEqual([])
})

test('sessions that are kept for a bot are bounded', async () => {
  const { sql } = parley.parts
  for (let count = 0; count < 105; count++)
    await sql`insert into discord_sessions ${sql({
      id: `old${count}`,
      user_id: bot.id,
      session_id: (await sql<{ id: number }[]>`select id from sessions where user_id = ${bot.id}`)[0]?.id ?? 0,
      base_id: 0,
      intents: 0,
      shard_id: 5,
      shard_count: 9,
    })}`
  const { send, frames, socket } = await gateway()
  send({ op: 2, d: { token: bot.token, intents: 513 } })
  await until(() => frames.some(({ t }) => t === 'READY'))
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from discord_sessions where user_id = ${bot.id}`
  expect(row?.count).toBe(100)
  socket.close()
})

test('DISCORD_API=off takes the door away', async () => {
  const closed = await boot({ DISCORD_API: 'off' }, parley)
  for (const path of ['/discord/api/v10/gateway', '/discord/gateway'])
    expect((await fetch(closed.url + path)).status).toBe(404)
  await stop(closed)
})

test('a message that names hundreds of ids is translated within a bound', async () => {
  const own = await channelOf(other.channel_id, mallory)
  const content = Array.from({ length: 180 }, (_, at) => `<@${snowflake(at + 1, Date.UTC(2020) + at)}>`)
    .join('')
    .slice(0, 3900)
  const fields = Array.from({ length: 25 }, () => ({
    name: 'n',
    value: `<@${snowflake(7, Date.UTC(2021))}>`.repeat(8),
  }))
  const sent = await api('POST', `/channels/${own}/messages`, { content, embeds: [{ fields }] })
  expect([sent.status, sent.body.content]).toEqual([200, content])
})

test('an open route counts the address before it reads a body, which may be hostile', async () => {
  const path = '/interactions/1/1.x/callback'
  const hostile = `{"id":1576839091671007233,"a":"${'\\"'.repeat(120_000)}`
  expect((await api('POST', path, hostile)).body.code).toBe(50109)
  const limited = await boot({ RATE_LIMITS: 'on' }, parley)
  const { hostname, port } = new URL(limited.url)
  const answers: string[] = []
  // More requests than an anonymous address may send at once, and their bodies never arrive.
  const sockets = Array.from({ length: 100 }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('data', (data) => answers.push(data.toString('latin1')))
    // The server may close a connection by RST, because it has not read everything.
    socket.on('error', () => {})
    socket.write(`POST /discord/api/v10${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 200000\r\n\r\n{`)
    return socket
  })
  await until(() => answers.length > 0)
  expect(answers[0]).toStartWith('HTTP/1.1 429')
  for (const socket of sockets) socket.destroy()
  await stop(limited)
})
