import { afterAll, expect, test } from 'bun:test'
import { boot, person, stop } from '../../support/harness.ts'
import { addRule, wordsRule } from '../../support/automod.ts'
import { judgedWays, LEFT_WITH_WRITER } from '../../support/judged-ways.ts'
import { connect } from '../../support/socket.ts'

const STEPS = 60
/** In no other text, however it is folded. */
const SECRET = 'quetzalcoatlus'
const SPELLINGS = [
  SECRET,
  SECRET.toUpperCase(),
  'quetzal\u200bcoatlus',
  'ｑｕｅｔｚａｌｃｏａｔｌｕｓ',
  'quétzalcöatlus',
]
const holdsSecret = (text: string) => SPELLINGS.some((spelling) => text.includes(spelling))

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return (state >>> 0) / 2 ** 32
  }
}

const parley = await boot({ LINK_PREVIEWS: 'on' })
afterAll(() => stop(parley))

for (const seed of [1, 2, 3])
  test(`a blocked text is in no row, event, frame or answer afterwards (seed ${seed})`, async () => {
    const random = seeded(seed)
    const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T
    const alice = await person(parley, 'alice')
    const { ways, server_id, channel_id, elsewhere, bob, bot } = await judgedWays(alice)
    const covers = { covers_bots: true, covers_webhooks: true }
    await addRule(alice, server_id, wordsRule([SECRET], covers))
    const names = { type: 'profile', words: [SECRET] }
    await addRule(alice, server_id, wordsRule([], { trigger: names, ...covers }))
    const sockets = await Promise.all([alice, bob, bot].map((who) => connect(who)))
    for (const way of LEFT_WITH_WRITER) delete ways[way]
    ways['forward'] = () => bob.post(`/api/channels/${channel_id}/messages`, { forward_message_id: original })
    const original = (await bob.post(`/api/channels/${elsewhere.channel_id}/messages`, { content: SECRET })).body.id
    await sockets[1]?.next('message.created', ({ d }) => d.id === original)
    const framesBefore = sockets.map(({ frames }) => frames.length)
    // The original gets into the index of the search.
    await parley.sweep()
    const rowsBefore = await rowsWithSecret()
    for (let step = 0; step < STEPS; step++) {
      const name = pick(Object.keys(ways))
      const { status } = (await ways[name]?.(`${pick(['', 'the '])}${pick(SPELLINGS)}${pick(['', '!'])}`)) ?? {}
      expect([step, name, status]).toEqual([step, name, 403])
    }
    await parley.sweep()
    await Promise.all(sockets.map((socket) => socket.settled()))
    const laterFrames = sockets.flatMap(({ frames }, at) => frames.slice(framesBefore[at]))
    expect(laterFrames.filter((frame) => holdsSecret(JSON.stringify(frame)))).toEqual([])
    // Only the message that is forwarded, the rules, and what each of them says in the audit log.
    expect(await rowsWithSecret()).toEqual(rowsBefore)
    for (const socket of sockets) socket.close()
  })

/** The number of rows with the secret, by table: of every table there is. */
async function rowsWithSecret(): Promise<Record<string, number>> {
  const { sql } = parley.parts
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const rows = await sql<{ text: string }[]>`select t::text as text from ${sql(name)} t`
    counts[name] = rows.filter(({ text }) => holdsSecret(text)).length
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
