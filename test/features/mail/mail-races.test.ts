import { afterAll, expect, test } from 'bun:test'
import type { Transaction } from '../../../src/database/database.ts'
import { makeLink } from '../../../src/features/mail/links.ts'
import { boot, call, PASSWORD, Person, person, stop, until } from '../../support/harness.ts'
import { prepareProof } from '../../support/factors.ts'
import { Mailbox } from '../../support/mailbox.ts'

let senderRefused = 0
const mailbox = await Mailbox.open({
  onMailFrom: (_address, _session, callback) => {
    senderRefused++
    callback(Object.assign(new Error('not from you'), { responseCode: 550 }))
  },
})
const parley = await boot(mailbox.variables())
const { sql } = parley.parts
afterAll(async () => {
  await stop(parley)
  await mailbox.close()
})

const NEW = ['Other-Horse-77-Battery!', 'Third-Horse-78-Battery!']
const waiting = async () =>
  (await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length

/** Locks the account's row until `count` others wait for it; `within` runs before the unlock. */
async function whileHeld(
  who: Person,
  count: number,
  begin: () => Promise<unknown>[],
  within: (tx: Transaction) => PromiseLike<unknown> = async () => {},
): Promise<unknown[]> {
  let begun: Promise<unknown>[] = []
  await sql.begin(async (tx) => {
    await tx`select 1 from users where id = ${who.id} for update`
    begun = begin()
    await until(async () => (await waiting()) >= count)
    await within(tx)
  })
  return Promise.all(begun)
}

/** Another session of the account. */
async function elsewhere(who: Person): Promise<Person> {
  const { body } = await call(parley, 'POST', '/api/auth/login', {
    body: { username: who.username, password: PASSWORD },
  })
  return new Person(parley, who.id, who.username, who.email, who.display_name, body.token)
}

test('if two changes of the address race, one link is made', async () => {
  const alice = await person(parley, 'alice')
  await prepareProof(alice)
  const addresses = [1, 2].map((n) => `${alice.username}.${n}@example.org`)
  const answers = await whileHeld(alice, 2, () => addresses.map((email) => alice.put('/api/auth/email', { email })))
  expect(answers).toMatchObject([{ status: 202 }, { status: 202 }])
  const queued = await sql`select 1 from mail_outbox where user_id = ${alice.id} and template = 'change_email'`
  expect(queued.length).toBe(1)
})

test('a session that ends while it changes the address changes nothing', async () => {
  const alice = await person(parley, 'alice')
  await prepareProof(alice)
  const answers = await whileHeld(
    alice,
    1,
    () => [alice.put('/api/auth/email', { email: `${alice.username}.new@example.org` })],
    (tx) => tx`delete from sessions where user_id = ${alice.id}`,
  )
  expect(answers).toMatchObject([{ status: 403, body: { code: 'proof_required' } }])
  expect((await sql`select 1 from mail_outbox where user_id = ${alice.id}`).length).toBe(0)
})

test('if two changes of the password race, one counts, by the password and by a proof', async () => {
  for (const current of [{ current_password: PASSWORD }, {}]) {
    const alice = await person(parley, 'alice')
    const people = [alice, await elsewhere(alice)]
    await prepareProof(alice)
    const answers = (await whileHeld(alice, 2, () =>
      people.map((who, at) => who.put('/api/auth/password', { ...current, new_password: NEW[at] })),
    )) as { status: number }[]
    const changed = answers.findIndex(({ status }) => status === 200)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
    const logins = NEW.map((password) =>
      call(parley, 'POST', '/api/auth/login', { body: { username: alice.username, password } }),
    )
    const statuses = (await Promise.all(logins)).map(({ status }) => status)
    expect(statuses).toEqual(changed === 0 ? [200, 401] : [401, 200])
  }
})

test('a sender that the SMTP server refuses loses no mail', async () => {
  const alice = await person(parley, 'alice')
  const before = senderRefused
  expect((await call(parley, 'POST', '/api/auth/password/forgot', { body: { email: alice.email } })).status).toBe(202)
  const mails = () => sql<{ attempts: number }[]>`select attempts from mail_outbox where address = ${alice.email}`
  await until(async () => senderRefused > before && (await mails())[0]?.attempts !== 0)
  // The attempt ends with the sender's run.
  await parley.sweep()
  expect(await mails()).toHaveLength(1)
})

test('a link for a mail and a deletion of its account do not wait for each other', async () => {
  const alice = await person(parley, 'alice')
  const [mail] = await sql<{ id: number }[]>`insert into mail_outbox (user_id, address, template, due_at)
    values (${alice.id}, ${alice.email}, 'verify', now() + interval '1 day') returning id`
  const recipient = { id: alice.id, address: alice.email }
  const outcome = await whileHeld(
    alice,
    1,
    () => [makeLink(sql, 'verify', { recipient, mailId: mail?.id ?? 0, base: 'http://localhost' })],
    // In the order of a deletion: the account first, then the mails.
    (tx) => tx`delete from mail_outbox where user_id = ${alice.id}`,
  )
  expect(outcome).toEqual([undefined])
  expect((await sql`select 1 from mail_tokens where user_id = ${alice.id}`).length).toBe(0)
})
