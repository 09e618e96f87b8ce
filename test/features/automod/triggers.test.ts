import { expect, test } from 'bun:test'
import type { JudgedFile } from '../../../src/features/automod/rule-set.ts'
import { person, standard } from '../../support/harness.ts'
import { addRule, compiled } from '../../support/automod.ts'
import { passerBy, place } from '../../support/places.ts'
import { upload } from '../../support/uploads.ts'

const parley = await standard()
const [alice, bob] = [await person(parley, 'alice'), await passerBy(parley, 'bob')]
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.code]
const ruleOf = (trigger: object) => ({ name: 'Rule', trigger, actions: [{ type: 'block' }] })

async function foundIn(trigger: object, text: string, files: JudgedFile[] = []): Promise<string | undefined> {
  return (await compiled(ruleOf(trigger))).texts.judge([text], files)[0]?.found
}

test('a pattern looks at the text as it is read, and as it is written', async () => {
  const trigger = { type: 'patterns', patterns: ['free\\s+nitro', 'caf\u00e9s?'] }
  for (const text of ['FREE  nitro', 'free\nnitro', 'fr\u200bee ｎｉｔｒｏ', 'fré\u0301e nitro', 'frее nitro'])
    expect([text, await foundIn(trigger, text)]).toEqual([text, 'free\\s+nitro'])
  expect(await foundIn(trigger, 'Two CAFÉS')).toBe('caf\u00e9s?')
  expect(await foundIn(trigger, 'freenitro')).toBe(undefined)
})

test('a rule about links denies hosts with their subdomains, or allows no others', async () => {
  const deny = { type: 'links', mode: 'deny', hosts: ['Evil.example', 'bücher.example'] }
  for (const text of [
    'https://evil.example',
    'http://www.EVIL.example./x',
    '[a](https://a.evil.example:8443/x)',
    '`https://evil.example`',
    'https://user@evil.example/',
    'https://xn--bcher-kva.example',
    'https://BÜCHER.example/',
    'https://evil。example/',
    '[a](https://evil.example)',
    'See https://evil.example, then (https://evil.example).',
    '*https://evil.example*',
    '`x https://evil.example, y`',
    '[a](https://ev\u200bil.example)',
    '[a](https://%65vil.example)',
  ])
    expect([text, typeof (await foundIn(deny, text))]).toEqual([text, 'string'])
  for (const text of [
    'https://notevil.example',
    'evil.example',
    'https://evil.example.org',
    'https://a.example/evil.example',
  ])
    expect([text, await foundIn(deny, text)]).toEqual([text, undefined])
  const allow = { type: 'links', mode: 'allow', hosts: ['good.example'] }
  expect(await foundIn(allow, 'https://www.good.example/a')).toBe(undefined)
  expect(await foundIn(allow, 'https://good.example https://b.example')).toBe('b.example')
  expect(await foundIn({ ...allow, hosts: [] }, 'no link at all')).toBe(undefined)
  for (const text of ['(see https://good.example).', 'https://good.exampleを', '[a](https://good.example)'])
    expect([text, await foundIn(allow, text)]).toEqual([text, undefined])
})

test('a rule about invites knows the links of this server and of other services', async () => {
  for (const text of [
    'discord.gg/abc',
    'https://discord.com/invite/a-b',
    'https://x.example/invite/9f0a',
    'https://t.me/+abc',
    '[a](https://dis\u200bcord.gg/abc)',
    'dis\u200bcord.gg/abc',
    'ｄiscord.gg/abc',
    'https://discord.gg/%61bc',
    'https://x.example//./invite/9f0a',
    'dis*c*ord.gg/abc',
  ])
    expect([text, typeof (await foundIn({ type: 'invites' }, text))]).toEqual([text, 'string'])
  for (const text of ['I invite you', 'discord.gg', 'https://discord.com/channels/1'])
    expect([text, await foundIn({ type: 'invites' }, text)]).toEqual([text, undefined])
})

test('a rule about mentions counts different people and roles that are mentioned', async () => {
  const trigger = { type: 'mentions', max: 2 }
  expect(await foundIn(trigger, '<@1> <@2> <@1> <@2>')).toBe(undefined)
  expect(await foundIn(trigger, '<@1> <@2> <@&2>')).toBe('3')
  expect(await foundIn(trigger, '`<@1> <@2> <@3>`')).toBe(undefined)
})

test('a rule about attachments knows files by the ends of their names and by their types', async () => {
  const file = (filename: string, content_type = 'application/octet-stream') => [{ filename, content_type }]
  const trigger = { type: 'attachments', types: ['exe', 'image/*', 'text/html'] }
  expect(await foundIn(trigger, '', file('a.EXE'))).toBe('exe')
  expect(await foundIn(trigger, '', file('a', 'image/png'))).toBe('image/*')
  expect(await foundIn(trigger, '', file('a', 'text/html'))).toBe('text/html')
  for (const filename of ['a.exe.', 'a.exe . ', 'a.e\u200bxe', 'a.ｅxe'])
    expect([filename, await foundIn(trigger, '', file(filename))]).toEqual([filename, 'exe'])
  expect(await foundIn(trigger, '.exe', file('exe.txt', 'text/plain'))).toBe(undefined)
})

test('names and types of files are judged with the message that they go with', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  await addRule(alice, server_id, ruleOf({ type: 'words', words: ['heron'] }))
  await addRule(alice, server_id, ruleOf({ type: 'attachments', types: ['exe'] }))
  const send = async (filename: string) => {
    const { id } = await upload(bob, filename, 'text/plain', new TextEncoder().encode('hello'))
    return bob.post(`/api/channels/${channel_id}/messages`, { content: '', file_ids: [id] })
  }
  expect(codeOf(await send('heron.txt'))).toEqual([403, 'automod_blocked'])
  expect(codeOf(await send('setup.exe'))).toEqual([403, 'automod_blocked'])
  expect((await send('gull.txt')).status).toBe(201)
})

test('a forward is judged by what it forwards', async () => {
  const [from, to] = [await place(bob), await place(alice, bob)]
  await addRule(alice, to.server_id, ruleOf({ type: 'words', words: ['heron'] }))
  const { body } = await bob.post(`/api/channels/${from.channel_id}/messages`, { content: 'a heron' })
  const forward = { forward_message_id: body.id }
  const send = (draft: object) => bob.post(`/api/channels/${to.channel_id}/messages`, draft)
  expect(codeOf(await send(forward))).toEqual([403, 'automod_blocked'])
  const { body: again } = await bob.post(`/api/channels/${from.channel_id}/messages`, forward)
  expect(codeOf(await send({ forward_message_id: again.id }))).toEqual([403, 'automod_blocked'])
  const elsewhere = await place(alice)
  const { body: secret } = await alice.post(`/api/channels/${elsewhere.channel_id}/messages`, { content: 'a heron' })
  expect(codeOf(await send({ forward_message_id: secret.id }))).toEqual([422, 'validation_failed'])
})

test('a pattern that is not valid, matches nothing or is slow is refused', async () => {
  const { server_id } = await place(alice)
  const create = (patterns: string[]) =>
    alice.post(`/api/servers/${server_id}/automod`, ruleOf({ type: 'patterns', patterns }))
  for (const bad of [['('], ['(?<=a)b'], ['(a)\\1'], ['a*'], ['x'.repeat(261)], [], Array(21).fill('x')])
    expect(codeOf(await create(bad))).toEqual([422, 'validation_failed'])
  for (const costly of [
    '(\\w{1,20}\\W{1,20}){1,25}#',
    `(?:${'x'.repeat(240)}){1000}`,
    '[(]{9}((a{30}b){30})',
    '\\Q[\\E.{900}',
  ])
    expect([costly, ...codeOf(await create([costly]))]).toEqual([costly, 422, 'pattern_too_costly'])
  expect((await create(Array.from({ length: 15 }, (_, n) => `heron\\s+${n}`))).status).toBe(201)
  expect(codeOf(await create(Array(6).fill('gull')))).toEqual([422, 'validation_failed'])
  expect((await create(Array(5).fill('gull'))).status).toBe(201)
})

test('hosts and types of files that are none are refused', async () => {
  const { server_id } = await place(alice)
  for (const trigger of [
    { type: 'links', mode: 'deny', hosts: ['https://a.example'] },
    { type: 'links', mode: 'deny', hosts: ['a b'] },
    { type: 'links', mode: 'deny', hosts: ['a.example/x'] },
    { type: 'links', mode: 'some', hosts: [] },
    { type: 'attachments', types: ['.exe'] },
    { type: 'attachments', types: [] },
    { type: 'mentions', max: 0 },
    { type: 'invites', max: 1 },
    { type: 'spam', by: 'member', count: 1, seconds: 5 },
    { type: 'spam', by: 'all', count: 2, seconds: 5 },
    { type: 'spam', by: 'text', count: 2, seconds: 601 },
    { type: 'profile' },
    { type: 'profile', patterns: ['('] },
  ])
    expect(codeOf(await alice.post(`/api/servers/${server_id}/automod`, ruleOf(trigger)))).toEqual([
      422,
      'validation_failed',
    ])
})
