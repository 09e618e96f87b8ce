import { expect, test } from 'bun:test'
import { addRule, wordsRule } from '../../support/automod.ts'
import { person, standard } from '../../support/harness.ts'
import { isOfProgram, judgedWays } from '../../support/judged-ways.ts'

const parley = await standard()

test('each way by which a text reaches others is closed to a member, and open to an exempt one', async () => {
  const alice = await person(parley, 'alice')
  const { ways, server_id, role_id } = await judgedWays(alice)
  const covers = { covers_bots: true, covers_webhooks: true }
  const names = { type: 'profile', words: ['quetzal'] }
  const drafts = [wordsRule(['quetzal'], covers), wordsRule([], { trigger: names, ...covers })]
  const rules = await Promise.all(drafts.map((draft) => addRule(alice, server_id, draft)))
  const answers = async () => {
    const statuses: [string, number][] = []
    for (const [name, way] of Object.entries(ways)) statuses.push([name, (await way('quetzal')).status])
    return statuses
  }
  expect(await answers()).toEqual(Object.keys(ways).map((name) => [name, 403]))
  for (const [at, draft] of drafts.entries()) {
    const { status } = await alice.put(`/api/automod/${rules[at]}`, { ...draft, exempt_role_ids: [role_id] })
    expect(status).toBe(200)
  }
  const opened = (await answers()).map(([name, status]) => [name, status < 300 ? 'open' : status])
  expect(opened).toEqual(Object.keys(ways).map((name) => [name, isOfProgram(name) ? 403 : 'open']))
})
