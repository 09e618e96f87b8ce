import { expect } from 'bun:test'
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
