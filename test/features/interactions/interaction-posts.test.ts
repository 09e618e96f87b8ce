import { afterAll, expect, test } from 'bun:test'
import { createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addBot, botOf } from '../../support/bots.ts'
import { boot, type Person, stop, until } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await boot({ INTERACTION_ALLOWED_ADDRESSES: '127.0.0.1' })
const { sql } = parley.parts
const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]

/** A request to an application: raw and parsed. */
interface Taken {
  path: string
  headers: Headers
  body: string
  interaction: Record<string, any>
}
const requests: Taken[] = []
/** The answer of each path. */
const answers = new Map<string, (delivery: Taken) => Response | Promise<Response>>()
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 60,
  async fetch(request) {
    const [path, body] = [new URL(request.url).pathname, await request.text()]
    const delivery = { path, headers: request.headers, body, interaction: JSON.parse(body) }
    requests.push(delivery)
    return answers.get(path)?.(delivery) ?? new Response(null, { status: 404 })
  },
})
const urlOf = (path: string) => `http://127.0.0.1:${server.port}${path}`
afterAll(async () => {
  await stop(parley)
  await server.stop(true)
})

/** A bot of bob's at a URL, in alice's server, with a command; and the events of alice's and the bot's sockets. */
async function stage(path: string, command: object = { name: 'roll', description: 'Rolls dice' }) {
  const home = await place(alice)
  const bot = await botOf(bob, 'Dice')
  await addBot(alice, home.server_id, bot)
  const [{ id: command_id }] = (await bot.put('/api/applications/@me/commands', [command])).body
  const changed = await bob.put(`/api/applications/${bot.id}`, { interactions_url: urlOf(path) })
  expect([changed.status, changed.body.interactions_url]).toEqual([200, urlOf(path)])
  const [botSocket, seen] = [await connect(bot), await connect(alice)]
  const use = async (more: object = {}) => {
    const begun = await alice.post('/api/interactions', {
      kind: 'command',
      channel_id: home.channel_id,
      command_id,
      ...more,
    })
    expect([begun.status, begun.body.errors]).toEqual([201, undefined])
    return begun.body.id as number
  }
  const nextAnswer = async (id: number, kind: string) =>
    (await seen.next('interaction.answered', ({ d }) => d.interaction_id === id && d.kind === kind)).d
  const requestOf = async (id: number) => {
    await until(() => requests.some(({ interaction }) => interaction.id === id))
    return requests.find(({ interaction }) => interaction.id === id) as Taken
  }
  const close = () => [botSocket, seen].forEach((gateway) => gateway.close())
  return {
    ...home,
    bot,
    public_key: changed.body.public_key as string,
    botSocket,
    seen,
    use,
    nextAnswer,
    requestOf,
    close,
  }
}

/** Verifies a request's signature as an application does. */
function isSigned({ headers, body }: Taken, public_key: string): boolean {
  const x = Buffer.from(public_key, 'hex').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const signature = Buffer.from(headers.get('x-signature-ed25519') ?? '', 'hex')
  return verify(null, Buffer.from(headers.get('x-signature-timestamp') + body), key, signature)
}

test('an application with a URL gets signed interactions there, and answers in the response', async () => {
  answers.set('/roll', () => Response.json({ kind: 'message', content: 'You rolled a 5' }))
  const { bot, public_key, botSocket, seen, use, nextAnswer, requestOf, channel_id, server_id, close } =
    await stage('/roll')
  const id = await use()
  const { message_id } = await nextAnswer(id, 'message')
  const { d } = await seen.next('message.created', (frame) => frame.d.id === message_id)
  expect([d.content, d.author.id, d.channel_id]).toEqual(['You rolled a 5', bot.id, channel_id])
  const request = await requestOf(id)
  expect(request.interaction).toMatchObject({ kind: 'command', channel_id, server_id, user: { id: alice.id } })
  expect(request.headers.get('content-type')).toBe('application/json')
  const ageS = Date.now() / 1000 - Number(request.headers.get('x-signature-timestamp'))
  expect(Math.abs(ageS)).toBeLessThan(120)
  expect(isSigned(request, public_key)).toBe(true)
  expect(isSigned({ ...request, body: request.body.replace('roll', 'fold') }, public_key)).toBe(false)
  const other = await botOf(bob, 'Owl')
  const { body } = await other.get('/api/applications/@me')
  expect(isSigned(request, body.public_key)).toBe(false)
  // The bot's sockets do not get the event.
  await bot.post(`/api/channels/${channel_id}/messages`, { content: 'After' })
  await botSocket.next('message.created', (frame) => frame.d.content === 'After')
  expect(botSocket.frames.some(({ t }) => t === 'interaction.created')).toBe(false)
  close()
})

test('after an empty response the answer comes by REST; a response may be a form or choices as well', async () => {
  answers.set('/later', () => new Response(null, { status: 204 }))
  const option = { name: 'bird', description: 'Which', type: 'string', autocomplete: true }
  const { bot, use, nextAnswer, requestOf, close } = await stage('/later', {
    name: 'bird',
    description: 'Tells of birds',
    options: [option],
  })
  const id = await use()
  const { token } = (await requestOf(id)).interaction
  expect((await bot.post(`/api/interactions/${id}/answer`, { token, kind: 'deferred' })).status).toBe(201)
  await nextAnswer(id, 'deferred')
  expect((await bot.put(`/api/interactions/${id}/answer`, { token, content: 'An owl' })).status).toBe(200)
  await nextAnswer(id, 'message')
  const input = { custom_id: 'question', label: 'Question' }
  answers.set('/later', ({ interaction }) =>
    Response.json(
      interaction.kind === 'autocomplete'
        ? { kind: 'choices', choices: [{ name: 'Heron', value: 'heron' }] }
        : { kind: 'modal', modal: { custom_id: 'poll', title: 'A poll', inputs: [input] } },
    ),
  )
  expect((await nextAnswer(await use(), 'modal')).modal.title).toBe('A poll')
  const typed = await use({ kind: 'autocomplete', focused: 'bird', options: { bird: 'he' } })
  expect((await nextAnswer(typed, 'choices')).choices).toEqual([{ name: 'Heron', value: 'heron' }])
  close()
})

test('a failed, redirected or unreadable response counts as none: the answer may still come by REST', async () => {
  const { bot, use, nextAnswer, requestOf, close } = await stage('/odd')
  const odd: (() => Response)[] = [
    () => new Response('no', { status: 500 }),
    () => Response.redirect(urlOf('/elsewhere'), 307),
    () => new Response('not JSON'),
    () => new Response('null'),
    () => Response.json({ kind: 'message', content: 'x'.repeat(4_001) }),
    () => new Response(`{"kind":"message","content":"${'x'.repeat(300_000)}"}`),
  ]
  for (const answer of odd) {
    answers.set('/odd', answer)
    const id = await use()
    const { token } = (await requestOf(id)).interaction
    const response = await bot.post(`/api/interactions/${id}/answer`, {
      token,
      kind: 'message',
      content: 'By REST',
      ephemeral: true,
    })
    expect([response.status, response.body.code]).toEqual([201, undefined])
    await nextAnswer(id, 'ephemeral')
  }
  expect(requests.some(({ path }) => path === '/elsewhere')).toBe(false)
  close()
})

test('an application that hangs holds up only those of its owner', async () => {
  let hanging = 0
  const hangingResponse = Promise.withResolvers<Response>()
  answers.set('/hang', () => {
    hanging++
    return hangingResponse.promise
  })
  answers.set('/quick', () => Response.json({ kind: 'message', content: 'Quick', ephemeral: true }))
  const stuck = await stage('/hang')
  const home = await place(bob)
  const quick = await botOf(alice, 'Quick')
  await addBot(bob, home.server_id, quick)
  const [{ id: command_id }] = (
    await quick.put('/api/applications/@me/commands', [{ name: 'go', description: 'Goes' }])
  ).body
  await alice.put(`/api/applications/${quick.id}`, { interactions_url: urlOf('/quick') })
  const seen = await connect(bob)
  const started = performance.now()
  for (let sent = 0; sent < 12; sent++) await stuck.use()
  const begun = await bob.post('/api/interactions', { kind: 'command', channel_id: home.channel_id, command_id })
  await seen.next('interaction.answered', ({ d }) => d.interaction_id === begun.body.id && d.content === 'Quick')
  expect(hanging).toBeGreaterThan(0)
  // Each request times out after 3 s.
  if (performance.now() - started < 3_000) expect(hanging).toBeLessThanOrEqual(8)
  hangingResponse.resolve(new Response(null, { status: 204 }))
  seen.close()
  stuck.close()
})

test('only its owner and its bot see and set the URL, which has to be https at public addresses', async () => {
  const { bot, close } = await stage('/own')
  const path = `/api/applications/${bot.id}`
  expect((await alice.get(path)).body).not.toHaveProperty('interactions_url')
  expect((await alice.put(path, { interactions_url: urlOf('/hers') })).status).toBe(404)
  expect((await bob.get('/api/applications?limit=100')).body.find(({ id }: any) => id === bot.id)).toMatchObject({
    interactions_url: urlOf('/own'),
  })
  const bad = [
    'http://93.184.215.14/',
    'https://10.0.0.7/',
    'https://[::1]/',
    'https://alice:secret@example.org/',
    'https://example.org:8443/',
    'ftp://127.0.0.1/',
    'interactions',
  ]
  for (const interactions_url of bad) {
    const refused = await bob.put(path, { interactions_url })
    expect([interactions_url, refused.status, refused.body.code]).toEqual([interactions_url, 422, 'validation_failed'])
  }
  expect((await bot.get('/api/applications/@me')).body.interactions_url).toBe(urlOf('/own'))
  expect((await bot.put('/api/applications/@me', { interactions_url: null })).body.interactions_url).toBeNull()
  close()
})

test('a suspended owner’s application gets no requests, nor any with INTERACTION_URLS=off', async () => {
  answers.set('/suspended', () => Response.json({ kind: 'message', content: 'Still here' }))
  const { use, bot, botSocket, requestOf, close } = await stage('/suspended')
  await sql`update users set suspended_at = now(), suspended_reason = 'Spam' where id = ${bob.id}`
  const silent = await use()
  await sql`update users set suspended_at = null, suspended_reason = null where id = ${bob.id}`
  await requestOf(await use())
  expect(requests.some(({ interaction }) => interaction.id === silent)).toBe(false)
  parley.parts.environment.INTERACTION_URLS = 'off'
  const id = await use()
  await botSocket.next('interaction.created', ({ d }) => d.id === id)
  const refused = await bob.put(`/api/applications/${bot.id}`, { interactions_url: urlOf('/new') })
  expect([refused.status, refused.body.code]).toEqual([422, 'validation_failed'])
  parley.parts.environment.INTERACTION_URLS = 'on'
  close()
})

for (const command of [process.execPath, Bun.which('node')].flatMap((found) => found ?? []))
  test(`the service of docs/bots.md answers under ${command === process.execPath ? 'Bun' : 'Node'}`, async () => {
    const { bot, public_key, use, nextAnswer, seen, close } = await stage('/unused')
    const guide = readFileSync(join(import.meta.dir, '../../../docs/bots.md'), 'utf8')
    const program = [...guide.matchAll(/```js\n(.*?)```/gs)].at(-1)?.[1] ?? ''
    const file = join(mkdtempSync(join(tmpdir(), 'parley-service-')), 'service.mjs')
    writeFileSync(file, program)
    const running = Bun.spawn([command, file, public_key, '0'], { stdout: 'pipe', stderr: 'inherit' })
    let output = ''
    for await (const chunk of running.stdout) {
      output += new TextDecoder().decode(chunk)
      if (output.includes('\n')) break
    }
    const url = `http://127.0.0.1:${/^online at (\d+)$/m.exec(output)?.[1]}/`
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
    await bob.put(`/api/applications/${bot.id}`, { interactions_url: url })
    const { message_id } = await nextAnswer(await use(), 'message')
    const { d } = await seen.next('message.created', (frame) => frame.d.id === message_id)
    expect(d.content).toBe(`Pong, ${alice.display_name}!`)
    running.kill()
    await running.exited
    close()
  })
