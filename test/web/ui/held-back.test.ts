import { expect, test } from 'bun:test'
import { person, newServer, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'
import { until } from '../../support/until.ts'

const parley = await standard()
const { sql } = parley.parts

test('a member who is held back reads why and for how long instead of the field, until it is over', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const hold = async (reason: string, minutes: number | null, verification = 'none') => {
    await ann.put(`/api/servers/${server_id}`, verification === 'mail' ? { verification: 'none' } : { verification })
    await until(async () => {
      await parley.sweep()
      return (await sql`select 1 from verification_sweeps`).length === 0
    })
    // The route refuses mail, because this server sends none.
    await sql`update servers set verification = ${verification}, verification_minutes = 60 where id = ${server_id}`
    await sql`update members set held_back = ${reason}, held_until = now() + ${minutes} * interval '1 minute'
      where server_id = ${server_id} and user_id = ${ben.id}`
  }
  const reads = async (...texts: (string | RegExp)[]) => {
    const visitor = await Page.as(ben, `/app/servers/${server_id}/channels/${channel_id}`)
    for (const text of texts) await visitor.sees(text)
    expect(await visitor.composer().count()).toBe(0)
    return visitor
  }
  await hold('unverified', null, 'mail')
  await (await reads('Confirm your e-mail address to write in this server.')).leave()
  await hold('unverified', 59, 'account_minutes')
  await (await reads(/once their account is older than 1 hour/, /You can write in 59 minutes/)).leave()
  await hold('quarantined', null)
  await (await reads(/until a moderator lets you in/)).leave()
  await hold('quarantined', 60)
  await (await reads(/You are quarantined in this server until /)).leave()
  await hold('unverified', 0.9, 'member_minutes')
  const visitor = await reads(/once they have been members for 1 hour/, /You can write in \d+ seconds/)
  const seconds = async () =>
    Number(
      /(\d+) seconds/.exec(
        await visitor
          .getByText(/You can write in/)
          .first()
          .innerText(),
      )?.[1],
    )
  const first = await seconds()
  expect(first).toBeWithin(1, 55)
  await visitor.until(async () => (await seconds()) < first)
  await sql`update members set held_until = now() where user_id = ${ben.id}`
  await parley.sweep()
  await visitor.sees(visitor.composer())
  await visitor.leave()
})
