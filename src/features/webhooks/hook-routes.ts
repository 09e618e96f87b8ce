import { Elysia } from 'elysia'
import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { type Caller, callerOf } from '../../http/caller.ts'
import type { Parts } from '../../parts.ts'
import { likeDiscord, likeSlack } from './answers.ts'
import { type HookBody, withBody } from './body.ts'
import { discordChange, discordEdit, discordMessage, discordPost, discordWebhook } from './discord.ts'
import { admitHook, type Hook, POSTS } from './door.ts'
import { githubPost } from './github.ts'
import { hookDetails } from './hook-docs.ts'
import { changeItself, deleteItself } from './own-change.ts'
import { deletePost, editPost, judgePost, NoMessage, type Post, readPost, sendPost } from './post.ts'
import { slackPost } from './slack.ts'

const NOTHING = () => new Response(null, { status: 204 })
// Parsed by the handlers, because senders expect an invalid id to be answered in their service's format.
const Id = z.string().meta({ type: 'integer', minimum: 0, example: 42 })
const OPEN = { params: z.object({ webhook_id: Id, token: z.string() }) }
const MESSAGE = { params: OPEN.params.extend({ message_id: Id }) }

interface Request_ {
  request: Request
  params: { webhook_id: string; token: string }
  caller: Caller
}

/** An id in a path or a query. @throws Problem `not_found` */
function idOf(digits: string): number {
  if (!/^\d{1,15}$/.test(digits)) throw new Problem('not_found')
  return Number(digits)
}

/** The id of a message in a path. @throws NoMessage */
function messageIdOf(digits: string): number {
  if (!/^\d{1,15}$/.test(digits)) throw new NoMessage()
  return Number(digits)
}

/** `?wait=` in the spellings of several languages. */
const waits = (request: Request): boolean =>
  /^(?:true|1|yes)$/i.test(new URL(request.url).searchParams.get('wait')?.slice(0, 8) ?? '')

/** Requests to webhooks, authenticated by their URL. Cookies and API tokens are ignored. */
export function hookRoutes(parts: Parts) {
  const hasPictures = parts.environment.LINK_PREVIEWS === 'on'
  const admit = async ({ caller, params }: Request_): Promise<Hook> => {
    const hook = await admitHook(parts, caller, params.webhook_id, params.token)
    await parts.limits.take(caller, POSTS, `webhook:${hook.id}`)
    return hook
  }
  /** Posts a parsed body. @returns the message; undefined if the event is not posted */
  const postBody = async (context: Request_, postOf: (body: HookBody) => Post | undefined) => {
    const hook = await admit(context)
    const thread = new URL(context.request.url).searchParams.get('thread_id')
    return withBody(parts, context.request, context.caller, hook, async (body) => {
      const post = postOf(body)
      return post && sendPost(parts, hook, post, body.files, thread === null ? null : idOf(thread))
    })
  }
  return new Elysia()
    .derive(({ request, route }) => {
      const caller = callerOf(request)
      caller.route = route
      return { caller }
    })
    .get(
      '/hooks/:webhook_id/:token',
      async (context) =>
        likeDiscord(async () =>
          Response.json(
            discordWebhook(await admitHook(parts, context.caller, context.params.webhook_id, context.params.token)),
          ),
        ),
      { ...OPEN, ...hookDetails.look },
    )
    .post(
      '/hooks/:webhook_id/:token',
      async (context) =>
        likeDiscord(async () => {
          const message = await postBody(context, ({ fields }) => discordPost(fields, hasPictures))
          return waits(context.request) && message ? Response.json(discordMessage(message)) : NOTHING()
        }),
      { ...OPEN, ...hookDetails.execute },
    )
    .patch(
      '/hooks/:webhook_id/:token',
      async (context) =>
        likeDiscord(async () => {
          const hook = await admit(context)
          const change = await withBody(parts, context.request, context.caller, hook, async ({ fields }) =>
            discordChange(fields),
          )
          return Response.json(discordWebhook(await changeItself(parts, hook, change)))
        }),
      { ...OPEN, ...hookDetails.change },
    )
    .delete(
      '/hooks/:webhook_id/:token',
      async (context) =>
        likeDiscord(async () => {
          await deleteItself(parts, await admit(context))
          return NOTHING()
        }),
      { ...OPEN, ...hookDetails.end },
    )
    .get(
      '/hooks/:webhook_id/:token/messages/:message_id',
      async (context) =>
        likeDiscord(async () => {
          const hook = await admit(context)
          const message = await readPost(parts.sql, hook, messageIdOf(context.params.message_id))
          return Response.json(discordMessage(message))
        }),
      { ...MESSAGE, ...hookDetails.read },
    )
    .patch(
      '/hooks/:webhook_id/:token/messages/:message_id',
      async (context) =>
        likeDiscord(async () => {
          const hook = await admit(context)
          const id = messageIdOf(context.params.message_id)
          const edit = await withBody(parts, context.request, context.caller, hook, async ({ fields, files }) => {
            if (files.some(({ bytes }) => bytes.length > 0))
              throw new Problem('bad_request', 'Files can only be sent with a new message')
            return discordEdit(fields, hasPictures)
          })
          await parts.space.demand()
          const settle = await judgePost(parts.judge, hook, edit)
          const message = await parts.write((sql, emit) => editPost(sql, emit, hook, id, edit))
          await settle?.()
          return Response.json(discordMessage(message))
        }),
      { ...MESSAGE, ...hookDetails.edit },
    )
    .delete(
      '/hooks/:webhook_id/:token/messages/:message_id',
      async (context) =>
        likeDiscord(async () => {
          const hook = await admit(context)
          const id = messageIdOf(context.params.message_id)
          await parts.write((sql, emit) => deletePost(sql, emit, hook, id))
          return NOTHING()
        }),
      { ...MESSAGE, ...hookDetails.remove },
    )
    .post(
      '/hooks/:webhook_id/:token/slack',
      async (context) =>
        likeSlack(async () => void (await postBody(context, ({ fields }) => slackPost(fields, hasPictures)))),
      { ...OPEN, ...hookDetails.slack },
    )
    .post(
      '/hooks/:webhook_id/:token/github',
      async (context) =>
        likeDiscord(async () => {
          const event = context.request.headers.get('x-github-event') ?? ''
          await postBody(context, ({ fields }) => githubPost(event.slice(0, 50), fields))
          return NOTHING()
        }),
      { ...OPEN, ...hookDetails.github },
    )
}
