import { z } from 'zod'

const tags = ['Webhooks']
const security: never[] = []

const Refusal = z
  .object({
    message: z.string(),
    code: z.int().describe('as Discord’s'),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    retry_after: z.number().optional().describe('429: seconds'),
    global: z.boolean().optional(),
  })
  .meta({
    title: 'HookRefusal',
    example: { message: 'Not found', code: 10015 },
  })

const refusals = {
  400: Refusal.describe('The message breaks a rule'),
  404: Refusal.describe('No webhook has this URL, or there is no such message or thread'),
  413: Refusal.describe('The body is too large'),
  429: Refusal.describe('30 a minute have been sent; wait for `retry_after` seconds'),
}

const SentMessage = z
  .looseObject({
    id: z.string(),
    channel_id: z.string(),
    webhook_id: z.string(),
    content: z.string(),
    timestamp: z.string(),
  })
  .describe('The message in Discord’s shape, with `?wait=true`')
  .meta({
    title: 'HookMessage',
    example: {
      id: '42',
      type: 0,
      channel_id: '7',
      webhook_id: '12',
      author: { id: '12', username: 'Grafana', discriminator: '0000', avatar: null, bot: true },
      content: 'Disk is full',
      timestamp: '2026-05-05T12:00:00.000Z',
    },
  })

const HookInfo = z
  .looseObject({ id: z.string(), name: z.string(), channel_id: z.string() })
  .describe('The webhook in Discord’s shape')
  .meta({ title: 'HookInfo', example: { id: '12', type: 1, name: 'Grafana', channel_id: '7', guild_id: '3' } })

const Done = z.undefined().describe('Done; no body')
const word = (text: string) =>
  z
    .string()
    .describe(text)
    .meta({ example: text.split(' ', 1)[0] })

/** A body that the route parses itself, ignoring unknown fields. */
const body = (description: string, ...examples: [string, unknown][]) => ({
  requestBody: {
    description,
    required: true,
    content: Object.fromEntries(
      examples.map(([type, example]) => [type, { schema: { type: 'object' as const }, example }]),
    ),
  },
})

const DISCORD = {
  content: 'Disk is full on **db-1**',
  username: 'Grafana',
  embeds: [
    {
      title: '[FIRING:1] DiskFull',
      url: 'https://grafana.example.org/alerting/list',
      description: '98 % of 500 GB',
      color: 14037554,
      fields: [{ name: 'Host', value: 'db-1', inline: true }],
      footer: { text: 'Grafana v12' },
      timestamp: '2026-05-05T12:00:00.000Z',
    },
  ],
  allowed_mentions: { parse: ['users'] },
}
const FORM = { payload_json: '{"content":"The report"}', 'files[0]': 'the bytes of a file' }
const SLACK = {
  text: 'Deployed <https://ci.example.org/7|build 7>',
  attachments: [{ color: 'good', title: 'Build 7', fields: [{ title: 'Branch', value: 'main', short: true }] }],
}

const query = z.object({
  wait: z.string().optional().catch(undefined).describe('`true`, `1` or `yes`: answer with the message'),
  thread_id: z
    .string()
    .optional()
    .catch(undefined)
    .meta({ type: 'integer', minimum: 0, description: 'a thread of the channel to post in; unarchives it' }),
})
const thread = query.pick({ thread_id: true })

/** The OpenAPI descriptions of the routes below `/hooks`. */
export const hookDetails = {
  look: {
    detail: { summary: 'Get the webhook', security, tags },
    response: { 200: HookInfo, 404: refusals[404], 429: refusals[429] },
  },
  execute: {
    query,
    detail: {
      summary: 'Send a message in Discord’s format',
      description:
        'content, username, avatar_url, embeds, poll, allowed_mentions, flags (4 hides embeds, 4096 suppresses ' +
        'notices) and files; unknown fields and empty files are ignored. Without allowed_mentions nobody is ' +
        'mentioned, unless the webhook may mention everyone: then all mentions in the text count.',
      security,
      tags,
      ...body('At most 512 KiB, with files 26 MiB', ['application/json', DISCORD], ['multipart/form-data', FORM]),
    },
    response: { 200: SentMessage, 204: Done, ...refusals },
  },
  change: {
    detail: {
      summary: 'Change the name and picture of the webhook',
      security,
      tags,
      ...body('name, and avatar as data:image/…;base64,… or null; what is absent stays. At most 512 KiB', [
        'application/json',
        { name: 'Grafana', avatar: null },
      ]),
    },
    response: { 200: HookInfo, ...refusals },
  },
  end: {
    detail: { summary: 'Delete the webhook; its messages stay', security, tags },
    response: { 204: Done, 404: refusals[404], 429: refusals[429] },
  },
  read: {
    detail: { summary: 'Get a message that the webhook has sent', security, tags },
    response: { 200: SentMessage, 404: refusals[404], 429: refusals[429] },
  },
  edit: {
    detail: {
      summary: 'Change a message that the webhook has sent',
      security,
      tags,
      ...body('content, embeds, flags and allowed_mentions; what is absent stays', [
        'application/json',
        { content: 'Disk is fine again', embeds: [] },
      ]),
    },
    response: { 200: SentMessage, ...refusals },
  },
  remove: {
    detail: { summary: 'Delete a message that the webhook has sent', security, tags },
    response: { 204: Done, 404: refusals[404], 429: refusals[429] },
  },
  slack: {
    query: thread,
    detail: {
      summary: 'Send a message in Slack’s format',
      description: 'text, attachments and blocks; or a form with all of it in `payload`.',
      security,
      tags,
      ...body('At most 512 KiB', ['application/json', SLACK]),
    },
    response: {
      200: word('ok when it is sent'),
      400: word('invalid_payload for what is no message, no_text for an empty one'),
      404: word('no_service where no webhook has this URL'),
      413: word('invalid_payload for more than 512 KiB'),
      429: word('rate_limited beyond 30 a minute; wait as Retry-After says'),
    },
  },
  github: {
    query: thread,
    detail: {
      summary: 'Post an event from GitHub or a compatible service',
      description: 'The header X-GitHub-Event names it; unimportant events are ignored.',
      security,
      tags,
      ...body('GitHub’s payload, as application/json or as a form', [
        'application/json',
        { zen: 'Keep it logically awesome.', repository: { full_name: 'octocat/Hello-World' } },
      ]),
    },
    response: { 204: Done, ...refusals },
  },
}
