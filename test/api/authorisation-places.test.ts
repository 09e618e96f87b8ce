import { expect, test } from 'bun:test'
import { PARTICIPANT_PERMISSIONS } from '../../src/core/permissions.ts'
import { isClosedToGuests } from '../../src/features/sessions/guests.ts'
import { PLACES } from '../support/authorisation-places.ts'
import { standard } from '../support/harness.ts'
import {
  callersIn,
  type PlaceCaller,
  placeCallers,
  type PlaceType,
  placeTypes,
  PlaceScenes,
} from '../support/place-scenes.ts'
import { connect } from '../support/socket.ts'

const parley = await standard()
const scenes = await PlaceScenes.open(parley)

const document = await (await fetch(`${parley.url}/docs/json`)).json()

/** The names of an operation's inputs: its parameters, and the fields of its body. */
function namesOf({ parameters = [], requestBody }: any): string[] {
  const fields = (schema: any): string[] =>
    schema === undefined
      ? []
      : schema.$ref
        ? fields(document.components.schemas[schema.$ref.split('/').at(-1)])
        : [...Object.keys(schema.properties ?? {}), ...(schema.anyOf ?? schema.oneOf ?? []).flatMap(fields)]
  return [
    ...parameters.map(({ name }: { name: string }) => name),
    ...fields(requestBody?.content['application/json']?.schema),
  ]
}

/** Routes that name a channel, message or file, and need no row in the table. */
const ELSEWHERE = [
  // Concerns an upload of the caller's own, which is in no place yet.
  'POST /api/servers/:server_id/emoji',
  'POST /api/servers/:server_id/stickers',
  'POST /api/servers/:server_id/sounds',
  'PUT /api/roles/:role_id/icon',
  'PUT /api/auth/banner',
  // Names a person: in test/support/authorisation-people.ts.
  'POST /api/dm/messages',
  // Authorised by the token of an interaction, with files of the bot's own.
  'POST /api/interactions/:interaction_id/answer',
  'PUT /api/interactions/:interaction_id/answer',
  'POST /api/interactions/:interaction_id/follow-ups',
  // Authorised by the token of a webhook: test/support/authorisation-webhooks.ts.
  'GET /hooks/:webhook_id/:token/messages/:message_id',
  'PATCH /hooks/:webhook_id/:token/messages/:message_id',
  'DELETE /hooks/:webhook_id/:token/messages/:message_id',
  // Of the operator's reports: test/support/authorisation-operator.ts.
  'GET /api/operator/reports/:report_id/files/:file_id/download-url',
  // Filters the log of a server, which view_audit_log opens as a whole: test/support/authorisation-table.ts.
  'GET /api/servers/:server_id/audit-log',
]
/** Routes that take several files call the field ids. */
const BESIDES = ['POST /api/files/download-urls']

test('every route of the OpenAPI document that concerns a place has a row for each type of place', () => {
  const routes = Object.entries<Record<string, any>>(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => namesOf(operation).some((name) => /^(channel|message|file)_ids?$/.test(name)))
      .map(([method]) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )
  const expected = [...routes, ...BESIDES].filter((route) => !ELSEWHERE.includes(route))
  const rows = Object.keys(PLACES).map((key) => key.split(' ').slice(0, 2).join(' '))
  expect([...new Set(rows)].toSorted()).toEqual(expected.toSorted())
  for (const [key, { expected: types }] of Object.entries(PLACES)) {
    const isOfMessage = /:(message|file)_id|emoji\/used|download-urls|favourites/.test(key)
    const all = placeTypes.filter((type) => (type !== 'category' && type !== 'forum') || !isOfMessage)
    expect([key, ...Object.keys(types).toSorted()]).toEqual([key, ...all.toSorted()])
  }
})

/** A guest gets what a member who writes gets, where the route is open to guests. */
function ofGuest(route: string, member: number): number {
  const [method = '', pattern = ''] = route.split(' ')
  return isClosedToGuests(method, pattern) ? 403 : member
}

for (const [route, { ask, expected }] of Object.entries(PLACES))
  test(`${route}: in each type of place, each caller gets what the table says`, async () => {
    const answered: Partial<Record<PlaceType, object>> = {}
    const reported: typeof answered = {}
    for (const type of placeTypes) {
      const row = expected[type]
      if (!row) continue
      const shared = route.startsWith('GET ') && type !== 'dm' ? await scenes.scene(type, 'member') : undefined
      const statusOf = async (caller: PlaceCaller) => {
        const scene = shared ?? (await scenes.scene(type, caller))
        return [caller, (await ask(scene, scenes.people[caller])).status] as const
      }
      const callers = callersIn(type)
      answered[type] = Object.fromEntries(await Promise.all(callers.map(statusOf)))
      reported[type] = Object.fromEntries(
        callers.map((caller) => [caller, caller === 'guest' ? ofGuest(route, row.member) : row[caller]]),
      )
    }
    if (/^(PUT|DELETE) .api.channels/.test(route)) await scenes.clear()
    expect(answered).toEqual(reported)
  })

/** The answers to `typing.start`, `channel.ack` and `voice.join`. Voice channels, dms and groups have calls. */
const COMMANDS: Record<PlaceType, (caller: PlaceCaller) => string> = {
  text: (caller) => `${writes(caller)} ok validation_failed`,
  // A member without speak needs the SFU, which is off here.
  voice: (caller) =>
    isHeldBack(caller)
      ? 'missing_permission ok missing_permission'
      : `${writes(caller)} ok ${writes(caller) === 'ok' ? 'ok' : 'media_unavailable'}`,
  category: () => 'forbidden not_found validation_failed',
  forum: () => 'forbidden not_found validation_failed',
  thread: (caller) => `${writes(caller)} ok validation_failed`,
  dm: (caller) => (caller === 'blocked' ? 'cannot_contact ok cannot_contact' : 'ok ok ok'),
  group: () => 'ok ok ok',
}
const isHeldBack = (caller: PlaceCaller) => ['pending', 'unverified', 'quarantined'].includes(caller)
const writes = (caller: PlaceCaller) =>
  caller === 'silent' || caller === 'timed_out' || isHeldBack(caller) ? 'missing_permission' : 'ok'
const OUTSIDE: PlaceCaller[] = ['former', 'friend', 'blind', 'stranger']
const isInside = (caller: PlaceCaller, type: PlaceType) =>
  !OUTSIDE.includes(caller) && (caller !== 'member' || (type !== 'dm' && type !== 'group'))

test('commands: callers who see the place get what the permissions say, others get a not-found answer', async () => {
  for (const caller of placeCallers.filter((each) => each !== 'deleted')) {
    const live = await connect(scenes.people[caller])
    for (const type of placeTypes.filter((each) => callersIn(each).includes(caller))) {
      const { id: channel_id, message_id } = await scenes.scene(type, caller)
      const codes = []
      for (const [op, d] of [
        ['typing.start', { channel_id }],
        ['channel.ack', { channel_id, message_id: message_id || 1 }],
        ['voice.join', { channel_id, self_mute: false, self_deaf: false }],
      ] as const)
        codes.push((await live.command(op, d)).error?.code ?? 'ok')
      const expected = isInside(caller, type) ? COMMANDS[type](caller) : 'not_found not_found not_found'
      expect([caller, type, codes.join(' ')]).toEqual([caller, type, expected])
    }
    live.close()
  }
  await scenes.clear()
})

test('the typing of a member reaches everyone who sees the channel of the thread', async () => {
  const { id } = await scenes.scene('thread', 'member')
  const { member, silent, blind } = scenes.people
  const [live, hidden, typing] = [await connect(silent), await connect(blind), await connect(member)]
  await typing.command('typing.start', { channel_id: id })
  expect((await live.next('typing.started')).d).toMatchObject({ channel_id: id, user: { id: member.id } })
  await hidden.settled()
  expect(hidden.of('typing.started')).toEqual([])
  for (const socket of [live, hidden, typing]) socket.close()
  await scenes.clear()
})

test('a participant may do in a dm or group what SQL and TypeScript both say', async () => {
  expect(await parley.parts.sql`select participant_permissions() as bits`).toEqual([
    { bits: PARTICIPANT_PERMISSIONS },
  ] as never)
})
