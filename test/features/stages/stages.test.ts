import { afterAll, expect, test } from 'bun:test'
import { endEmptyStage } from '../../../src/features/stages/change.ts'
import { EmptyStages } from '../../../src/voice/stages/empty-stages.ts'
import { addRule, wordsRule } from '../../support/automod.ts'
import { exportOf } from '../../support/factors.ts'
import { boot, newServer, person, stop, until } from '../../support/harness.ts'
import { connect } from '../../support/socket.ts'
import { letModerate, newStage, stageServer } from '../../support/stages.ts'

const parley = await boot()
afterAll(() => stop(parley))

const people = (...names: string[]) => Promise.all(names.map((name) => person(parley, name)))
const auditOf = async (who: Awaited<ReturnType<typeof person>>, server_id: number) =>
  (await who.get(`/api/servers/${server_id}/audit-log`)).body

test('a moderator starts a stage, changes its topic and ends it; all who see it learn that each time', async () => {
  const [ann, ben] = await people('ann', 'ben')
  const { server_id, channel_id } = await stageServer(ann!, ben!)
  const path = `/api/channels/${channel_id}/stage`
  const socket = await connect(ben!)
  expect((await ben!.post(path, { topic: 'Owls' })).body.code).toBe('missing_permission')
  await letModerate(ann!, server_id, ben!)
  const started = await ben!.post(path, { topic: 'Owls' })
  expect([started.status, started.body.topic, started.body.started_by]).toEqual([201, 'Owls', ben!.id])
  expect((await socket.next('stage.started')).d).toEqual({ ...started.body, channel_id, server_id })
  expect((await ann!.get(`/api/channels/${channel_id}`)).body.stage).toEqual(started.body)
  expect((await ann!.post(path, { topic: 'Terns' })).body.code).toBe('stage_running')
  expect((await ann!.put(path, { topic: 'Terns' })).body).toEqual({ ...started.body, topic: 'Terns' })
  expect((await socket.next('stage.updated')).d.topic).toBe('Terns')
  const late = await connect(ben!)
  const snapshot = await late.next('server.snapshot')
  expect(snapshot.d.channels.find(({ id }: { id: number }) => id === channel_id).stage.topic).toBe('Terns')
  expect((await ann!.delete(path)).status).toBe(204)
  expect((await socket.next('stage.ended')).d.channel_id).toBe(channel_id)
  expect((await ann!.get(`/api/channels/${channel_id}`)).body.stage).toBe(null)
  for (const refused of [await ann!.put(path, { topic: 'x' }), await ann!.delete(path)])
    expect(refused.body.code).toBe('not_found')
  const again = await ann!.post(path, { topic: 'Owls' })
  expect(again.body.id).not.toBe(started.body.id)
  const entries = (await auditOf(ann!, server_id)).filter(({ action }: { action: string }) =>
    action.startsWith('stage.'),
  )
  expect(entries.map(({ action }: { action: string }) => action)).toEqual([
    'stage.started',
    'stage.ended',
    'stage.updated',
    'stage.started',
  ])
  for (const each of [socket, late]) each.close()
})

test("an account's export has the topics that it gave to stages, and no others", async () => {
  const [ann, ben] = await people('ann', 'ben')
  const { server_id, channel_id } = await stageServer(ann!, ben!)
  const path = `/api/channels/${channel_id}/stage`
  await letModerate(ann!, server_id, ben!)
  expect((await ben!.post(path, { topic: 'Owls' })).status).toBe(201)
  expect((await ann!.put(path, { topic: 'Terns' })).status).toBe(200)
  expect((await ben!.put(path, { topic: 'Terns' })).status).toBe(200)
  expect((await ben!.put(path, { topic: 'Gulls' })).status).toBe(200)
  expect((await ben!.delete(path)).status).toBe(204)
  const topic = (of: string) => ({ server_id, channel_id, topic: of, created_at: expect.any(String) })
  expect((await exportOf(ben!)).body.stage_topics).toEqual([topic('Owls'), topic('Gulls')])
  expect((await exportOf(ann!)).body.stage_topics).toEqual([topic('Terns')])
})

test('a topic has one to 120 characters on one line, and only stages have one', async () => {
  const [ann, eve] = await people('ann', 'eve')
  const { server_id, channel_id } = await newServer(ann!)
  const stageId = await newStage(ann!, server_id)
  for (const topic of ['', ' ', 'x'.repeat(121), 7, null])
    expect((await ann!.post(`/api/channels/${stageId}/stage`, { topic })).body.code).toBe('validation_failed')
  const elsewhere = await ann!.post(`/api/channels/${channel_id}/stage`, { topic: 'Owls' })
  expect([elsewhere.status, elsewhere.body.code]).toEqual([422, 'validation_failed'])
  expect((await eve!.post(`/api/channels/${stageId}/stage`, { topic: 'Owls' })).status).toBe(404)
  expect((await ann!.get(`/api/channels/${stageId}`)).body.stage).toBe(null)
})

test('a rule of AutoMod judges topics', async () => {
  const [ann, ben] = await people('ann', 'ben')
  const { server_id, channel_id } = await stageServer(ann!, ben!)
  await letModerate(ann!, server_id, ben!)
  await addRule(ann!, server_id, wordsRule(['gull']))
  const refused = await ben!.post(`/api/channels/${channel_id}/stage`, { topic: 'Why gull?' })
  expect(refused.body.code).toBe('automod_blocked')
  expect((await ben!.post(`/api/channels/${channel_id}/stage`, { topic: 'Owls' })).status).toBe(201)
  const edited = await ben!.put(`/api/channels/${channel_id}/stage`, { topic: 'gull' })
  expect(edited.body.code).toBe('automod_blocked')
})

test('a stage is a channel: it has messages and threads, an event may be in it, and templates keep it', async () => {
  const [ann] = await people('ann')
  const { server_id, channel_id } = await stageServer(ann!)
  const sent = await ann!.post(`/api/channels/${channel_id}/messages`, { content: 'Hello' })
  expect(sent.status).toBe(201)
  expect((await ann!.post(`/api/channels/${channel_id}/threads`, { name: 'Owls' })).status).toBe(201)
  const times = { starts_at: new Date(Date.now() + 3_600_000), ends_at: new Date(Date.now() + 7_200_000) }
  const event = { title: 'Talk', ...times, time_zone: 'UTC', place: { channel_id } }
  expect((await ann!.post(`/api/servers/${server_id}/events`, event)).status).toBe(201)
  expect((await ann!.put(`/api/channels/${channel_id}`, { user_limit: 5 })).body.code).toBe('validation_failed')
  expect((await ann!.put(`/api/channels/${channel_id}`, { opt_in: true })).status).toBe(200)
  const template = await ann!.get(`/api/servers/${server_id}/template`)
  expect(template.body.channels.map(({ type }: { type: string }) => type)).toContain('stage')
  const copy = await ann!.post('/api/servers', { name: 'Copy', description: '', template: template.body })
  expect(copy.status).toBe(201)
  const channels = (await ann!.get(`/api/servers/${copy.body.id}/channels`)).body
  expect(channels.map(({ type }: { type: string }) => type)).toContain('stage')
})

test('a stage that nobody ends is over some time after its call, unless somebody came back', async () => {
  const [ann] = await people('ann')
  const { channel_id } = await stageServer(ann!)
  await ann!.post(`/api/channels/${channel_id}/stage`, { topic: 'Owls' })
  const socket = await connect(ann!)
  const looks: number[] = []
  const full = new EmptyStages(parley.parts, (id) => looks.push(id) === 0, 1)
  full.callEnded(channel_id)
  await until(() => looks.length === 1)
  expect((await ann!.get(`/api/channels/${channel_id}`)).body.stage.topic).toBe('Owls')
  const empty = new EmptyStages(parley.parts, () => true, 1)
  empty.callEnded(channel_id)
  expect((await socket.next('stage.ended')).d.topic).toBe('Owls')
  expect((await ann!.get(`/api/channels/${channel_id}`)).body.stage).toBe(null)
  socket.close()
})

test('a stage that has been started since its call ended goes on', async () => {
  const [ann] = await people('ann')
  const { channel_id } = await stageServer(ann!)
  expect((await ann!.post(`/api/channels/${channel_id}/stage`, { topic: 'Owls' })).status).toBe(201)
  const topic = async () => (await ann!.get(`/api/channels/${channel_id}`)).body.stage?.topic
  const end = (endedMs: number) => parley.parts.write((sql, emit) => endEmptyStage(sql, emit, channel_id, endedMs))
  await end(3_600_000)
  expect(await topic()).toBe('Owls')
  await end(0)
  expect(await topic()).toBe(undefined)
})
