import { expect, test } from 'bun:test'
import { addBot, botOf } from '../../support/bots.ts'
import { standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = await passersBy(parley, 'alice', 'bob')

const roll = { name: 'roll', description: 'Rolls dice' }
/** Options with this many choices of 200 characters each. */
const options = (choices: number) =>
  Array.from({ length: Math.ceil(choices / 25) }, (_, n) => ({
    name: `o${n}`,
    description: 'Of a test',
    type: 'string',
    choices: Array.from({ length: Math.min(25, choices - 25 * n) }, () => ({
      name: 'x'.repeat(100),
      value: 'y'.repeat(100),
    })),
  }))

test('a bot that has filled its lists makes no channel’s endless, and hides no other’s commands', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const [dice, flood, large] = [await botOf(alice, 'Dice'), await botOf(alice, 'Flood'), await botOf(alice, 'Large')]
  for (const bot of [dice, flood, large]) await addBot(alice, server_id, bot)
  expect((await dice.put('/api/applications/@me/commands', [roll])).status).toBe(200)
  await sql`insert into bot_commands (application_id, server_id, kind, name, description, options, default_permissions)
    select ${flood.id}::bigint, null, 'chat', 'a' || n, 'Of a test', '{"options":[],"subcommands":[]}', 0
    from generate_series(1, 2000) n`
  const listed = async () => {
    const { body } = await bob.get(`/api/channels/${channel_id}/commands`)
    return { body, length: JSON.stringify(body).length }
  }
  const many = await listed()
  expect(many.body).toHaveLength(500)
  expect(many.body.map(({ name }: any) => name)).toContain('roll')
  const each = { ...roll, options: options(90) }
  for (const query of ['', `?server_id=${server_id}`]) {
    const drafts = Array.from({ length: 12 }, (_, n) => ({ ...each, name: `aa${query.length}-${n}` }))
    expect((await large.put(`/api/applications/@me/commands${query}`, drafts)).status).toBe(200)
  }
  await sql`update bot_commands
    set options = (select options from bot_commands where application_id = ${large.id} limit 1)
    where application_id = ${flood.id}`
  const long = await listed()
  expect(long.length).toBeLessThan(600 * 1024)
  expect(new Set(long.body.map(({ bot }: any) => bot.id))).toEqual(new Set([dice.id, flood.id, large.id]))
  // An unlisted command can be used by its id.
  const [command] = await sql<{ id: number }[]>`select id from bot_commands where application_id = ${flood.id}
    and id <> all (${long.body.map(({ id }: any) => id)}::bigint[]) limit 1`
  const used = await bob.post('/api/interactions', { kind: 'command', channel_id, command_id: command?.id ?? 0 })
  expect(used.status).toBe(201)
})

test('a command has a bound for all its options together', async () => {
  const bot = await botOf(alice, 'Dice')
  const put = (choices: number) => bot.put('/api/applications/@me/commands', [{ ...roll, options: options(choices) }])
  expect((await put(100)).status).toBe(200)
  expect((await put(200)).body.errors).toMatchObject([{ path: 'body.0.options' }])
})

test('names of commands and options are in any script, in one form', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const bot = await botOf(alice, 'Polyglot')
  await addBot(alice, server_id, bot)
  const named = (name: string) => bot.put('/api/applications/@me/commands', [{ ...roll, name }])
  for (const name of ['würfeln', 'サイコロ', 'кости', 'पासा', 'زهر', '주사위'])
    expect([name, (await named(name)).status]).toEqual([name, 200])
  expect((await named('wu\u0308rfeln')).status).toBe(200)
  const [listed] = (await bob.get(`/api/channels/${channel_id}/commands`)).body
  expect(listed.name).toBe('w\u00fcrfeln')
  for (const name of ['Würfeln', 'a b', 'a/b', '🎲', '', 'x'.repeat(33), 'e'.padEnd(32, '\u0301'), 'a\u202eb', 'a\0'])
    expect([name, (await named(name)).status]).toEqual([name, 422])
})
