import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'bun:test'
import { boot, type Person, person } from '../../support/harness.ts'
import { EXPORT, imports } from '../../support/imports.ts'
import { admin, databaseOf, done, refused } from '../../support/operator.ts'
import { SPAWN_MS } from '../../support/spawned.ts'
import { until } from '../../support/until.ts'
import type { Parley } from '../../../src/parley.ts'

let parley: Parley
let alice: Person
let bob: Person
let mallory: Person
let channelId: number
let authors: Record<string, number>

const history = async () => (await alice.get(`/api/channels/${channelId}/messages?limit=100`)).body.toReversed()
/** Waits until an author's messages have all moved. */
const moved = async (placeholderId: number) => {
  await parley.sweep()
  await until(async () => {
    const [author] = await parley.parts.sql`select deleted_at from users where id = ${placeholderId}`
    return author?.deleted_at !== null
  })
}
const take = (who: Person, link: string) =>
  who.post('/api/users/@me/imported-messages', { token: new URL(link).hash.slice(1) })

beforeAll(async () => {
  parley = await boot()
  ;[alice, bob, mallory] = [await person(parley, 'alice'), await person(parley, 'bob'), await person(parley, 'mallory')]
  await imports(parley, EXPORT, '--owner', String(alice.id))
  const rows = await parley.parts.sql`select id, display_name from users where kind = 'imported'`
  authors = Object.fromEntries(rows.map(({ id, display_name }) => [display_name, id]))
  const [channel] = await parley.parts.sql`select id from channels where topic = 'All birds'`
  channelId = channel?.id
})

test(
  'the operator gives an account the messages of an author with the reports about them, and no permission',
  async () => {
    const { sql } = parley.parts
    const ann = authors['Ann of the Marsh'] ?? 0
    const reported = { subject: 'message', subject_id: 1, author_id: ann, for_operator: true }
    const [report] = await sql<[{ id: number }]>`insert into reports ${sql(reported)} returning id`
    await sql`insert into report_evidence (report_id, message_id, author_id, content, created_at)
      values (${report.id}, 1, ${ann}, 'Buy feathers', now())`
    await sql`insert into member_overwrites (server_id, channel_id, user_id, allow, deny)
      select server_id, id, ${ann}, 2048, 1024 from channels where id = ${channelId}`
    const before = await history()
    await done(databaseOf(parley), 'claim', String(ann), String(alice.id), '--yes')
    await moved(ann)
    const after = await history()
    expect(after.map(({ id }: any) => id)).toEqual(before.map(({ id }: any) => id))
    const [first] = after
    expect(first.author).toMatchObject({ id: alice.id, kind: 'person' })
    expect(first.content).toContain(`<@${alice.id}>`)
    expect(first.content).not.toContain(`<@${ann}>`)
    expect(first.mention_ids).toContain(alice.id)
    expect(after.some(({ author }: any) => author.id === ann)).toBe(false)
    expect(after.flatMap(({ files }: any) => files)[0].uploader_id).toBe(alice.id)
    const [about] = await sql`select r.author_id, e.author_id as of_evidence
      from reports r join report_evidence e on e.report_id = r.id where r.id = ${report.id}`
    expect(about).toMatchObject({ author_id: alice.id, of_evidence: alice.id })
    // The denial of the author holds for the account, the permission does not.
    const own = await sql`select user_id, allow, deny from member_overwrites`
    expect([...own]).toMatchObject([{ user_id: alice.id, allow: 0, deny: 1024 }])
    const [bytes] =
      await sql`select stored_bytes, (select sum(size)::int from files where uploader_id = ${alice.id}) as sum
      from users where id = ${alice.id}`
    expect(bytes?.stored_bytes).toBe(bytes?.sum)
    expect(await sql`select 1 from member_roles where user_id = ${alice.id}`).toHaveLength(0)
    await until(async () => {
      const { body } = await alice.get(`/api/search?q=kingfisher&from=${alice.id}`)
      return body.messages.length === 1
    })
  },
  SPAWN_MS,
)

test(
  'a link gives the messages only to its account, once',
  async () => {
    const ben = authors['Ben <b>bold</b>'] ?? 0
    const { link } = await done(databaseOf(parley), 'claim-link', String(ben), String(bob.id))
    expect((await take(mallory, link)).body.code).toBe('link_gone')
    const { sql } = parley.parts
    const token = new URL(link).hash.slice(1)
    const hash = createHash('sha256').update(token).digest()
    // The link is stored as a hash, for seven days.
    const [claim] = await sql`select hash, extract(epoch from expires_at - now()) / 86400 as days from claim_links`
    expect([claim?.hash, Math.round(Number(claim?.days))]).toEqual([hash, 7])
    const expires = (days: number) => sql`update claim_links set expires_at = now() + ${days} * interval '1 day'`
    await expires(-1)
    expect((await take(bob, link)).body.code).toBe('link_gone')
    await expires(7)
    expect((await take(bob, link)).status).toBe(200)
    expect((await take(bob, link)).body.code).toBe('link_gone')
    await moved(ben)
    const rows = await parley.parts.sql`select 1 from messages where author_id = ${bob.id}`
    expect(rows.length).toBeGreaterThan(5)
    // Bob is no member: he sees nothing.
    expect((await bob.get(`/api/channels/${channelId}/messages`)).status).toBe(404)
    const [entry] = await parley.parts.sql`select operator_id, target_id, changes from admin_log
      where action = 'claim' and operator_id is not null`
    expect(entry).toEqual({ operator_id: bob.id, target_id: ben, changes: { given_to: bob.id } })
    expect((await history())[0].reactions[0]).toMatchObject({ emoji: '👍', count: 2 })
  },
  SPAWN_MS,
)

test(
  'only an imported author can be given, and only to one account',
  async () => {
    const here = databaseOf(parley)
    const heron = String(authors.Heron)
    expect(await refused(here, 'claim', String(mallory.id), String(bob.id), '--yes')).toContain(
      'no such imported author',
    )
    expect(await refused(here, 'claim', heron, heron, '--yes')).toContain('no such account')
    await parley.parts
      .sql`insert into author_claims values (${authors.Heron ?? 0}, ${bob.id}, now() + interval '1 day')`
    expect(await refused(here, 'claim', heron, String(mallory.id), '--yes')).toContain('already being transferred')
    await parley.parts.sql`delete from author_claims`
  },
  SPAWN_MS,
)

test(
  'an author deleted as an account cannot be claimed, and a deleted server takes its authors along',
  async () => {
    const here = databaseOf(parley)
    await done(here, 'delete-account', String(authors.Ticker), '--yes')
    const hook = (await history()).find(({ content }: any) => content === 'A hook speaks')
    expect(hook.author.display_name).toBe('Deleted user')
    const [server] = await parley.parts.sql`select server_id from imports`
    expect((await admin(here, 'delete', 'server', String(server?.server_id), '--yes')).code).toBe(0)
    await parley.sweep()
    await until(async () => {
      const [counts] = await parley.parts.sql`select (select count(*)::int from imports) as imports,
        (select count(*)::int from users where kind = 'imported' and deleted_at is null) as authors`
      return counts?.imports === 0 && counts.authors === 0
    })
  },
  SPAWN_MS,
)
