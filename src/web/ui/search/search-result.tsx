import type { FoundMessages } from '../../../features/search/model.ts'
import { clockOf, momentOf } from '../../state/format.ts'
import { nameOf, titleOf } from '../../state/names.ts'
import { route } from '../../state/route.ts'
import { markHits } from '../../state/search-marks.ts'
import { follow, state } from '../../state/session.ts'
import { searchWords } from '../../words/search.ts'
import { words } from '../../words/words.ts'
import { hasNoThumbnail, urlOf } from '../../state/download-urls.ts'
import type { Entry } from '../../state/timeline.ts'
import { AuthorPicture } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { isPicture, isSpoiler, nameOfFile, ownPicture } from '../messages/media.ts'
import { noticeText } from '../messages/notice.tsx'
import { plainLine, sayingOf } from '../../state/plain-line.ts'
import { gistOf } from '../messages/quote.tsx'

type FoundMessage = FoundMessages['messages'][number]
/** Pictures and previews shown per message. */
const SHOWN_MAX = 4

interface ResultProps {
  message: FoundMessage
  /** The words that are marked. */
  q: string
  href: string
  /** The other results, which are not repeated as context of this one. */
  otherIds: ReadonlySet<number>
  onJump: () => void
}

/** Name of a place, with the server's name if it is not the server on the page. */
function placeOf({ channel }: FoundMessage): string {
  const loaded = state.channels.get(channel.id)
  const here = route.value
  const isHere = here.page === 'server' && here.server_id === channel.server_id
  const server =
    channel.server_id === null || isHere
      ? undefined
      : (state.servers.get(channel.server_id) ?? state.listed.get(channel.server_id))
  const name = loaded ? titleOf(loaded) : `#${channel.name}`
  return server ? `${name} · ${server.name}` : name
}

/** A search result, which links to the message in its channel. */
export const Result = ({ message, q, href, otherIds, onJump }: ResultProps) => {
  follow('members', 'shell')
  const { author, context, created_at } = message
  const name = authorOf(message)
  const place = placeOf(message)
  const isFolded = state.isFolded(message.channel.id, author.id)
  const serverId = state.channels.get(message.channel.id)?.server_id ?? 0
  const menu = author.kind === 'webhook' ? {} : { 'data-menu': `person ${author.id} ${serverId}` }
  return (
    <a class="result" href={href} onClick={onJump}>
      <span class="where quiet">
        <bdi>{place}</bdi>
      </span>
      {context?.before && !otherIds.has(context.before.id) ? <Beside message={context.before} /> : null}
      <AuthorPicture entry={message} size={32} />
      <span class="byline" {...menu}>
        <b>
          <bdi>{name}</bdi>
        </b>{' '}
        <time dateTime={created_at} title={momentOf(created_at)}>
          {clockOf(created_at)}
        </time>
      </span>
      {message.reply_to_id === null || isFolded ? null : <RepliedTo message={context?.reply_to} />}
      <span class="excerpt" dir="auto">
        {isFolded
          ? words.messages.fromBlocked
          : markHits(plainLine(sayingOf(message)), q).map(({ text, isHit }) => (isHit ? <mark>{text}</mark> : text))}
      </span>
      {isFolded ? null : <Carried message={message} />}
      {context?.after && !otherIds.has(context.after.id) ? <Beside message={context.after} /> : null}
      <span class="hidden">{searchWords.jump({ author: name, place })}</span>
    </a>
  )
}

const authorOf = ({ author, member }: Entry): string => nameOf(author.id, member?.nickname ?? author.display_name)

/** The message before or after the result, in one line. */
const Beside = ({ message }: { message: Entry }) => (
  <span class="beside quiet">
    {message.kind === 'default' ? (
      <>
        <b>
          <bdi>{authorOf(message)}</bdi>
        </b>{' '}
        <span dir="auto">{gistOf(message)}</span>
      </>
    ) : (
      noticeText(message)
    )}
  </span>
)

/** The message that was replied to, in one line. */
const RepliedTo = ({ message }: { message: Entry | null | undefined }) => (
  <span class="beside quiet replied">
    <Icon name="reply" size={14} />
    {message ? (
      <>
        <bdi>{authorOf(message)}</bdi> <span dir="auto">{gistOf(message)}</span>
      </>
    ) : (
      words.messages.gone
    )}
  </span>
)

/** The pictures, the previews and the names of the other files of a message. */
const Carried = ({ message: { files, embeds } }: { message: Entry }) => {
  const isShown = (file: Entry['files'][number]) =>
    isPicture(file) && !isSpoiler(file.filename) && !hasNoThumbnail(file.id)
  const pictures = files.filter(isShown).slice(0, SHOWN_MAX)
  const otherFiles = files.filter((file) => !pictures.includes(file))
  return (
    <>
      {pictures.length > 0 ? (
        <span class="pictures">
          {pictures.map((file) => {
            const url = urlOf(file.id)
            return url ? (
              <img key={file.id} src={url} alt={file.alt ?? nameOfFile(file)} loading="lazy" decoding="async" />
            ) : null
          })}
        </span>
      ) : null}
      {otherFiles.length > 0 ? <span class="quiet attached">{otherFiles.map(nameOfFile).join(', ')}</span> : null}
      {embeds.slice(0, SHOWN_MAX).map((embed, at) => {
        const picture = ownPicture(embed.thumbnail) ?? ownPicture(embed.image)
        const title = embed.title ?? embed.site_name ?? embed.author?.name
        return picture || title ? (
          <span key={at} class="preview">
            {picture ? <img src={picture.url} alt="" loading="lazy" decoding="async" /> : null}
            <bdi>{title}</bdi>
          </span>
        ) : null
      })}
    </>
  )
}
