import { beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boot, person } from '../../support/harness.ts'
import { exported, exportedChannel, imports, runImport } from '../../support/imports.ts'
import type { Parley } from '../../../src/parley.ts'

// The versions of DiscordChatExporter that write JSON, by their differences.

let parley: Parley
let channelCount = 0
let guild = { id: '', name: 'Old' }
const id = (): string => String(970_000_000_000_000_000n + BigInt(++channelCount))
/** A folder for the export of another server. */
function folder(): string {
  guild = { id: id(), name: 'Old' }
  return mkdtempSync(join(tmpdir(), 'old-export-'))
}
const fileOf = (messages: object[], channel: object) => ({ ...exportedChannel(messages, channel), guild })
const write = (into: string, name: string, content: object | string) =>
  writeFileSync(join(into, name), typeof content === 'string' ? content : JSON.stringify(content))

beforeAll(async () => {
  parley = await boot()
})

/** Imports a folder for a new account. @returns the command's output, the channels, and the messages by channel */
async function importOf(path: string) {
  const alice = await person(parley, 'alice')
  const output = await imports(parley, path, '--owner', alice.username)
  const [server] = (await alice.get('/api/servers')).body
  const channels: any[] = (await alice.get(`/api/servers/${server.id}/channels`)).body
  const channel = (name: string) => channels.find((one) => one.name === name)
  const messages = async (name: string): Promise<any[]> =>
    (await alice.get(`/api/channels/${channel(name).id}/messages?limit=100`)).body.toReversed()
  return { output, channels, channel, messages }
}

test('an export of 2021 with category 0 is imported, and its channel is in no category', async () => {
  const { channel, channels, messages } = await importOf(join(import.meta.dir, 'old'))
  expect(channels).toHaveLength(1)
  expect(channel('general').parent_id).toBeNull()
  expect((await messages('general')).map(({ content }) => content)).toEqual(['Written before categories had a null.'])
})

test('categories that older exports name without an id are made once, and none without a name', async () => {
  const path = folder()
  const file = (name: string, more: object) =>
    write(path, `${name}.json`, fileOf([exported(id(), 'x')], { id: id(), name, ...more }))
  file('marsh', { category: 'Birds' })
  file('lake', { category: 'Birds' })
  file('none-2020', { category: 'Text' })
  file('none-2021', { categoryId: '0', category: '<unknown category>' })
  file('none-2023', { categoryId: '', category: null })
  file('later', { categoryId: '950000000000000001', category: 'Fish' })
  file('earlier', { category: 'Fish' })
  const { channel, channels } = await importOf(path)
  const parent = (name: string) => channels.find((one) => one.id === channel(name).parent_id)?.name
  const names = ['marsh', 'lake', 'none-2020', 'none-2021', 'none-2023', 'later', 'earlier']
  expect(names.map(parent)).toEqual(['Birds', 'Birds', undefined, undefined, undefined, 'Fish', 'Fish'])
  expect(channels.filter(({ type }) => type === 'category')).toHaveLength(2)
})

test('kinds that an older version wrote as numbers keep their meaning', async () => {
  const path = folder()
  const [channel, first, thread] = [id(), id(), id()]
  write(
    path,
    'general.json',
    fileOf(
      [
        exported(first, 'Who saw it?'),
        exported(id(), 'I did', { type: '19', reference: { messageId: first, channelId: channel, guildId: '1' } }),
        exported(id(), 'No more', { type: '19', reference: { messageId: '0', channelId: '', guildId: null } }),
        exported(id(), 'New name', { type: 'ChannelNameChange' }),
        exported(id(), 'Herons', { type: '18', reference: { channelId: thread, guildId: '1' } }),
        exported(id(), 'x', { reactions: [{ emoji: { id: null, name: null, isAnimated: false }, count: 1 }] }),
        exported(id(), 'y', { mentions: [{ id: '5', name: 'bea', discriminator: 7, isBot: false }], stickers: null }),
      ],
      { id: channel },
    ),
  )
  const of = (type: string, name: string) => ({
    id: name === 'Herons' ? thread : id(),
    type,
    name,
    categoryId: channel,
  })
  write(path, 'thread.json', fileOf([exported(id(), 'In the thread')], of('11', 'Herons')))
  write(path, 'stage.json', fileOf([exported(id(), 'On stage')], { id: id(), type: '13', name: 'stage' }))
  const { output, messages, channel: named } = await importOf(path)
  const all = await messages('general')
  expect(all[1].reply_to_id).toBe(all[0].id)
  expect(all[2]).toMatchObject({ content: 'No more', reply_to_id: null })
  expect(all[3]).toMatchObject({ kind: 'renamed', data: { name: 'New name' } })
  expect(all[4]).toMatchObject({ kind: 'thread_created', data: { name: 'Herons' } })
  expect(named('stage').type).toBe('stage')
  expect(output).toContain('3 channels and threads')
})

test('messages that a file repeats are imported once, and the report counts them', async () => {
  const path = folder()
  const [one, two, three] = [id(), id(), id()]
  const pages = [one, two, two, one, two, three].map((of) => exported(of, `says ${of}`))
  write(path, 'general.json', fileOf(pages, { id: id() }))
  const { output, messages } = await importOf(path)
  expect((await messages('general')).map(({ content }) => content)).toEqual([one, two, three].map((of) => `says ${of}`))
  expect(output).toMatch(/3 messages that the export contains twice/)
})

test('direct messages of before 2021 are left out like those of today', async () => {
  const path = folder()
  write(path, 'general.json', fileOf([exported(id(), 'x')], { id: id() }))
  const direct = fileOf([exported(id(), 'Private')], { id: id(), type: 'DirectTextChat' })
  write(path, 'direct.json', { ...direct, guild: { id: '@me', name: 'Direct Messages' } })
  const numbered = fileOf([exported(id(), 'Private')], { id: id(), type: '3' })
  write(path, 'group.json', numbered)
  const { output, channels } = await importOf(path)
  expect(channels).toHaveLength(1)
  expect(output).toMatch(/2 direct messages and groups/)
})

test('an unreadable file is left out with its people and named, and the others are imported', async () => {
  const path = folder()
  const [wholeId, hidden] = [id(), id()]
  write(path, 'a-whole.json', fileOf([exported(id(), 'Here')], { id: wholeId, name: 'whole' }))
  const stranger = { author: { id: '840000000000000009', name: 'stranger' } }
  const cut = JSON.stringify(fileOf([exported(id(), 'x', stranger)], { id: hidden, name: 'hidden' }))
  write(path, 'b-cut.json', cut.slice(0, -3))
  write(path, 'c-backwards.json', fileOf([exported(id(), '1'), exported('1000', '2')], { id: id() }))
  const { output, channels, messages } = await importOf(path)
  expect(channels.map(({ name }) => name)).toEqual(['whole'])
  expect((await messages('whole')).map(({ content }) => content)).toEqual(['Here'])
  expect(output).toMatch(/b-cut.json is cut short at byte \d+/)
  expect(output).toMatch(/c-backwards.json has messages out of order/)
  expect(output).toMatch(/1 channels and threads, 1 people/)
})

test('a folder of unreadable files only is refused with a line for each', async () => {
  const path = folder()
  write(path, 'a.json', JSON.stringify(fileOf([exported(id(), 'x')], { id: id() })).slice(0, -3))
  write(path, 'b.json', fileOf([exported('x', 'y')], { id: id() }))
  const alice = await person(parley, 'alice')
  const { error, code } = await runImport(parley, path, '--owner', alice.username)
  expect(code).not.toBe(0)
  expect(error).toMatch(/a.json is cut short[^]*b.json is not as DiscordChatExporter/)
})
