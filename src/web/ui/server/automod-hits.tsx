import type { AutomodHit } from '../../../features/automod/model.ts'
import { momentOf } from '../../state/format.ts'
import { nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { call, state } from '../../state/session.ts'
import { automodWords } from '../../words/automod.ts'
import { digits } from '../../words/plural.ts'
import { Empty } from '../kit/empty.tsx'
import { Pages, usePages } from '../kit/pages.tsx'

/** The texts that broke rules, for moderators, in channels that they see. */
export const AutomodHits = ({ server_id }: { server_id: number }) => {
  const list = usePages<AutomodHit>(
    (page, last) =>
      call('GET /api/servers/:server_id/automod/hits', { server_id, ...page, ...(last ? { before: last.id } : {}) }),
    server_id,
  )
  return (
    <>
      <h3>{automodWords.hits}</h3>
      <p class="quiet">{automodWords.hitsHint}</p>
      <Pages list={list} empty={<Empty icon="check" title={automodWords.noHits} text={automodWords.noHitsText} />}>
        {list.rows.map((row) => {
          const { id, user, rule_name, count, texts, channel_id, created_at } = row
          const channel = state.channels.get(channel_id ?? 0)
          const who = nameOf(user.id, user.display_name)
          return (
            <li key={id}>
              <p>
                <bdi>{automodWords.hit({ who, rule: withoutBidi(rule_name), times: digits(count) })}</bdi>{' '}
                <small>
                  <bdi>{channel ? titleOf(channel) : ''}</bdi> <time dateTime={created_at}>{momentOf(created_at)}</time>
                </small>
              </p>
              {texts.map((text, at) => (
                <blockquote key={at} class="quiet">
                  <bdi>{withoutBidi(text)}</bdi>
                </blockquote>
              ))}
            </li>
          )
        })}
      </Pages>
    </>
  )
}
