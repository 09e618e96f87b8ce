import { expect, test } from 'bun:test'
import { RateLimitError, REST } from '@discordjs/rest'
import { boot, type Person, standard, stop } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { newest, post, webhook } from '../../support/webhooks.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = await passersBy(parley, 'alice', 'bob')
const { channel_id, server_id } = await place(alice, bob)
const { id, url } = await webhook(alice, channel_id, 'Hook')

const count = async () => Number((await sql`select count(*)::int as n from messages where author_id = ${id}`)[0]?.n)

/** A form with files, as bytes. */
const formOf = (...parts: [head: string, content: string][]) =>
  new TextEncoder().encode(
    `${parts.map(([head, content]) => `--x\r\n${head}\r\n\r\n${content}\r\n`).join('')}--x--\r\n`,
  )
const FORM = { 'content-type': 'multipart/form-data; boundary=x' }
const file = (n: number): [string, string] => [
  `Content-Disposition: form-data; name="files[${n}]"; filename="${n}.txt"`,
  'x',
]

test('a guess, a part of the token, another webhook’s token and the token of an account open nothing', async () => {
  const { pathname } = new URL(url)
  const token = pathname.split('/').at(-1) ?? ''
  const other = await webhook(alice, channel_id)
  const wrong = [
    `/hooks/${id}/${'A'.repeat(43)}`,
    `/hooks/${id}/${token.slice(0, -1)}`,
    `/hooks/${id}/${token}A`,
    `/hooks/${other.id}/${token}`,
    `/hooks/0/${token}`,
    `/hooks/99999999999999999999/${token}`,
    `/hooks/${id}/${encodeURIComponent("' or 1=1--")}`,
    `/hooks/${id}/${alice.token}`,
  ]
  const before = await count()
  for (const path of wrong) {
    const answer = await post(alice, path, { content: 'x' })
    expect([path, answer.status, answer.body.code]).toEqual([path, 404, 10015])
  }
  for (const [method, rest] of [
    ['DELETE', ''],
    ['PATCH', '/messages/1'],
    ['DELETE', '/messages/1'],
  ])
    expect((await post(alice, `${wrong[0]}${rest}`, { content: 'x' }, { method })).status).toBe(404)
  expect((await post(alice, `${wrong[0]}/slack`, { text: 'x' })).body).toBe('no_service')
  expect(await count()).toBe(before)
})

test('neither the log nor the metrics nor an error holds a token; they name the pattern of the route', async () => {
  const lines: string[] = []
  const loud = await boot({ LOG_LEVEL: 'debug' })
  const write = process.stdout.write.bind(process.stdout)
  const [carol] = await passersBy(loud, 'carol')
  const home = await place(carol)
  process.stdout.write = ((chunk: string | Uint8Array) => (
    lines.push(String(chunk)),
    true
  )) as typeof process.stdout.write
  try {
    const hook = await webhook(carol, home.channel_id)
    const token = hook.url.split('/').at(-1) ?? ''
    const statuses: number[] = []
    for (const [body, rest] of [
      [{ content: 'x' }, ''],
      ['[', ''],
      [{ content: 'x' }, '/nothing'],
      [{ text: 'x' }, '/slack'],
    ] as const)
      statuses.push((await post(carol, hook.url + rest, body)).status)
    // A fault whose error appears in the log.
    await loud.parts.sql`alter table webhook_tokens rename to away`
    statuses.push((await post(carol, hook.url, { content: 'x' })).status)
    expect(statuses).toEqual([204, 400, 404, 200, 500])
    const metrics = await (await fetch(`${loud.url}/metrics`)).text()
    const log = lines.join('')
    const requests = lines.flatMap((line) => (line.includes('"event":"request"') ? [JSON.parse(line)] : []))
    const hooks = requests.filter(({ route }) => route.startsWith('/hooks/'))
    const at = '/hooks/:webhook_id/:token'
    expect(hooks.map(({ route, status }) => [route, status])).toEqual([
      [at, 204],
      [at, 400],
      [`${at}/slack`, 200],
      [at, 500],
    ])
    expect(log).toContain('"level":"error"')
    expect(metrics).toContain(at)
    for (const text of [log, metrics]) expect(text).not.toContain(token)
  } finally {
    process.stdout.write = write
    await stop(loud)
  }
})

test('30 a minute, then 429 as Discord and Slack answer; wrong URLs are counted by address', async () => {
  const strict = await boot({ RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' })
  try {
    const [carol] = await passersBy(strict, 'carol')
    const home = await place(carol)
    const hook = await webhook(carol, home.channel_id)
    const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
    const limit = ({ headers }: { headers: Headers }, name: string) => headers.get(`x-ratelimit-${name}`)
    for (let n = 0; n < 30; n++) {
      const sent = await post(carol, hook.url, { content: `${n}` }, from(`10.0.0.${n}`))
      expect([sent.status, limit(sent, 'limit'), limit(sent, 'remaining')]).toEqual([204, '30', String(29 - n)])
    }
    const limited = await post(carol, hook.url, { content: 'more' }, from('10.0.1.1'))
    expect(limited.status).toBe(429)
    expect(limited.body).toMatchObject({ message: 'You are being rate limited.', global: false })
    expect(limited.body.retry_after).toBeGreaterThan(0)
    expect(limited.headers.get('retry-after')).toBe(String(limited.body.retry_after))
    expect(limit(limited, 'reset-after')).toBe(String(limited.body.retry_after))
    expect(Number(limit(limited, 'reset')) - Date.now() / 1000).toBeWithin(0, 61)
    expect(['remaining', 'bucket', 'scope', 'global'].map((name) => limit(limited, name))).toEqual([
      '0',
      'webhook',
      'user',
      null,
    ])
    const rest = new REST({ api: `${strict.url}/hooks`, rejectOnRateLimit: () => true })
    const route = new URL(hook.url).pathname.replace('/hooks', '') as `/${string}`
    const refused = await rest
      .post(route, { body: { content: 'more' }, auth: false, versioned: false })
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RateLimitError)
    expect(refused).toMatchObject({ limit: 30, global: false, scope: 'user' })
    expect((await post(carol, `${hook.url}/slack`, { text: 'more' }, from('10.0.1.1'))).body).toBe('rate_limited')
    const second = await webhook(carol, home.channel_id)
    // The address has tokens for one such body; further ones are not refused by the webhook's limit.
    const large = { content: 'x', padding: 'x'.repeat(480 * 1024) }
    const sent = await Promise.all(Array.from({ length: 8 }, () => post(carol, second.url, large, from('10.0.2.1'))))
    const refusals = sent.filter(({ status }) => status === 429).map(({ headers }) => headers)
    expect(refusals.length).toBeGreaterThan(0)
    for (const headers of refusals) expect([...headers.keys()].join()).not.toContain('x-ratelimit')
    const guess = `${hook.url.slice(0, -43)}${'A'.repeat(43)}`
    // The general limit refuses some, and lets others pass again 50 ms later.
    for (let wrong = 0; wrong < 60;) {
      const { status } = await post(carol, guess, {}, from('10.9.9.9'))
      expect([404, 429]).toContain(status)
      if (status === 404) wrong += 1
      else await Bun.sleep(50)
    }
    expect((await post(carol, guess, {}, from('10.9.9.9'))).status).toBe(429)
    // All posts of that address, even with the right token; others go on.
    expect((await post(carol, second.url, { content: 'x' }, from('10.9.9.9'))).status).toBe(429)
    expect((await post(carol, second.url, { content: 'x' }, from('10.9.9.8'))).status).toBe(204)
  } finally {
    await stop(strict)
  }
})

test('nobody is mentioned unless allowed_mentions asks and the webhook may', async () => {
  const role = await rank(parley, server_id, 0)
  const content = `<@${bob.id}> <@&${role}> @everyone @here`
  const sent = async (allowed_mentions?: object) => {
    expect((await post(alice, url, { content, ...(allowed_mentions ? { allowed_mentions } : {}) })).status).toBe(204)
    const { mention_ids, mention_role_ids, mention_everyone, mention_here } = await newest(alice, channel_id)
    return [mention_ids, mention_role_ids, mention_everyone, mention_here]
  }
  const all = { parse: ['users', 'roles', 'everyone'] }
  expect(await sent()).toEqual([[], [], false, false])
  expect(await sent({ parse: [] })).toEqual([[], [], false, false])
  expect(await sent({ users: [String(bob.id)] })).toEqual([[bob.id], [], false, false])
  expect(await sent({ users: [alice.id] })).toEqual([[], [], false, false])
  expect(await sent(all)).toEqual([[bob.id], [], false, false])
  await alice.put(`/api/webhooks/${id}`, { mentions_everyone: true })
  expect(await sent(all)).toEqual([[bob.id], [role], true, true])
  await alice.put(`/api/webhooks/${id}`, { mentions_everyone: false })
})

test('addresses that are not http or https are left out; pictures from elsewhere are not shown', async () => {
  const hostile = [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//evil',
    'http://a b',
    'http://a.example/\0x',
    'http://a.example/\u0007x',
    'https://',
    7,
  ]
  for (const bad of hostile) {
    const embed = {
      title: 'x',
      url: bad,
      author: { name: 'y', url: bad },
      image: { url: 'https://evil.example/p.png' },
    }
    expect((await post(alice, url, { embeds: [embed] })).status).toBe(204)
    const { embeds } = await newest(alice, channel_id)
    expect([bad, embeds[0].url, embeds[0].author.url, embeds[0].image]).toEqual([bad, null, null, null])
  }
  await post(alice, `${url}/slack`, { text: '<javascript:alert(1)|click> <https://ok.example|ok>' })
  expect((await newest(alice, channel_id)).content).toBe('click [ok](<https://ok.example>)')
})

test('values too long, too deep, too many or odd are refused by name, and nothing is sent', async () => {
  const before = await count()
  const embed = { title: 'x' }
  const bad: unknown[] = [
    {},
    { content: '' },
    { content: ' \n' },
    { content: 'x'.repeat(4001) },
    { content: `a${'\u0301'.repeat(31)}` },
    { content: 'a\0b' },
    { content: '\ud800' },
    { content: { a: 1 } },
    { content: 'x', username: 'x'.repeat(81) },
    { content: 'x', username: `a${'\u0301'.repeat(31)}` },
    { content: 'x', username: ['x'] },
    { embeds: Array(11).fill(embed) },
    { embeds: [{ title: 'x'.repeat(257) }] },
    { embeds: [{ description: 'x'.repeat(4097) }] },
    { embeds: Array(2).fill({ description: 'x'.repeat(3001) }) },
    { embeds: [{ fields: Array(26).fill({ name: 'x', value: 'x' }) }] },
    { embeds: [{ fields: [{ name: 'x', value: 'x'.repeat(1025) }] }] },
    { embeds: 'x' },
    { embeds: [{}] },
    [],
    'null',
    '"x"',
    '{"content":"x","content":"y"}',
    `${'['.repeat(200)}${']'.repeat(200)}`,
    '{',
  ]
  for (const body of bad) {
    const answer = await post(alice, url, body)
    expect([JSON.stringify(body).slice(0, 80), answer.status]).toEqual([JSON.stringify(body).slice(0, 80), 400])
    expect(answer.body.message).toBeString()
  }
  expect((await post(alice, url, { content: 'x'.repeat(600_000) })).status).toBe(413)
  expect(await count()).toBe(before)
  // Odd but accepted: control characters in a name, unknown fields, numbers as text.
  const odd = {
    content: 42,
    username: 'a\n\u202eb',
    tts: true,
    components: [{}],
    nonsense: { deep: [1] },
    embeds: null,
  }
  expect((await post(alice, url, odd)).status).toBe(204)
  expect(await newest(alice, channel_id)).toMatchObject({ content: '42', author: { display_name: 'a b' } })
})

test('forms that are broken or have too many parts or files are refused; good ones carry files', async () => {
  const before = await count()
  const whole = formOf(['Content-Disposition: form-data; name="content"', 'x'])
  const bad: [Uint8Array, Record<string, string>][] = [
    [whole, { 'content-type': 'multipart/form-data' }],
    [whole, { 'content-type': 'multipart/form-data; boundary=other' }],
    [whole.slice(0, -8), FORM],
    [new Uint8Array(0), FORM],
    [new TextEncoder().encode('--x\r\n'.repeat(100_000)), FORM],
    [new TextEncoder().encode(`--x\r\n${'a: b\r\n'.repeat(1000)}\r\nx\r\n--x--`), FORM],
    [
      formOf(
        ...Array.from({ length: 31 }, (_, n): [string, string] => [`Content-Disposition: form-data; name="${n}"`, 'x']),
      ),
      FORM,
    ],
    [formOf(...Array.from({ length: 11 }, (_, n) => file(n))), FORM],
    [formOf(['Content-Type: text/plain', 'x']), FORM],
    [formOf(['Content-Disposition: form-data; name="payload_json"', '{']), FORM],
    [formOf(['Content-Disposition: form-data; name="f"; filename="empty.txt"', '']), FORM],
  ]
  for (const [at, [body, headers]] of bad.entries())
    expect([at, (await post(alice, url, body, { headers })).status]).toEqual([at, 400])
  const huge = new Uint8Array(27 * 1024 * 1024)
  expect((await post(alice, url, huge, { headers: FORM })).status).toBe(413)
  expect(await count()).toBe(before)
  expect(await sql`select 1 from files f where f.uploader_id = ${alice.id} and f.message_id is null`).toHaveLength(0)
  const form = new FormData()
  form.append('payload_json', '{"content":"with files"}')
  form.append('files[0]', new File(['a,b'], 'rep"ort ü.csv', { type: 'text/csv' }))
  form.append('files[1]', new File(['not a picture'], 'odd.png', { type: 'image/png' }))
  expect((await post(alice, url, form)).status).toBe(204)
  const { files, content } = await newest(bob, channel_id)
  expect(content).toBe('with files')
  expect(files.map(({ filename, content_type, uploader_id }: any) => [filename, content_type, uploader_id])).toEqual([
    ['rep"ort ü.csv', 'text/csv', alice.id],
    ['odd.png', 'application/octet-stream', alice.id],
  ])
  const { download_url } = (await bob.get(`/api/files/${files[0].id}/download-url`)).body
  expect(await (await fetch(download_url)).text()).toBe('a,b')
})

test('a webhook changes and deletes only its own messages, within its bounds', async () => {
  await post(alice, url, { content: 'mine', embeds: [{ title: 'kept' }] })
  const mine = (await newest(alice, channel_id)).id
  const theirs = (await bob.post(`/api/channels/${channel_id}/messages`, { content: 'bob’s' })).body.id
  const other = await webhook(alice, channel_id)
  const patch = (at: string, message: number | string, body: unknown) =>
    post(alice, `${at}/messages/${message}`, body, { method: 'PATCH' })
  for (const [at, message] of [
    [url, theirs],
    [other.url, mine],
    [url, 999_999_999],
    [url, 'x'],
  ] as const) {
    expect((await patch(at, message, { content: 'x' })).status).toBe(404)
    expect((await post(alice, `${at}/messages/${message}`, undefined, { method: 'DELETE' })).status).toBe(404)
  }
  expect((await patch(url, mine, { content: 'changed' })).body).toMatchObject({ id: String(mine), content: 'changed' })
  expect((await alice.get(`/api/messages/${mine}`)).body).toMatchObject({
    content: 'changed',
    embeds: [{ title: 'kept' }],
  })
  expect((await patch(url, mine, { content: '', embeds: [] })).body.code).toBe(50006)
  expect((await patch(url, mine, { embeds: [] })).body.embeds).toEqual([])
  expect((await alice.get(`/api/messages/${mine}`)).body.content).toBe('changed')
  expect((await post(alice, `${url}/messages/${mine}`, undefined, { method: 'DELETE' })).status).toBe(204)
  expect((await alice.get(`/api/messages/${mine}`)).status).toBe(404)
})

test('a post that races with the deletion of its channel is sent or refused, and leaves nothing behind', async () => {
  const [carol] = await passersBy(parley, 'carol')
  const home = await place(carol)
  const race = async (who: Person) => {
    const channel = await who.post(`/api/servers/${home.server_id}/channels`, { name: 'race', type: 'text' })
    const hook = await webhook(who, channel.body.id)
    const form = () => {
      const body = new FormData()
      body.append('file', new File(['x'], 'x.txt', { type: 'text/plain' }))
      return body
    }
    const sends = Array.from({ length: 8 }, (_, n) => post(who, hook.url, n % 2 ? form() : { content: `${n}` }))
    const [deletion, ...sent] = await Promise.all([who.delete(`/api/channels/${channel.body.id}`), ...sends])
    expect(deletion?.status).toBe(204)
    for (const { status } of sent) expect(status).toBeOneOf([204, 404])
    expect(await sql`select 1 from users where id = ${hook.id}`).toHaveLength(0)
  }
  for (let n = 0; n < 3; n++) await race(carol)
  expect(await sql`select 1 from files where uploader_id = ${carol.id}`).toHaveLength(0)
})

test('a session in a cookie counts for nothing here, and another site’s page gains nothing by it', async () => {
  const headers = { cookie: `session=${alice.token}`, origin: 'https://evil.example' }
  expect((await post(alice, `/hooks/${id}/${'A'.repeat(43)}`, { content: 'x' }, { headers })).status).toBe(404)
  const answer = await post(alice, url, { content: 'x' }, { headers })
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
})
