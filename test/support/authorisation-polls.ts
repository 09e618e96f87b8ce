import { bit, message, type Row, type World } from './authorisation-rows.ts'
import type { Person } from './harness.ts'
import { heldBack, message as messageOf, moderators, ofMessage, parties, type PlaceRow, seers } from './place-rows.ts'
import type { Scene } from './place-scenes.ts'

type Sql = World['sql']

const addPoll = (sql: Sql, messageId: number) => sql`
  with poll as (
    insert into polls (message_id, question, answers, multiple, anonymous, counts, ends_at)
    values (${messageId}, 'Which?', '[{"text":"One","emoji":null},{"text":"Two","emoji":null}]', false, false, '{0,0}',
      now() + interval '1 hour') on conflict do nothing
  ) update messages set polled = true where id = ${messageId}`

/** A poll of the target's. */
async function pollOf(world: World): Promise<string> {
  const path = await message(world, world.target)
  await addPoll(world.sql, Number(path.split('/').at(-1)))
  return `${path}/poll`
}

/** Rows of polls. */
export const POLLS: Record<string, Row> = {
  'PUT /api/messages/:message_id/poll/votes': bit(
    'read_history',
    204,
    async (world) => ({ path: `${await pollOf(world)}/votes`, body: { answer_ids: [1] } }),
    { bot: 403, bot_elsewhere: 403 },
  ),
  'GET /api/messages/:message_id/poll/answers/:answer_id/voters': bit('read_history', 200, async (world) => ({
    path: `${await pollOf(world)}/answers/1/voters`,
  })),
  'POST /api/messages/:message_id/poll/end': bit('manage_messages', 204, async (world) => ({
    path: `${await pollOf(world)}/end`,
    body: {},
  })),
}

/** Asks about the message of the scene once it has a poll. */
const ofPoll = (ask: (path: string, who: Person) => ReturnType<Person['get']>) => async (scene: Scene, who: Person) => {
  await addPoll(scene.alice.parley.parts.sql, scene.message_id)
  return ask(`${messageOf(scene)}/poll`, who)
}

/** Rows of polls by type of place. */
export const POLL_PLACES: Record<string, PlaceRow> = {
  'PUT /api/messages/:message_id/poll/votes': ofMessage(
    ofPoll((path, who) => who.put(`${path}/votes`, { answer_ids: [2] })),
    {
      server: seers(204, { timed_out: 403, ...heldBack(403) }),
      dm: parties(204, 403),
      group: parties(204),
    },
  ),
  'GET /api/messages/:message_id/poll/answers/:answer_id/voters': ofMessage(
    ofPoll((path, who) => who.get(`${path}/answers/1/voters`)),
    { server: seers(200), direct: parties(200) },
  ),
  'POST /api/messages/:message_id/poll/end': ofMessage(
    ofPoll((path, who) => who.post(`${path}/end`, {})),
    { server: moderators(204), direct: parties(403) },
  ),
}
