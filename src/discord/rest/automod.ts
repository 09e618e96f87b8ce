import { z } from 'zod'
import type { Rule } from '../../features/automod/model.ts'
import { field } from '../../http/answers.ts'
import { Unknown } from '../refusals.ts'
import {
  ALERT,
  BLOCK,
  KEYWORD,
  MENTIONS,
  PROFILE,
  QUARANTINE,
  ruleId,
  ruleOf,
  SPAM,
  TIMEOUT,
} from '../shapes/automod.ts'
import { parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'

// Automod rules. Rules that look for links, invites or attachments have no counterpart on Discord and are left out.

/** Messages within seconds that are spam, where Discord has no numbers. */
const SPAM_RULE = { by: 'member', count: 5, seconds: 10 } as const

const show = async (call: Call, rules: Rule[]): Promise<object[]> =>
  (await call.resolve((of) => rules.map((rule) => ruleOf(of, rule, call.me.id)))).flatMap((rule) => rule ?? [])

const texts = z.array(z.string()).nullish()
const RuleBody = z.object({
  name: z.string(),
  trigger_type: z.int(),
  trigger_metadata: z
    .object({
      keyword_filter: texts,
      regex_patterns: texts,
      allow_list: texts,
      mention_total_limit: z.int().nullish(),
    })
    .nullish(),
  actions: z.array(
    z.object({
      type: z.int(),
      metadata: z
        .object({
          channel_id: z.string().nullish(),
          duration_seconds: z.int().nullish(),
          custom_message: z.string().nullish(),
        })
        .nullish(),
    }),
  ),
  enabled: z.boolean().nullish(),
  exempt_roles: z.array(z.string()).max(50).nullish(),
  exempt_channels: z.array(z.string()).max(50).nullish(),
})
type RuleBody = z.infer<typeof RuleBody>
/** Discord changes no type of a trigger. */
const RuleChange = RuleBody.omit({ trigger_type: true }).partial()

/** @throws Problem `validation_failed` for what Parley has no rule for */
function parleyTrigger({ trigger_type, trigger_metadata }: RuleBody): object {
  const { keyword_filter, regex_patterns, allow_list, mention_total_limit } = trigger_metadata ?? {}
  const [words, patterns, allow] = [keyword_filter ?? [], regex_patterns ?? [], allow_list ?? []]
  if (trigger_type === SPAM) return { type: 'spam', ...SPAM_RULE }
  if (trigger_type === MENTIONS) return { type: 'mentions', max: mention_total_limit ?? 20 }
  if (trigger_type === PROFILE) return { type: 'profile', words, patterns, allow }
  if (trigger_type !== KEYWORD) throw field('trigger_type', 'Parley has no such trigger')
  if (words.length > 0 && patterns.length > 0)
    throw field('trigger_metadata', 'A rule has either words or patterns, not both')
  return patterns.length > 0 ? { type: 'patterns', patterns } : { type: 'words', words, allow }
}

async function parleyAction(call: Call, { type, metadata: more }: RuleBody['actions'][number]): Promise<object> {
  if (type === BLOCK) return { type: 'block', message: more?.custom_message ?? null }
  if (type === ALERT) return { type: 'alert', channel_id: await call.find('channel', more?.channel_id ?? '') }
  if (type === TIMEOUT) return { type: 'timeout', seconds: more?.duration_seconds ?? 60 }
  if (type === QUARANTINE) return { type: 'quarantine' }
  throw field('actions', 'Parley has no such action')
}

async function draftOf(call: Call, body: RuleBody) {
  return {
    name: body.name,
    enabled: body.enabled ?? false,
    trigger: parleyTrigger(body),
    actions: await Promise.all(body.actions.map((action) => parleyAction(call, action))),
    exempt_role_ids: await call.findSome('role', body.exempt_roles ?? []),
    exempt_channel_ids: await call.findSome('channel', body.exempt_channels ?? []),
  }
}

const serverPath = async (call: Call): Promise<string> => `/api/servers/${await call.id('server', 'guild')}/automod`

/** The rule in the path. @throws Unknown */
async function ruleIn(call: Call): Promise<Rule> {
  const rules = await call.own<Rule[]>('GET', await serverPath(call))
  const rule = rules.find((each) => ruleId(each) === call.param('rule'))
  if (!rule) throw new Unknown('rule')
  return rule
}

async function edit(call: Call): Promise<Reply> {
  const before = await ruleIn(call)
  const [shownBefore] = await show(call, [before])
  if (!shownBefore) throw new Unknown('rule')
  const change = parseBody(RuleChange, call.body ?? {})
  const draft = await draftOf(call, parseBody(RuleBody, { ...shownBefore, ...change }))
  const { covers_bots, covers_webhooks } = before
  // Discord has no numbers of spam: a change of the name must not put others in their place.
  const isKept = !change.trigger_metadata || before.trigger.type === 'spam'
  const trigger = isKept ? before.trigger : draft.trigger
  const fields = { ...draft, trigger, covers_bots, covers_webhooks }
  const rule = await call.own<Rule>('PUT', `/api/automod/${before.id}`, fields)
  return (await show(call, [rule]))[0]
}

const RULES = '/guilds/:guild/auto-moderation/rules'

export const automodRoutes = [
  route('GET', RULES, 'server', async (call) => show(call, await call.own<Rule[]>('GET', await serverPath(call)))),
  route('POST', RULES, 'server', async (call) => {
    const draft = await draftOf(call, parseBody(RuleBody, call.body))
    return (await show(call, [await call.own<Rule>('POST', await serverPath(call), draft)]))[0]
  }),
  route('GET', `${RULES}/:rule`, 'rule', async (call) => {
    const [rule] = await show(call, [await ruleIn(call)])
    if (!rule) throw new Unknown('rule')
    return rule
  }),
  route('PATCH', `${RULES}/:rule`, 'rule', edit),
  route('DELETE', `${RULES}/:rule`, 'rule', async (call) => {
    await call.own('DELETE', `/api/automod/${(await ruleIn(call)).id}`)
    return undefined
  }),
]
