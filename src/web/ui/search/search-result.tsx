import type { FoundMessages } from '../../../features/search/model.ts'
import { clockOf, momentOf } from '../../state/format.ts'
import { knownNameOf, nameOf, titleOf, tokenNameOf } from '../../state/names.ts'
import { route } from '../../state/route.ts'
import { marked } from '../../state/search-marks.ts'
import { follow, state } from '../../state/session.ts'
import { searchWords } from '../../words/search.ts'
import { words } from '../../words/words.ts'
import { Avatar } from '../kit/controls.tsx'
import { plainText } from '../messages/plain-text.ts'

type FoundMessage = FoundMessages['messages'][number]

interface ResultProps {
  message: FoundMessage
  /** The words that are marked. */
  q: string
  href: string
  onJump: () => void
}

/** The name of a place, with its server's where that is another than the page shows. */
function placeOf({ channel }: FoundMessage): string {
  const known = state.channels.get(channel.id)
  const here = route.value
  const isHere = here.page === 'server' && here.server_id === channel.server_id
  const server = channel.server_id === null || isHere ? undefined : state.servers.get(channel.server_id)
  const name = known ? titleOf(known) : `#${channel.name}`
  return server ? `${name} · ${server.name}` : name
}

/** A message that was found, which leads to where it stands. */
export const Result = ({ message, q, href, onJump }: ResultProps) => {
  follow('members', 'shell')
  const { author, member, content, files, created_at } = message
  const name = nameOf(author.id, member?.nickname ?? author.display_name)
  const place = placeOf(message)
  const isFolded = state.isFolded(message.channel.id, author.id)
  return (
    <a class="result" href={href} onClick={onJump}>
      <span class="where quiet">
        <bdi>{place}</bdi>
      </span>
      <Avatar id={author.id} size={32} />
      <span class="byline">
        <b>
          <bdi>{name}</bdi>
        </b>{' '}
        <time dateTime={created_at} title={momentOf(created_at)}>
          {clockOf(created_at)}
        </time>
      </span>
      <span class="excerpt" dir="auto">
        {isFolded
          ? words.messages.fromBlocked
          : marked(plainText(content, knownNameOf, tokenNameOf), q).map(({ text, isHit }) =>
              isHit ? <mark>{text}</mark> : text,
            )}
      </span>
      {files.length > 0 && !isFolded ? (
        <span class="quiet attached">{files.map(({ filename }) => filename).join(', ')}</span>
      ) : null}
      <span class="hidden">{searchWords.jump(name, place)}</span>
    </a>
  )
}
