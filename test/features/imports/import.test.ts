import { beforeAll, expect, test } from 'bun:test'
import { boot, type Person, person } from '../../support/harness.ts'
import { EXPORT, imports } from '../../support/imports.ts'
import { connect, type Gateway } from '../../support/socket.ts'
import { download } from '../../support/uploads.ts'
import { until } from '../../support/until.ts'
import type { Parley } from '../../../src/parley.ts'

let parley: Parley
let alice: Person
let gateway: Gateway
let output: string
let server: any
let channels: any[]
let general: any[]

const historyOf = async (channelId: number) =>
  (await alice.get(`/api/channels/${channelId}/messages?limit=100`)).body.toReversed()
const saying = (text: string) => general.find(({ content }) => content.startsWith(text))
const counts = async () => {
  const [rows] = await parley.parts.sql`select (select count(*) from messages)::int as messages,
    (select count(*) from users)::int as users, (select count(*) from servers)::int as servers,
    (select count(*) from files)::int as files, (select count(*) from emojis)::int as emojis,
    (select count(*) from object_outbox)::int as guarded`
  return rows
}

beforeAll(async () => {
  parley = await boot()
  alice = await person(parley, 'alice')
  gateway = await connect(alice)
  output = await imports(parley, EXPORT, '--owner', alice.username)
  const servers = (await alice.get('/api/servers')).body
  server = servers.find(({ name }: { name: string }) => name.startsWith('Birds'))
  channels = (await alice.get(`/api/servers/${server.id}/channels`)).body
  general = await historyOf(channels.find(({ topic }) => topic === 'All birds').id)
})

test('the owner gets a server of the export’s name, with its icon, on sockets that are open', async () => {
  expect(server).toMatchObject({ name: 'Birds & <i>Marsh</i>', owner_id: alice.id, member_count: 1 })
  expect((await download(alice, server.icon_file_id)).status).toBe(200)
  expect((await gateway.next('server.created')).d.id).toBe(server.id)
  const snapshot = await gateway.next('server.snapshot', ({ d }) => d.server.id === server.id)
  expect(snapshot.d.emoji.map(({ name }: { name: string }) => name)).toEqual(['owl'])
})

test('categories, channels of one name and voice channels are in their places', () => {
  const places = channels.map(({ name, type, parent_id }) => {
    return [name, type, channels.find(({ id }) => id === parent_id)?.name ?? null].join()
  })
  expect(places.toSorted()).toEqual([
    'Hide,voice,',
    'Marsh,category,',
    'forum,forum,',
    'general,text,Marsh',
    'general-2,text,Marsh',
    'wardens,text,Marsh',
  ])
})

test('ids ascend with time, which is the time of the export', () => {
  const times = general.map(({ created_at }) => created_at)
  expect(times).toEqual(times.toSorted())
  expect(times[0]).toBe('2020-01-01T00:00:00.000Z')
  expect(general.map(({ id }) => id)).toEqual(general.map(({ id }) => id).toSorted((a: number, b: number) => a - b))
})

test('tokens of Discord become this server’s, and mention nobody that the original did not mention', async () => {
  const [first] = general
  const [owl] = await parley.parts.sql`select id from emojis`
  const [warden] = (await alice.get(`/api/servers/${server.id}/roles`)).body.filter(
    ({ name }: { name: string }) => name === 'Wardens',
  )
  const ben = saying('By the reeds').author.id
  const second = channels.find(({ name }) => name === 'general-2').id
  expect(first.content).toBe(
    `Who saw the kingfisher? <@${ben}> <@${first.author.id}> <@&${warden.id}> <#${second}> <:owl:${owl?.id}> :lost: ` +
      '2020-01-01 00:00 UTC @unknown /track',
  )
  expect(warden).toMatchObject({ color: '#3a7bd5', permissions: 0 })
  expect(first.mention_ids.toSorted()).toEqual([ben, first.author.id].toSorted())
  expect(saying('Names in place').content).toBe(`Names in place of ids: <@${ben}> <:owl:${owl?.id}>`)
})

test('replies, pins, edits, reactions and threads keep their places', () => {
  const [first, begun] = general
  expect(first.author).toMatchObject({ display_name: 'Ann of the Marsh', kind: 'imported' })
  expect(begun.author).toMatchObject({ display_name: 'Ben <b>bold</b>', kind: 'imported' })
  expect(saying('By the reeds').reply_to_id).toBe(first.id)
  expect(saying('Across parts').reply_to_id).toBe(first.id)
  expect(saying('To nobody').reply_to_id).toBeNull()
  expect(first.pinned_at).toBe('2020-01-01T00:16:00.000Z')
  expect(begun.edited_at).toBe('2020-01-01T00:02:00.000Z')
  const reactions = first.reactions.map(({ emoji, count }: any) => [emoji.replace(/\d+$/, ''), count])
  expect(reactions).toEqual([
    ['👍', 2],
    ['owl:', 1],
  ])
  expect(begun.thread).toMatchObject({ name: 'herons', message_count: 3 })
  expect(begun.thread.archived_at).not.toBeNull()
})

test('a forum has its posts, each with its first message', async () => {
  const { id } = channels.find(({ type }) => type === 'forum')
  const [owls] = (await alice.get(`/api/channels/${id}/threads`)).body
  const [first] = await historyOf(owls.id)
  expect(owls).toMatchObject({ name: 'Owls at night', tag_ids: [], first_message_id: first.id })
  expect(owls.first_message).toMatchObject({ content: first.content, author: { kind: 'imported' } })
})

test('a thread has its messages, and its notices of additions and names', async () => {
  const thread = await historyOf(general[1].thread.id)
  expect(thread.map(({ kind, content, data }: any) => [kind, content, data?.name ?? null])).toEqual([
    ['default', 'In the thread', null],
    ['recipient_added', '', null],
    ['renamed', '', 'herons'],
  ])
  expect(thread[1].data.user_id).toBe(general[1].author.id)
})

test('files and pictures are imported, only from the folder of the export', async () => {
  const { files } = saying('Pictures')
  expect(files.map(({ filename, content_type }: any) => [filename, content_type])).toEqual([
    ['heron <img>.png', 'image/png'],
    ['notes.txt', 'text/plain'],
  ])
  expect(files[0]).toMatchObject({ width: 320, height: 200 })
  expect(await (await download(alice, files[1].id)).text()).toBe('Eisvögel: 3\n')
  expect(saying('[gone.mp4]').files).toEqual([])
  expect(saying('[passwd]').files).toEqual([])
  const sticker = general.find(({ content }) => content === '[Dance]')
  expect([sticker.files, sticker.sticker.name, sticker.sticker.alt]).toEqual([[], 'Wave', 'Wave'])
})

test('embeds keep their text, their pictures, and no address of another scheme', () => {
  const preview = saying('https://example.org/herons').embeds[0]
  expect(preview).toMatchObject({ type: 'link', title: 'Herons', thumbnail: { width: 320, height: 200 } })
  expect(preview.thumbnail.url).toStartWith('/media/previews/')
  const cards = general.flatMap(({ embeds }) => embeds).filter(({ type }: any) => type === 'rich')
  expect(cards.map(({ title, url, author }: any) => [title, url, author?.url ?? null])).toEqual([
    ['Report', null, null],
    ['Best bird?', null, null],
  ])
  expect(cards[0]).toMatchObject({ description: `Seen by <@${general[1].author.id}>`, color: '#ff8800' })
  expect(cards[1].description).toBe('Heron: 4 of 7 votes')
})

test('the result of a poll is an embed of its author, and the poll itself is only counted', () => {
  const [result, ...others] = general.filter(({ embeds }) => embeds[0]?.title === 'Best bird?')
  expect(others).toEqual([])
  expect(result).toMatchObject({ kind: 'default', content: '', author: { display_name: 'Heron', kind: 'imported' } })
  expect(result.embeds).toMatchObject([{ type: 'rich', description: 'Heron: 4 of 7 votes', fields: [] }])
  // The exporter writes a poll as an empty message.
  expect(output).toMatch(/1 messages without content in the export: polls, .*, such as message 661723262484480013$/m)
})

test('an author that Discord has deleted is imported like others, with their reactions', async () => {
  const { author, content } = saying('To nobody')
  expect([author.display_name, author.kind, content]).toEqual(['Deleted User', 'imported', 'To nobody.'])
  const reacted = await alice.get(`/api/messages/${general[0].id}/reactions/${encodeURIComponent('👍')}`)
  const ben = general[1].author.id
  expect(reacted.body.map(({ id }: any) => id).toSorted()).toEqual([ben, author.id].toSorted())
  const authors = await parley.parts.sql`select id, kind, deleted_at from users where display_name = 'Deleted User'`
  expect([...authors]).toEqual([{ id: author.id, kind: 'imported', deleted_at: null }])
})

test('a forwarded message stays a forward, of this server or of another', () => {
  const forwarded = general.filter((message) => message.forwarded)
  expect(forwarded.map((message) => message.forwarded.message_id)).toEqual([general[0].id, null])
  expect(forwarded[1].forwarded.content).toBe('From elsewhere, @830000000000000002'.replace(/\d+$/, 'unknown'))
  expect(forwarded[1].files.map(({ filename }: any) => filename)).toEqual(['far.png'])
})

test('a text that is too long becomes two messages', () => {
  const long = general.findIndex(({ content }) => content.startsWith('www'))
  expect(general[long].content).toBe(`${'w'.repeat(3990)} and the`)
  expect(general[long + 1].content).toStartWith('long tail')
})

test('notices are imported as notices, and programs keep the names under which they posted', () => {
  const kinds = general.filter(({ kind }) => kind !== 'default').map(({ kind }) => kind)
  expect(kinds).toEqual(['member_joined', 'pinned', 'thread_created'])
  expect(general.find(({ kind }) => kind === 'pinned').data.message_id).toBe(general[0].id)
  expect([saying('A hook'), saying('Another hook')].map(({ author }) => author.display_name)).toEqual([
    'Ticker',
    'Weather',
  ])
})

test('a private thread is a channel that no member but the owner sees', async () => {
  const { sql } = parley.parts
  const rows = await sql`select name from channels where server_id = ${server.id} and restricted`
  expect(rows.map(({ name }) => name)).toEqual(['wardens'])
})

test('the report lists everything that was left out', () => {
  expect(output).toContain('Birds & <i>Marsh</i> is here as server')
  for (const line of [
    '1 files that the export names but does not contain, such as gone.mp4',
    '1 custom emoji without a usable picture, or beyond 250: they stay as :name:, such as :lost:',
    '1 files outside the folder of the export, which are not read, such as passwd',
    '1 replies to messages that the export does not contain',
    '1 messages without content in the export',
    '3 messages of kinds that do not exist here',
    '1 direct messages and groups',
    '1 private threads',
    '1 files that are not exports of channels, such as package.json',
  ])
    expect(output).toContain(line)
})

test('nobody can find, message or log in as an imported author', async () => {
  const { id } = general[0].author
  expect((await alice.get('/api/users/search?q=Marsh')).body).toEqual([])
  expect((await alice.post('/api/channels/direct', { recipient_ids: [id] })).body.code).toBe('cannot_contact')
  expect((await alice.post('/api/friends/request', { friend_id: id })).status).toBe(403)
})

test('imported messages are found by search', async () => {
  await until(async () => {
    const found = await alice.get(`/api/search?q=kingfisher&server_id=${server.id}`)
    return found.body.messages.length > 0
  })
  const found = await alice.get(`/api/search?q=reeds&from=${general[1].author.id}`)
  expect(found.body.messages.map(({ content }: any) => content)).toEqual(['By the reeds.'])
})

test('a second run, and a dry one, change nothing', async () => {
  const before = await counts()
  expect(await imports(parley, EXPORT, '--owner', alice.username)).toContain('was imported before, as server')
  expect(await imports(parley, EXPORT, '--dry-run')).toContain('would be imported: 7 channels and threads')
  expect(await counts()).toEqual(before)
})
