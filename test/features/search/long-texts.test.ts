import { expect, test } from 'bun:test'
import { RULES } from '../../../src/features/search/document.ts'
import { newServer, type Person, standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { until } from '../../support/until.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
const { server_id } = await newServer(alice, bob)
const newChannel = async (name: string) =>
  (await alice.post(`/api/servers/${server_id}/channels`, { name, type: 'text' })).body.id as number

/** After a batch of new messages, the job rests for three times as long as that took. */
const LONG_MS = 300_000
/** Of all these, the terms have 1.5 times as many characters as one batch. */
const MESSAGES = 60
const LETTERS = 4_000
/** Chinese letters of which no two follow each other twice: each pair is a term of its own. */
const longText = (nth: number): string =>
  String.fromCodePoint(
    ...Array.from({ length: LETTERS }, (_, at) => 0x4e00 + (at % 2 === 0 ? nth : MESSAGES + ((at * 7 + nth) % 20_000))),
  )
const contents = Array.from({ length: MESSAGES }, (_, nth) => longText(nth))

/** How many messages of a channel are indexed, and by how many transactions. */
async function indexedIn(channelId: number): Promise<{ count: number; transactions: number }> {
  const [row] = await sql<[{ count: number; transactions: number }]>`
    select count(*)::int as count, count(distinct xmin::text)::int as transactions
    from search_documents where place_id = ${channelId}`
  return row
}

/** The beginning of each message finds it, and nothing else. */
async function demandFound(channelId: number): Promise<void> {
  for (const nth of [0, 30, MESSAGES - 1]) {
    const q = encodeURIComponent(`"${longText(nth).slice(0, 8)}"`)
    const { status, body } = await bob.get(`/api/search?channel_id=${channelId}&q=${q}`)
    expect([nth, status, body.messages.length]).toEqual([nth, 200, 1])
  }
}

test(
  'older messages of long texts are indexed in several batches, and none is left out',
  async () => {
    const home = await newChannel('older')
    await parley.sweep()
    await sql`insert into messages (channel_id, author_id, content)
    select ${home}, ${alice.id}, content from unnest(${contents}::text[]) content`
    await sql`delete from search_progress`
    await parley.sweep()
    const { count, transactions } = await indexedIn(home)
    expect(count).toBe(MESSAGES)
    expect(transactions).toBeGreaterThan(1)
    expect((await sql`select below_id, whole_rules from search_progress`)[0]).toEqual({
      below_id: null,
      whole_rules: RULES,
    })
    await demandFound(home)
  },
  LONG_MS,
)

test(
  'new messages of long texts are indexed in several batches, and none is left out',
  async () => {
    const home = await newChannel('newer')
    await parley.sweep()
    await sql.begin(async (tx) => {
      await tx`with sent as (
        insert into messages (channel_id, author_id, content)
        select ${home}, ${alice.id}, content from unnest(${contents}::text[]) content returning id)
      insert into events (type, topic, resource, body)
      select 'message.created', 'nobody', 'message:' || id, '{}' from sent order by id`
    })
    // The log is read up to the oldest open transaction, and other processes have some.
    await until(async () => {
      await parley.sweep()
      return (await indexedIn(home)).count === MESSAGES
    }, LONG_MS)
    expect((await indexedIn(home)).transactions).toBeGreaterThan(1)
    await demandFound(home)
  },
  LONG_MS,
)
