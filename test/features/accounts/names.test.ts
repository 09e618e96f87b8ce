import { expect, test } from 'bun:test'
import { isCall, isReserved, latinOf } from '../../../src/core/look-alikes.ts'
import { withoutHidden } from '../../../src/core/visible.ts'
import { cleanName, cleanOwnName } from '../../../src/features/imports/names.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { type Person, newServer, say, standard } from '../../support/harness.ts'
import { group, passersBy } from '../../support/people.ts'
import { png, upload } from '../../support/uploads.ts'
import { newest, post, webhook } from '../../support/webhooks.ts'

const parley = await standard()
const [alice, bob, carol] = (await passersBy(parley, 'alice', 'bob', 'carol')) as [Person, Person, Person]
const { server_id, channel_id } = await newServer(alice, bob, carol)

const HIDDEN = 'He\u202er\u200b\u2066o\u{e0041}n\ufeff\u3164'
const KEPT = ['👩‍👩‍👧', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '❤️', 'می‌خواهم', 'ക്‍', '葛\u{e0100}', '1\ufe0f\u20e3']
const LIKE_CALLS = [
  'everyone',
  '@everyone',
  '@Here',
  'hеre',
  'ＨＥＲＥ',
  'ev3ry0ne',
  'e.v.e.r.y.o.n.e',
  'Éveryone',
  '𝐡𝐞𝐫𝐞',
]
const LIKE_OURS = ['System', 'SYSTEM', 'Ѕуѕтем', 'Sys\u200btem', 'Deleted user', '5ystern', '[System]']

/** The routes that write names: each sets one and returns the stored name. */
async function doors() {
  const hook = await webhook(alice, channel_id)
  const bot = await botOf(alice, 'Dice')
  await addBot(alice, server_id, bot)
  const together = await group(alice, bob, carol)
  const role = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Herons' })).body.id
  const own: [string, string, string, string, (name: string) => object][] = [
    ['display name', 'put', '/api/auth/display-name', 'display_name', (display_name) => ({ display_name })],
    ['nickname', 'put', `/api/servers/${server_id}/members/${alice.id}`, 'nickname', (nickname) => ({ nickname })],
    ['server', 'put', `/api/servers/${server_id}`, 'name', (name) => ({ name })],
    ['new server', 'post', '/api/servers', 'name', (name) => ({ name })],
    ['role', 'put', `/api/roles/${role}`, 'name', (name) => ({ name })],
    ['new role', 'post', `/api/servers/${server_id}/roles`, 'name', (name) => ({ name })],
    ['webhook', 'put', `/api/webhooks/${hook.id}`, 'name', (name) => ({ name })],
    ['new webhook', 'post', `/api/channels/${channel_id}/webhooks`, 'name', (name) => ({ name })],
  ]
  const places: typeof own = [
    ['channel', 'put', `/api/channels/${channel_id}`, 'name', (name) => ({ name })],
    ['group', 'put', `/api/channels/${together}`, 'name', (name) => ({ name })],
    ['category', 'post', `/api/servers/${server_id}/channels`, 'name', (name) => ({ name, type: 'category' })],
    ['thread', 'post', `/api/channels/${channel_id}/threads`, 'name', (name) => ({ name })],
  ]
  return { own, places }
}

const { own, places } = await doors()

test('invisible and direction-changing characters are removed from a name, on every route', async () => {
  for (const [what, method, path, field, body] of [...own, ...places]) {
    const answer = await (method === 'put' ? alice.put(path, body(HIDDEN)) : alice.post(path, body(HIDDEN)))
    expect([what, answer.status < 300, answer.body[field]]).toEqual([what, true, 'Heron'])
  }
  for (const name of KEPT) {
    expect([name, withoutHidden(name)]).toEqual([name, name])
    expect((await bob.put('/api/auth/display-name', { display_name: name })).body.display_name).toBe(name)
  }
  expect(withoutHidden('a\u200db\u200cc d\ufe0f 🏴\u{e0061}\u{e007f}')).toBe('abc d 🏴')
  expect((await bob.put('/api/auth/display-name', { display_name: '\u200b\u3164' })).status).toBe(422)
  await bob.put('/api/auth/display-name', { display_name: 'bob' })
})

test('no name of a person, role or server can look like @everyone or the server itself', async () => {
  const set = async ([what, method, path, , body]: (typeof own)[0], name: string) => {
    const { status } = await (method === 'put' ? alice.put(path, body(name)) : alice.post(path, body(name)))
    return [what, name, status]
  }
  for (const name of LIKE_CALLS)
    for (const door of [...own, ...places]) expect(await set(door, name)).toEqual([door[0], name, 422])
  for (const name of LIKE_OURS) for (const door of own) expect(await set(door, name)).toEqual([door[0], name, 422])
  for (const door of places) expect((await set(door, 'system'))[2]).toBeLessThan(300)
  for (const name of ['Systems', 'Ann Here', 'Everyone’s owl', 'Мария', 'Heron 3', '鹭', '한국'])
    expect([name, isReserved(name), isCall(name)]).toEqual([name, false, false])
  expect(latinOf('аррӏе')).toBe('apple')
})

test('a role, emoji or account with a name that is now reserved keeps it', async () => {
  const { id } = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Owls' })).body
  await parley.parts.sql`update roles set name = 'System' where id = ${id}`
  const changed = await alice.put(`/api/roles/${id}`, { hoist: true })
  expect([changed.status, changed.body.name]).toEqual([200, 'System'])
  await parley.parts.sql`update users set display_name = ${'he\u200bre'} where id = ${carol.id}`
  expect((await carol.get('/api/auth/me')).body.display_name).toBe('he\u200bre')
  const picture = await upload(alice, 'owl.png', 'image/png', await png(64, 64))
  const emoji = await alice.post(`/api/servers/${server_id}/emoji`, { name: 'everyone', file_id: picture.id })
  expect(emoji.status).toBe(422)
})

test('names from files and programs are cleaned, and no request fails for them', async () => {
  for (const [input, cleaned] of [
    ['he\u202efdp.exe\u200b', 'hefdp.exe'],
    ['\u200b\u202e', 'file'],
  ] as const) {
    const { id } = await upload(bob, input, 'text/plain', new TextEncoder().encode('x'))
    expect((await bob.get(`/api/files/${id}`)).body.filename).toBe(cleaned)
  }
  const { url } = await webhook(alice, channel_id)
  for (const username of ['System', '@everyone', '\u200b']) {
    expect((await post(alice, url, { content: 'x', username })).status).toBe(204)
    expect((await newest(alice, channel_id)).author.display_name).toBe('Grafana')
    expect((await post(alice, `${url}/slack`, { text: 'x', username })).status).toBe(200)
    expect((await newest(alice, channel_id)).author.display_name).toBe('Grafana')
  }
  const form = new FormData()
  form.set('files[0]', new File(['x'], 'he\u202eron.txt'))
  expect((await post(alice, url, form)).status).toBe(204)
  expect((await newest(alice, channel_id)).files[0].filename).toBe('heron.txt')
  expect([cleanName(HIDDEN, 32, 'x'), cleanOwnName('here', 32, 'x')]).toEqual(['Heron', 'here 2'])
  expect(cleanOwnName('Deleted User', 32, 'x')).toBe('Deleted User')
  expect((await say(bob, channel_id, 'here')).content).toBe('here')
})
