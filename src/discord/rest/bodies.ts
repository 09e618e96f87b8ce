import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { validationProblem } from '../../core/validation.ts'
import { idsIn, parleyText } from '../content.ts'
import { ComponentRows, parleyComponents } from '../shapes/components.ts'
import { EmbedBodies, parleyEmbed } from '../shapes/embeds.ts'
import type { Call } from './call.ts'

/** Parses a body; unknown fields are ignored. @throws Problem `validation_failed` */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const { data, error } = schema.safeParse(body)
  if (error) throw validationProblem(error, 'body')
  return data
}

/** The fields of a message that libraries send. */
export const MessageBody = z.object({
  content: z.union([z.string(), z.number().transform(String)]).nullish(),
  embeds: EmbedBodies.nullish(),
  embed: EmbedBodies.element.nullish(),
  components: ComponentRows.nullish(),
  nonce: z.union([z.string(), z.number()]).nullish(),
  flags: z.int().nullish(),
  message_reference: z.object({ message_id: z.string() }).nullish(),
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

/** A text of Discord with Parley's ids. */
export async function textOf(call: Call, text: string): Promise<string> {
  const named = idsIn(text)
  if (named.length === 0) return text
  return parleyText(text, await call.tools.ids.findAll(named))
}

/** Content, cards and components as Parley's API takes them; absent fields stay absent. */
export async function contentFields(call: Call, body: MessageBody) {
  const embeds = body.embeds ?? (body.embed ? [body.embed] : undefined)
  return {
    ...(body.content === undefined ? {} : { content: await textOf(call, body.content ?? '') }),
    ...(embeds === undefined
      ? {}
      : {
          embeds: await Promise.all(
            embeds.map(async (embed) => {
              const { description, ...rest } = parleyEmbed(embed)
              const fields = rest.fields.map(async (field) => ({ ...field, value: await textOf(call, field.value) }))
              return {
                ...rest,
                description: description && (await textOf(call, description)),
                fields: await Promise.all(fields),
              }
            }),
          ),
        }),
    ...(body.components === undefined ? {} : { components: parleyComponents(body.components ?? []) }),
  }
}

/** A number in a query. @throws Problem `bad_request` */
export function numberIn(query: URLSearchParams, name: string, max: number): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new Problem('bad_request', `${name} must be a number`)
  return Math.min(Number(text), max)
}
