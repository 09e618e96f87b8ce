import { z } from 'zod'
import { Id, shownText, Time } from '../../core/schema.ts'
import { RulesVersion } from '../access/model.ts'

const LINES_MAX = 16
const RULES_MAX = 4000

export const ServerRules = z
  .object({
    server_id: Id,
    content: z.string().describe('Markdown'),
    version: RulesVersion.nullable().describe('null: there are no rules'),
    updated_at: Time.nullable(),
  })
  .meta({ title: 'ServerRules' })
export type ServerRules = z.infer<typeof ServerRules>

export const RulesDraft = z.strictObject({
  content: shownText(RULES_MAX)
    .refine((text) => text.split('\n').length <= LINES_MAX, `Must have at most ${LINES_MAX} lines`)
    .describe(`Markdown of at most ${LINES_MAX} lines; empty: no rules`)
    .meta({ example: 'Be kind.' }),
})

export const Acceptance = z.strictObject({
  version: RulesVersion.nullable().describe('of the rules that were read; null if the server has none'),
})
