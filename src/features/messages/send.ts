import { z } from 'zod'
import { found, Problem } from '../../core/errors.ts'
import { errorFields } from '../../core/log.ts'
import { type Saying, textsIn } from '../../core/judge.ts'
import { Id } from '../../core/schema.ts'
import type { Parts } from '../../parts.ts'
import { field, json } from '../../http/answers.ts'
import { bodiesWithMine } from '../reactions/mine.ts'
import { embedsOf } from '../previews/embed-drafts.ts'
import { wantPictures } from '../previews/embed-pictures.ts'
import { demand } from '../access/guard.ts'
import { type Answering, demandSmall } from './components.ts'
import type { MessageDraft } from './model.ts'
import type { SendGroups } from './send-groups.ts'
import type { Outgoing } from './send-statements.ts'

/** The problem for each outcome of send_message. */
export const refusals = {
  nonce_conflict: () => new Problem('nonce_conflict'),
  reply_unknown: () => field('reply_to_id', 'There is no such message in this channel'),
  forward_unknown: () => field('forward_message_id', 'There is no such message that you can read'),
  file_unknown: () => field('file_ids', 'There is no such file of yours'),
  sticker_unknown: () => field('sticker_id', 'There is no such sticker that you can use'),
  already_attached: () => new Problem('already_attached'),
  missing_permission: () => new Problem('missing_permission'),
  is_category: () => new Problem('forbidden', 'Messages cannot be sent to a category or forum'),
  cannot_contact: () => new Problem('cannot_contact'),
  not_found: () => new Problem('not_found'),
}

/** The parts of a message that others would read. */
const sayingOf = (
  author_id: number,
  place: { channel_id: number },
  { content, components, embeds, file_ids, forward_message_id, nonce, poll, sticker_id }: z.infer<typeof MessageDraft>,
): Saying => ({
  author_id,
  place,
  texts: [content, ...textsIn(components), ...textsIn(embeds), ...textsIn(poll)],
  file_ids,
  forward_message_id,
  sticker_id,
  nonce,
  isNew: true,
})

/**
 * Sends a message.
 * @param to the channel, or the person in whose dm it goes; the dm is created if there is none
 * @param copies copies of the forwarded message's files
 * @param answering the interaction that a bot answers with it
 * @returns 201 with the message; 200 with the original one when its nonce was used before
 * @throws Problem as the outcomes of send_message say, `automod_blocked`, and `unavailable`
 */
export async function sendMessage(
  { sql, write, log, environment, judge }: Pick<Parts, 'sql' | 'write' | 'log' | 'environment' | 'judge'>,
  groups: SendGroups,
  author_id: number,
  to: Outgoing['to'],
  draft: z.infer<typeof MessageDraft>,
  copies: number[] = [],
  answering?: Answering,
): Promise<Response> {
  const { components, embeds: cards, ...fields } = draft
  if (draft.poll && draft.forward_message_id !== null)
    throw field('poll', 'A message with a poll cannot forward another')
  if (draft.sticker_id !== null && draft.forward_message_id !== null)
    throw field('sticker_id', 'A message with a sticker cannot forward another')
  const { embeds, pictures } = embedsOf(cards, environment.LINK_PREVIEWS === 'on')
  demandSmall(components, embeds)
  const more = {
    ...(components.length > 0 ? { components } : {}),
    ...(embeds.length > 0 ? { embeds } : {}),
    ...(answering ? { answering } : {}),
  }
  const settle = 'channel_id' in to && !judge.isIdle() ? await judge.demand(sayingOf(author_id, to, draft)) : undefined
  const data = Object.keys(more).length > 0 ? more : null
  const { outcome, body, missing, retry_after } = await groups.send({
    nonce: null,
    ...fields,
    data,
    copies,
    author_id,
    to,
  })
  if (outcome === 'created') {
    await settle?.()
    if (pictures.length > 0) {
      const { id } = z.object({ id: Id }).parse(JSON.parse(body))
      // The message is already sent, so an error here only costs a picture.
      await write((tx) => wantPictures(tx, id, pictures)).catch((error: unknown) => {
        log('warn', 'message.pictures', errorFields(error))
      })
    }
    return json(body, 201)
  }
  if (outcome === 'repeated') return json(found((await bodiesWithMine(sql, author_id, [body]))[0]))
  if (outcome === 'missing_permission') demand(0, missing)
  if (outcome === 'slowmode') throw new Problem('slowmode', undefined, { retry_after: retry_after ?? 1 })
  throw refusals[outcome]()
}
