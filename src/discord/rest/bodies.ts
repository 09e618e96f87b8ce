import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { validationProblem } from '../../core/validation.ts'
import { AltText } from '../../features/files/model.ts'
import type { HookFile } from '../../features/webhooks/body.ts'
import { PollBody } from '../../features/webhooks/discord.ts'
import { idsIn, parleyText } from '../content.ts'
import { ComponentRows, parleyComponents } from '../shapes/components.ts'
import { isLayout, layoutOf, Parts } from '../shapes/layout.ts'
import { EmbedBodies, parleyEmbed } from '../shapes/embeds.ts'
import type { Call } from './call.ts'

/** Parses a body; unknown fields are ignored. @throws Problem `validation_failed` */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const { data, error } = schema.safeParse(body)
  if (error) throw validationProblem(error, 'body')
  return data
}

/** The part of a body that describes its files. */
export const Attachments = z.object({
  attachments: z
    .array(
      z.object({
        id: z.union([z.string(), z.number()]).transform(String).nullish(),
        description: AltText.shape.alt.nullish(),
      }),
    )
    .nullish(),
})

/** The fields of a message that libraries send. */
export const MessageBody = Attachments.extend({
  content: z.union([z.string(), z.number().transform(String)]).nullish(),
  embeds: EmbedBodies.nullish(),
  embed: EmbedBodies.element.nullish(),
  components: z.array(z.unknown()).max(40).nullish(),
  poll: PollBody.nullish(),
  sticker_ids: z.array(z.string()).max(3).nullish(),
  nonce: z.union([z.string(), z.number()]).nullish(),
  flags: z.int().nullish(),
  message_reference: z
    .object({ message_id: z.string().nullish(), type: z.int().nullish(), fail_if_not_exists: z.boolean().nullish() })
    .nullish(),
  allowed_mentions: z
    .object({
      parse: z.array(z.string()).nullish(),
      users: z.array(z.string()).max(100).nullish(),
      roles: z.array(z.string()).max(100).nullish(),
      replied_user: z.boolean().nullish(),
    })
    .nullish(),
})
export type MessageBody = z.infer<typeof MessageBody>
type MessageEmbed = NonNullable<MessageBody['embed']>

/** False for an embed that only shows a file of its message, which is shown below the text anyway. */
const isShown = ({ image, title, description, fields, author, footer, thumbnail }: MessageEmbed): boolean =>
  !image?.url?.startsWith('attachment:') ||
  Boolean(title || description || fields?.length || author?.name || footer?.text || thumbnail?.url?.startsWith('http'))

/** The mentions that a message allows. @returns no field if it allows all */
async function mentionFields(call: Call, { allowed_mentions: allowed }: MessageBody) {
  if (!allowed) return {}
  const parse = new Set(allowed.parse)
  return {
    allowed_mentions: {
      people: parse.has('users') ? 'all' : await call.findSome('user', allowed.users ?? []),
      roles: parse.has('roles') ? 'all' : await call.findSome('role', allowed.roles ?? []),
      everyone: parse.has('everyone'),
    },
  }
}

/** The fields of a new message besides its content, as Parley's API takes them. */
export const sendFields = ({ allowed_mentions, nonce, poll }: MessageBody) => ({
  // With a list of allowed mentions, the author of what is replied to is mentioned only where the list says so.
  reply_mention: allowed_mentions ? (allowed_mentions.replied_user ?? false) : true,
  ...(nonce === null || nonce === undefined ? {} : { nonce: String(nonce) }),
  ...(poll ? { poll } : {}),
})

/** The body with components of the second version as content, cards and rows. */
function laidOut(body: MessageBody): MessageBody {
  if (!body.components || !isLayout(body.components)) return body
  const { content, embeds, rows } = layoutOf(parseBody(Parts, body.components))
  return { ...body, content, embeds: parseBody(EmbedBodies, embeds), components: rows }
}

/** Content, cards and components as Parley's API takes them; absent fields stay absent. */
export async function contentFields(call: Call, parsedBody: MessageBody) {
  const body = laidOut(parsedBody)
  const embeds = (body.embeds ?? (body.embed ? [body.embed] : undefined))?.filter(isShown).map(parleyEmbed)
  const texts = [body.content ?? '', ...(embeds ?? []).flatMap(textsOf)]
  const idOf = await call.tools.ids.findAll(idsIn(texts.join('\n')))
  return {
    ...(body.content === undefined ? {} : { content: parleyText(body.content ?? '', idOf) }),
    ...(embeds === undefined
      ? {}
      : {
          embeds: embeds.map(({ description, fields, ...embed }) => ({
            ...embed,
            description: description && parleyText(description, idOf),
            fields: fields.map((field) => ({ ...field, value: parleyText(field.value, idOf) })),
          })),
        }),
    ...(body.components === undefined
      ? {}
      : { components: parleyComponents(parseBody(ComponentRows, body.components ?? [])) }),
    ...(await mentionFields(call, body)),
  }
}

/** The texts of an embed in which ids are translated. */
const textsOf = ({ description, fields }: ReturnType<typeof parleyEmbed>): string[] => [
  description ?? '',
  ...fields.map(({ value }) => value),
]

/** The files of a form with their descriptions, which the body has by the numbers of their fields. */
export function filesOf(call: Call, { attachments }: Pick<MessageBody, 'attachments'>): HookFile[] {
  return call.files.map((file) => {
    const [, id] = /^files\[(\d{1,3})\]$/.exec(file.field ?? '') ?? []
    const named = id === undefined ? undefined : attachments?.find((attachment) => attachment.id === id)
    return { ...file, alt: named?.description ?? undefined }
  })
}

/** The files of a message that a change of it keeps; undefined for all, as where the body lists none. */
export async function keptFiles(
  call: Call,
  { attachments }: Pick<MessageBody, 'attachments'>,
): Promise<number[] | undefined> {
  // New files are listed too, by small numbers.
  return attachments
    ? call.findSome(
        'file',
        attachments.flatMap(({ id }) => (id && id.length > 3 ? id : [])),
      )
    : undefined
}

/** A number in a query. @throws Problem `bad_request` */
export function numberIn(query: URLSearchParams, name: string, max: number): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new Problem('bad_request', `${name} must be a number`)
  return Math.min(Number(text), max)
}
