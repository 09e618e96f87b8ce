import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { type Person, person, standard } from '../../support/harness.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const [alice, bob] = [await person(parley, 'alice'), await passerBy(parley, 'bob')]
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body?.code]

/** A server with a required and an optional question; their options give roles and channels to choose. */
async function school() {
  const home = await place(alice, bob)
  const { server_id } = home
  const make = async (what: string, body: object) => (await alice.post(`/api/servers/${server_id}/${what}`, body)).body
  const role = (name: string) => make('roles', { name, self_assignable: true })
  const [owls, gulls] = [await role('Owls'), await role('Gulls')]
  const nests = await make('channels', { name: 'nests', type: 'text' })
  await alice.put(`/api/channels/${nests.id}`, { opt_in: true })
  const questions = [
    {
      title: 'What do you watch?',
      required: true,
      options: [
        { label: 'Owls', emoji: '🦉', role_ids: [owls.id], channel_ids: [nests.id] },
        { label: 'Gulls', role_ids: [gulls.id] },
      ],
    },
    { title: 'And where?', multiple: true, options: [{ label: 'Coast', role_ids: [owls.id] }, { label: 'Woods' }] },
  ]
  const ask = (who: Person, body: object) => who.put(`/api/servers/${server_id}/onboarding`, body)
  const { body: onboarding } = await ask(alice, { questions })
  const [owl, gull, coast, woods]: { id: number }[] = onboarding.questions.flatMap((each: any) => each.options)
  const { code } = (await alice.post('/api/invites', { server_id })).body
  const enter = async () => {
    const newcomer = await passerBy(parley, 'mallory')
    await newcomer.post(`/api/invites/${code}/join`)
    return newcomer
  }
  const own = `/api/servers/${server_id}/members/@me`
  const accept = (who: Person, ...option_ids: number[]) => who.put(`${own}/rules`, { version: null, option_ids })
  const choose = (who: Person, ...option_ids: number[]) => who.put(`${own}/onboarding`, { option_ids })
  const ids = [owl, gull, coast, woods].map((option) => option?.id ?? 0) as [number, number, number, number]
  return { ...home, owls, gulls, nests, questions, onboarding, ask, enter, accept, choose, ids }
}

const rolesOf = async (who: Person, server_id: number) => {
  const { body } = await who.get(`/api/servers/${server_id}/members/${who.id}/roles`)
  return body.flatMap(({ name, is_everyone }: any) => (is_everyone ? [] : [name])).sort()
}
const listedOf = async (who: Person, serverId: number) => {
  const { body } = await who.get('/api/notifications')
  return body.flatMap(({ server_id, channel_id, listed }: any) =>
    listed === null || server_id !== serverId ? [] : [[channel_id, listed]],
  )
}

test('a new member answers the required questions, and gets the roles and channels of the options', async () => {
  const { server_id, nests, enter, accept, ids } = await school()
  const [owl, gull, coast, woods] = ids
  const newcomer = await enter()
  const { body: onboarding } = await newcomer.get(`/api/servers/${server_id}/onboarding`)
  expect(onboarding.questions.map(({ title, required }: any) => [title, required])).toEqual([
    ['What do you watch?', true],
    ['And where?', false],
  ])
  expect(onboarding.option_ids).toEqual([])
  for (const wrong of [[], [woods], [owl, gull], [owl, 4_000_000], [owl, woods + 1]])
    expect([wrong, ...codeOf(await accept(newcomer, ...wrong))]).toEqual([wrong, 422, 'validation_failed'])
  expect(await rolesOf(newcomer, server_id)).toEqual([])
  const { status, body } = await accept(newcomer, owl, coast, woods)
  expect([status, body.held_back, body.role_ids.length]).toEqual([200, null, 1])
  expect(await rolesOf(newcomer, server_id)).toEqual(['Owls'])
  expect(await listedOf(newcomer, server_id)).toEqual([[nests.id, true]])
  expect((await newcomer.get(`/api/servers/${server_id}/onboarding`)).body.option_ids).toEqual([owl, coast, woods])
})

test('a member changes its answers later: roles that no answer gives any more go', async () => {
  const { server_id, enter, accept, choose, nests, ids } = await school()
  const [owl, gull, coast] = ids
  const newcomer = await enter()
  expect(codeOf(await choose(newcomer, owl))).toEqual([403, 'forbidden'])
  await accept(newcomer, owl, coast)
  const live = await connect(alice)
  expect((await choose(newcomer, gull, coast)).body.option_ids).toEqual([gull, coast])
  expect((await live.next('member.updated')).d).toMatchObject({
    user: { id: newcomer.id },
    role_ids: [expect.any(Number), expect.any(Number)],
  })
  live.close()
  expect(await rolesOf(newcomer, server_id)).toEqual(['Gulls', 'Owls'])
  expect(await listedOf(newcomer, server_id)).toEqual([])
  await choose(newcomer, gull)
  expect(await rolesOf(newcomer, server_id)).toEqual(['Gulls'])
  expect((await choose(bob, owl)).status).toBe(200)
  expect(await rolesOf(bob, server_id)).toEqual(['Owls'])
  expect(await listedOf(bob, server_id)).toEqual([[nests.id, true]])
  expect(codeOf(await choose(bob, owl, gull))).toEqual([422, 'validation_failed'])
})

test('questions give only self-assignable roles of the server, also when a role changes later', async () => {
  const { server_id, owls, ask, choose, questions, ids } = await school()
  const { body: staff } = await alice.post(`/api/servers/${server_id}/roles`, { name: 'Staff' })
  const other = await school()
  const option = (fields: object) => ({ questions: [{ title: 'X', options: [{ label: 'Y', ...fields }] }] })
  for (const fields of [
    { role_ids: [staff.id] },
    { role_ids: [other.owls.id] },
    { channel_ids: [other.channel_id] },
    { channel_ids: [4_000_000] },
    { id: 4_000_000 },
  ])
    expect(codeOf(await ask(alice, option(fields)))).toEqual([422, 'validation_failed'])
  expect((await alice.get(`/api/servers/${server_id}/onboarding`)).body.questions).toHaveLength(questions.length)
  await alice.put(`/api/roles/${owls.id}`, { self_assignable: false, permissions: permissions('manage_roles') })
  await choose(bob, ids[0])
  expect(await rolesOf(bob, server_id)).toEqual([])
  const { body } = await bob.get(`/api/servers/${server_id}/onboarding`)
  expect(body.questions[0].options[0].role_ids).toEqual([])
})

test('changed questions keep the answers to options that stay, and hold nobody back', async () => {
  const { server_id, ask, enter, accept, onboarding, ids } = await school()
  const [owl, , coast] = ids
  const member = await enter()
  await accept(member, owl, coast)
  const [first] = onboarding.questions
  const next = [{ ...first, title: 'Which?', options: [first.options[0], { label: 'New' }] }]
  const { body } = await ask(alice, { questions: next })
  expect(body.questions[0]).toMatchObject({ id: first.id, title: 'Which?', options: [{ id: owl }, { label: 'New' }] })
  expect(body.questions[0].options[1].id).toBeGreaterThan(Math.max(...ids))
  expect((await member.get(`/api/servers/${server_id}/onboarding`)).body.option_ids).toEqual([owl])
  const [row] = (await alice.get(`/api/servers/${server_id}/members?limit=100`)).body.filter(
    (each: any) => each.user.id === member.id,
  )
  expect(row.held_back).toBe(null)
  const double = [{ ...next[0], options: [first.options[0], first.options[0]] }]
  expect(codeOf(await ask(alice, { questions: double }))).toEqual([422, 'validation_failed'])
})

test('questions need manage_server and manage_roles, have bounds, and their titles are in the audit log', async () => {
  const { server_id, ask } = await school()
  const roleId = await rank(parley, server_id, permissions('manage_server'), bob)
  expect(codeOf(await ask(bob, { questions: [] }))).toEqual([403, 'missing_permission'])
  await parley.parts.sql`update roles set permissions = ${permissions('manage_roles')} where id = ${roleId}`
  expect(codeOf(await ask(bob, { questions: [] }))).toEqual([403, 'missing_permission'])
  const both = permissions('manage_server', 'manage_roles')
  await parley.parts.sql`update roles set permissions = ${both} where id = ${roleId}`
  const question = { title: 'X', options: [{ label: 'Y' }] }
  for (const questions of [
    Array(9).fill(question),
    [{ ...question, options: Array(26).fill({ label: 'Y' }) }],
    [{ ...question, options: [] }],
    [{ ...question, title: '' }],
    [{ ...question, options: [{ label: 'Y', emoji: 'owl' }] }],
  ])
    expect(codeOf(await ask(bob, { questions }))).toEqual([422, 'validation_failed'])
  expect((await ask(bob, { questions: [question] })).status).toBe(200)
  const [entry] = (await alice.get(`/api/servers/${server_id}/audit-log?action=onboarding.updated`)).body
  expect(entry.changes).toEqual({ questions: { before: ['What do you watch?', 'And where?'], after: ['X'] } })
})

test('an option names no channel to members who do not see it', async () => {
  const { server_id, everyone, nests, ids, choose } = await school()
  await alice.put(`/api/channels/${nests.id}/permissions/${everyone}`, { deny: permissions('view_channel') })
  const { body } = await bob.get(`/api/servers/${server_id}/onboarding`)
  expect(body.questions[0].options[0].channel_ids).toEqual([])
  await choose(bob, ids[0])
  expect(await listedOf(bob, server_id)).toEqual([])
  expect((await alice.get(`/api/servers/${server_id}/onboarding`)).body.questions[0].options[0].channel_ids).toEqual([
    nests.id,
  ])
})
