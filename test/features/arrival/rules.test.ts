import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { type Person, person, standard } from '../../support/harness.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const [alice, bob] = [await person(parley, 'alice'), await passerBy(parley, 'bob')]
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.code]

/** A server of alice with rules, and an invite to it. */
async function village(content = '1. Be kind.') {
  const { body: server } = await alice.post('/api/servers', { name: 'Village' })
  const server_id: number = server.id
  const [channel] = (await alice.get(`/api/servers/${server_id}/channels`)).body
  await alice.put(`/api/servers/${server_id}`, { system_channel_id: channel.id })
  const { code } = (await alice.post('/api/invites', { server_id })).body
  const rules = (await alice.put(`/api/servers/${server_id}/rules`, { content })).body
  const enter = async () => {
    const newcomer = await passerBy(parley, 'mallory')
    await newcomer.post(`/api/invites/${code}/join`)
    return newcomer
  }
  const accept = (who: Person, body: object = { version: rules.version }) =>
    who.put(`/api/servers/${server_id}/members/@me/rules`, body)
  const me = async (who: Person) => {
    const members = (await alice.get(`/api/servers/${server_id}/members?limit=100`)).body
    return members.find((member: any) => member.user.id === who.id)
  }
  const send = (who: Person) => who.post(`/api/channels/${channel.id}/messages`, { content: 'Hello' })
  const greetings = async () =>
    (await alice.get(`/api/channels/${channel.id}/messages`)).body
      .filter((message: any) => message.kind === 'member_joined')
      .map((message: any) => message.author.id)
  return { server_id, channel_id: channel.id as number, code, rules, enter, accept, me, send, greetings }
}

test('a new member reads the rules but writes nothing, and is greeted, only after accepting them', async () => {
  const { server_id, rules, enter, accept, me, send, greetings } = await village()
  expect(rules).toMatchObject({ server_id, content: '1. Be kind.', version: 1 })
  const newcomer = await enter()
  expect(await me(newcomer)).toMatchObject({ held_back: 'pending', held_until: null, rules_version: null })
  expect((await newcomer.get(`/api/servers/${server_id}/rules`)).body).toMatchObject({ content: '1. Be kind.' })
  expect(codeOf(await send(newcomer))).toEqual([403, 'missing_permission'])
  expect(await greetings()).not.toContain(newcomer.id)
  const live = await connect(alice)
  const { status, body } = await accept(newcomer)
  expect([status, body.held_back, body.rules_version]).toEqual([200, null, 1])
  expect((await live.next('member.updated')).d).toMatchObject({ user: { id: newcomer.id }, held_back: null })
  live.close()
  expect(await greetings()).toContain(newcomer.id)
  expect((await send(newcomer)).status).toBe(201)
  await accept(newcomer)
  expect((await greetings()).filter((id: number) => id === newcomer.id)).toHaveLength(1)
})

test('a new version holds no member back, and the old one cannot be accepted any more', async () => {
  const { server_id, enter, accept, me, send } = await village()
  const [first, second] = [await enter(), await enter()]
  await accept(first)
  const { body: rules } = await alice.put(`/api/servers/${server_id}/rules`, { content: '1. Be kinder.' })
  expect(rules.version).toBe(2)
  expect((await alice.get(`/api/servers/${server_id}`)).body.rules_version).toBe(2)
  expect((await send(first)).status).toBe(201)
  expect(codeOf(await accept(second))).toEqual([409, 'rules_changed'])
  expect(codeOf(await accept(second, { version: null }))).toEqual([409, 'rules_changed'])
  expect(codeOf(await accept(second, { version: 3 }))).toEqual([409, 'rules_changed'])
  expect((await me(second)).held_back).toBe('pending')
  expect((await accept(first, { version: 2 })).body.rules_version).toBe(2)
  const again = await alice.put(`/api/servers/${server_id}/rules`, { content: '1. Be kinder.' })
  expect(again.body.version).toBe(2)
})

test('without rules nobody waits, and rules that come back get a version that nobody has accepted', async () => {
  const { server_id, enter, accept, me } = await village()
  const waiting = await enter()
  await alice.put(`/api/servers/${server_id}/rules`, { content: '' })
  expect((await me(await enter())).held_back).toBe(null)
  expect((await accept(waiting, { version: null })).body).toMatchObject({ held_back: null, rules_version: null })
  const { body: rules } = await alice.put(`/api/servers/${server_id}/rules`, { content: '1. Be kind.' })
  expect(rules.version).toBe(3)
  expect((await me(await enter())).held_back).toBe('pending')
})

test('accepting the rules verifies nobody, and ends no quarantine', async () => {
  const { server_id, enter, accept, me } = await village()
  await alice.put(`/api/servers/${server_id}`, { verification: 'member_minutes', verification_minutes: 10 })
  const newcomer = await enter()
  expect((await me(newcomer)).held_back).toBe('pending')
  expect((await accept(newcomer)).body).toMatchObject({ held_back: 'unverified', held_until: expect.any(String) })
  const other = await enter()
  const quarantine = (held_back: string | null) =>
    alice.put(`/api/servers/${server_id}/members/${other.id}`, { held_back })
  await quarantine('quarantined')
  expect(codeOf(await accept(other))).toEqual([403, 'forbidden'])
  expect((await quarantine(null)).body.held_back).toBe('pending')
  expect((await quarantine(null)).body.held_back).toBe(null)
})

test('a moderator who lets a pending member in has it greeted', async () => {
  const { server_id, enter, greetings, me } = await village()
  const newcomer = await enter()
  await alice.put(`/api/servers/${server_id}/members/${newcomer.id}`, { held_back: null })
  expect(await greetings()).toContain(newcomer.id)
  expect(await me(newcomer)).toMatchObject({ held_back: null, rules_version: null })
})

test('a raid posts no greeting, and its end leaves those pending who have not accepted the rules', async () => {
  const { server_id, enter, me, greetings } = await village()
  const { body: staff } = await alice.post(`/api/servers/${server_id}/channels`, { name: 'staff', type: 'text' })
  const { body: roles } = await alice.get(`/api/servers/${server_id}/roles`)
  await alice.put(`/api/channels/${staff.id}/permissions/${roles[0].id}`, { deny: permissions('view_channel') })
  await alice.put(`/api/servers/${server_id}/raid`, { alert_channel_id: staff.id, raid_joins: 2, raid_seconds: 60 })
  const raiders = [await enter(), await enter(), await enter()]
  for (const raider of raiders) expect((await me(raider)).held_back).toBe('quarantined')
  expect(await greetings()).toEqual([])
  await alice.put(`/api/servers/${server_id}/raid`, { on: false })
  for (const raider of raiders) expect((await me(raider)).held_back).toBe('pending')
})

test('rules have at most 16 lines, need manage_server, and their changes are in the audit log', async () => {
  const { server_id } = await place(alice, bob)
  const put = (who: Person, content: unknown) => who.put(`/api/servers/${server_id}/rules`, { content })
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}. Rule`).join('\n')
  expect((await put(alice, lines(16))).status).toBe(200)
  for (const bad of [lines(17), 'x'.repeat(4001), 7, null])
    expect(codeOf(await put(alice, bad))).toEqual([422, 'validation_failed'])
  expect((await alice.get(`/api/servers/${server_id}/rules`)).body.content).toBe(lines(16))
  expect(codeOf(await put(bob, 'Mine'))).toEqual([403, 'missing_permission'])
  await rank(parley, server_id, permissions('manage_server'), bob)
  expect((await put(bob, 'Mine')).body.version).toBe(2)
  const [entry] = (await alice.get(`/api/servers/${server_id}/audit-log?action=rules.updated`)).body
  expect(entry).toMatchObject({ actor: { id: bob.id }, changes: { rules: { before: lines(16), after: 'Mine' } } })
})

test('a member from before the rules, a bot and whoever wrote them are not held back', async () => {
  const { server_id } = await place(alice, bob)
  await alice.put(`/api/servers/${server_id}/rules`, { content: 'Be kind.' })
  const { body: members } = await alice.get(`/api/servers/${server_id}/members`)
  expect(members.map((member: any) => [member.held_back, member.rules_version])).toEqual([
    [null, 1],
    [null, null],
  ])
  expect((await bob.put(`/api/servers/${server_id}/members/@me/rules`, { version: 1 })).body.rules_version).toBe(1)
  const { body: application } = await alice.post('/api/applications', { name: 'Robin' })
  const path = `/api/servers/${server_id}/applications/${application.id}`
  const added = await alice.put(path, { permissions: 0 })
  expect(added.status).toBe(201)
  const { body: after } = await alice.get(`/api/servers/${server_id}/members`)
  expect(after.map((member: any) => member.held_back)).toEqual([null, null, null])
})
