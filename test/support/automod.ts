import { expect } from 'bun:test'
import { type CompiledRules, compileRules } from '../../src/features/automod/compiled-rules.ts'
import { RuleDraft } from '../../src/features/automod/model.ts'
import type { Person } from './harness.ts'

type Draft = Record<string, unknown>

/** A rule that blocks these words, unless the draft says something else. */
export const wordsRule = (words: string[], draft: Draft = {}): Draft => ({
  name: 'Words',
  trigger: { type: 'words', words },
  actions: [{ type: 'block' }],
  ...draft,
})

/** Makes a rule in a server. @returns its id */
export async function addRule(who: Person, serverId: number, draft: Draft): Promise<number> {
  const { status, body } = await who.post(`/api/servers/${serverId}/automod`, draft)
  expect([status, body.code]).toEqual([201, undefined])
  return body.id
}

/** The rules of a draft, as the server judges by them: without a server. */
export async function compiled(...drafts: Draft[]): Promise<CompiledRules> {
  const time = '2026-11-29T12:00:00.000Z'
  const rules = drafts.map((draft, at) => ({
    ...RuleDraft.parse(draft),
    id: at + 1,
    server_id: 1,
    created_at: time,
    updated_at: time,
  }))
  return compileRules(rules, async () => {})
}
