import { Elysia } from 'elysia'
import { z } from 'zod'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, type ErrorCode, PLACE_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import type { SendGroups } from '../messages/send-groups.ts'
import { guarded } from '../access/guard.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { Answers } from './answer.ts'
import { beginInteraction } from './begin.ts'
import { commandsOf, replaceCommands, usableCommands } from './commands.ts'
import { InteractionPosts } from './interaction-posts.ts'
import {
  Answered,
  AnswerDraft,
  AnswerPatch,
  Begun,
  BotCommand,
  CommandsQuery,
  CommandDrafts,
  FollowUpDraft,
  InteractionDraft,
  OfferedCommand,
} from './model.ts'
import { commandFor } from './localised.ts'

const tags = ['Interactions']
const Path = z.object({ interaction_id: DecimalId })
const OfServer = z.object({
  server_id: DecimalId.optional().describe('of one server; else those that it has everywhere'),
})

/** Interactions, including completions while typing. */
const INTERACTIONS: BucketPolicy = { name: 'interactions', burst: 20, refillPerS: 1 }
const TYPING: BucketPolicy = { name: 'autocomplete', burst: 30, refillPerS: 5 }
/** Each reads the commands of all bots in a server. */
const LISTS: BucketPolicy = { name: 'command-lists', burst: 30, refillPerS: 2 }
/** Bots replace their commands when they start. */
const REPLACEMENTS: BucketPolicy = { name: 'commands', burst: 20, refillPerS: 0.1 }
/** All answers of a bot to people who ask. */
const ANSWERS: BucketPolicy = { name: 'answers', burst: 60, refillPerS: 20 }

/** A bot's commands. */
const commandRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia({ prefix: '/api/applications/@me/commands' })
    .use(signedIn(parts, sessions))
    .get('', async ({ me, query: { server_id } }) => commandsOf(parts.sql, me.id, server_id ?? null), {
      query: OfServer,
      detail: { summary: 'List the commands of the calling bot', tags },
      response: answers({ 200: z.array(BotCommand) }, ...SHAPE_CODES, ...TOKEN_CODES),
    })
    .put(
      '',
      async ({ me, caller, query: { server_id }, body }) => {
        await parts.space.demand()
        await parts.limits.take(caller, REPLACEMENTS, `user:${me.id}`)
        return replaceCommands(parts, me.id, server_id ?? null, body)
      },
      {
        query: OfServer,
        body: CommandDrafts,
        detail: { summary: 'Replace the commands of the calling bot', tags },
        response: answers({ 200: z.array(BotCommand) }, 'not_found', 'storage_full', ...BODY_CODES, ...TOKEN_CODES),
      },
    )

/** Interactions of people. */
const askingRoutes = (parts: Parts, sessions: Sessions, posts: InteractionPosts) =>
  guarded(parts, sessions)
    .get(
      '/api/channels/:channel_id/commands',
      async ({ channel, me, caller, query: { locale } }) => {
        await parts.limits.take(caller, LISTS, `user:${me.id}`)
        const commands = await usableCommands(parts.sql, me.id, channel)
        return locale === undefined ? commands : commands.map((command) => commandFor(command, locale))
      },
      {
        params: z.object({ channel_id: DecimalId }),
        query: CommandsQuery,
        channel: 'none',
        detail: {
          summary: 'List the commands of bots that the caller may use in a channel',
          description:
            'At most 500, with 512 KiB of options: the first ones of each bot by name. Others can be used by id.',
          tags,
        },
        response: answers({ 200: z.array(OfferedCommand) }, ...PLACE_CODES),
      },
    )
    .post(
      '/api/interactions',
      async ({ me, caller, body, status }) => {
        await parts.limits.take(caller, body.kind === 'autocomplete' ? TYPING : INTERACTIONS, `user:${me.id}`)
        return status(201, await beginInteraction(parts, posts, me.id, caller, body))
      },
      {
        body: InteractionDraft,
        detail: {
          summary: 'Use a command, a component or a modal of a bot',
          description: 'If the bot answers within 3 s, the answer arrives as `interaction.answered`.',
          tags,
        },
        response: answers({ 201: Begun }, 'not_found', 'missing_permission', ...BODY_CODES, ...TOKEN_CODES),
      },
    )

const REFUSALS: ErrorCode[] = [
  'interaction_gone',
  'automod_blocked',
  'storage_full',
  'cannot_contact',
  'forbidden',
  'not_found',
  'missing_permission',
  'slowmode',
  ...BODY_CODES,
  ...TOKEN_CODES,
]

/** Answers of bots. */
const answerRoutes = (parts: Parts, sessions: Sessions, all: Answers) =>
  new Elysia({ prefix: '/api/interactions/:interaction_id' })
    .use(signedIn(parts, sessions))
    .post(
      '/answer',
      async ({ params, me, caller, body, status }) => {
        await parts.limits.take(caller, ANSWERS, `user:${me.id}`)
        return status(201, { message_id: await all.first(me.id, params.interaction_id, body) })
      },
      {
        params: Path,
        body: AnswerDraft,
        detail: { summary: 'Give the first answer to an interaction, within 3 s', tags },
        response: answers({ 201: Answered }, ...REFUSALS),
      },
    )
    .put(
      '/answer',
      async ({ params, me, caller, body }) => {
        await parts.limits.take(caller, ANSWERS, `user:${me.id}`)
        return { message_id: await all.change(me.id, params.interaction_id, body) }
      },
      {
        params: Path,
        body: AnswerPatch,
        detail: { summary: 'Replace the first answer, or complete a deferred one, within 15 minutes', tags },
        response: answers({ 200: Answered }, ...REFUSALS),
      },
    )
    .post(
      '/follow-ups',
      async ({ params, me, caller, body, status }) => {
        await parts.limits.take(caller, ANSWERS, `user:${me.id}`)
        return status(201, { message_id: await all.followUp(me.id, params.interaction_id, body) })
      },
      {
        params: Path,
        body: FollowUpDraft,
        detail: { summary: 'Give a further answer, within 15 minutes', tags },
        response: answers({ 201: Answered }, ...REFUSALS),
      },
    )

export const interactionRoutes = (parts: Parts, sessions: Sessions, groups: SendGroups) => {
  const all = new Answers(parts, groups)
  return new Elysia()
    .use(commandRoutes(parts, sessions))
    .use(askingRoutes(parts, sessions, new InteractionPosts(parts, (...answer) => all.first(...answer))))
    .use(answerRoutes(parts, sessions, all))
}
