import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { type Block, parse } from '../../../core/markup.ts'
import { drawnText, type Inline } from '../../../core/markup/pieces.ts'
import { nameOf, titleOf, tokenNameOf } from '../../state/names.ts'
import { placePath } from '../../state/route.ts'
import { follow, state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { words } from '../../words/words.ts'
import { CustomPicture, MessageShown } from '../emoji/emoji.tsx'
import { showProfile } from '../people/show-people.tsx'
import { CodeBlock } from './code-block.tsx'
import { isEmojiOnly } from './emoji-only.ts'
import { jumpTo, placeOf } from './jump.ts'
import { OutsideLink } from './outside-link.tsx'
import { Spoiler } from './spoiler.tsx'
import { Moment } from './moment.tsx'

/** Mentions of a message. Mentions that the author is not allowed to make are shown as plain text. */
type Mentions = Pick<Entry, 'mention_role_ids' | 'mention_everyone' | 'mention_here'>
const Mentioned = createContext<Mentions | undefined>(undefined)

/** Right-to-left letters. `:dir()` does not work, because the bundler replaces it by the language of the page. */
const TO_THE_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** A message's text with its Markdown. Text never becomes HTML. */
export const RichText = ({ text, mentions }: { text: string; mentions?: Mentions }) => {
  // Cache blocks, not elements: a cached element keeps all elements of its render alive.
  const blocks = useMemo(() => parse(text), [text])
  const size = useMemo(() => (isEmojiOnly(blocks) ? 'large' : ''), [blocks])
  return (
    <Mentioned.Provider value={mentions}>
      <div class={`rich ${size} ${TO_THE_LEFT.test(text) ? 'to-left' : ''}`} dir="auto">
        {blocks.map(blockOf)}
      </div>
    </Mentioned.Provider>
  )
}

function blockOf(block: Block, key: number) {
  switch (block.kind) {
    case 'code':
      return <CodeBlock key={key} text={block.text} language={block.language} />
    case 'quote':
      return <blockquote key={key}>{block.inside.map(blockOf)}</blockquote>
    case 'list': {
      const items = block.items.map(({ inside, below }, at) => (
        <li key={at}>
          {inside.map(inlineOf)}
          {below.map(blockOf)}
        </li>
      ))
      return block.first === undefined ? (
        <ul key={key}>{items}</ul>
      ) : (
        <ol key={key} start={block.first}>
          {items}
        </ol>
      )
    }
    case 'table':
      return <Table key={key} {...block} />
    case 'heading':
      return (
        // The page has headings of its own above.
        <p key={key} class={`heading level-${block.level}`} role="heading" aria-level={block.level + 2}>
          {block.inside.map(inlineOf)}
        </p>
      )
    case 'paragraph':
      return <p key={key}>{block.inside.map(inlineOf)}</p>
  }
}

type TableBlock = Extract<Block, { kind: 'table' }>

/** A wide table scrolls by itself. */
const Table = ({ sides, head, rows }: TableBlock) => (
  <div class="table-box" tabIndex={0} role="group">
    <table>
      <thead>
        <tr>
          {head.map((cell, at) => (
            <th key={at} scope="col" style={{ textAlign: sides[at] }}>
              {cell.map(inlineOf)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, number) => (
          <tr key={number}>
            {row.map((cell, at) => (
              <td key={at} style={{ textAlign: sides[at] }}>
                {cell.map(inlineOf)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

function inlineOf(piece: Inline, key: number) {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'break':
      return <br key={key} />
    case 'code':
      return <code key={key}>{piece.text}</code>
    case 'bold':
      return <strong key={key}>{piece.inside.map(inlineOf)}</strong>
    case 'italic':
      return <em key={key}>{piece.inside.map(inlineOf)}</em>
    case 'underline':
      return <u key={key}>{piece.inside.map(inlineOf)}</u>
    case 'strike':
      return <s key={key}>{piece.inside.map(inlineOf)}</s>
    case 'spoiler':
      return <Spoiler key={key}>{piece.inside.map(inlineOf)}</Spoiler>
    case 'link':
      return <Link key={key} {...piece} />
    case 'mention':
      return <Mention key={key} user_id={piece.user_id} />
    case 'token':
      return <Token key={key} token={piece.token} />
    case 'time':
      return <Moment key={key} {...piece} />
    case 'emoji':
      return <CustomPicture key={key} id={piece.id} name={piece.name} />
  }
}

/** A link: to a place or a message of this installation within the client, else in a new tab. */
const Link = ({ href, inside }: { href: string; inside: Inline[] }) => {
  const place = placeOf(href)
  if (place) return <PlaceLink href={href} inside={inside} {...place} />
  const label = drawnText(inside)
  if (label === href) return <OutsideLink href={href} label={undefined} />
  return (
    <OutsideLink href={href} label={label}>
      {inside.map(inlineOf)}
    </OutsideLink>
  )
}

interface PlaceLinkProps {
  href: string
  inside: Inline[]
  channel_id: number
  message_id: number | undefined
}

const PlaceLink = ({ href, inside, channel_id, message_id }: PlaceLinkProps) => {
  follow('shell', 'members')
  const channel = state.channels.get(channel_id)
  const isBare = inside.length === 1 && inside[0]?.kind === 'text' && inside[0].text === href
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    jumpTo(channel_id, message_id)
  }
  return (
    <a class={isBare && channel ? 'mention' : ''} href={href} title={href} onClick={onClick}>
      {isBare && channel ? (
        <>
          <bdi>{titleOf(channel)}</bdi>
          {message_id === undefined ? null : ` › ${words.messages.one}`}
        </>
      ) : (
        inside.map(inlineOf)
      )}
    </a>
  )
}

const Mention = ({ user_id }: { user_id: number }) => {
  follow('members')
  const serverId = useContext(MessageShown)?.server_id ?? undefined
  return (
    <button
      type="button"
      class={`mention ${user_id === state.me() ? 'mine' : ''}`}
      data-menu={`person ${user_id} ${serverId ?? 0}`}
      onClick={() => void showProfile(user_id, serverId)}
    >
      @<bdi>{nameOf(user_id, String(user_id))}</bdi>
    </button>
  )
}

/** A channel as a link, a role in its colour, everyone or here; as text if the author may not mention it. */
const Token = ({ token }: { token: string }) => {
  follow('shell', 'members')
  const mentions = useContext(Mentioned)
  const id = Number(/\d+/.exec(token)?.[0])
  if (token.startsWith('<#')) return <ChannelChip channel_id={id} token={token} />
  if (token.startsWith('<@&')) {
    const role = state.roles.get(id)
    const name = tokenNameOf(token)
    if (!name || (mentions && !mentions.mention_role_ids.includes(id))) return <>{name ?? token}</>
    const isMine = role && state.members.get(role.server_id)?.get(state.me())?.role_ids.includes(id)
    const tint = role?.color ? { style: { '--tint': role.color } } : {}
    return (
      <span class={`mention ${isMine ? 'mine' : ''} ${role?.color ? 'tinted' : ''}`} {...tint}>
        <bdi>{name}</bdi>
      </span>
    )
  }
  const isCalling = token === '@everyone' ? mentions?.mention_everyone : mentions?.mention_here
  return isCalling ? <span class="mention mine">{token}</span> : <>{token}</>
}

const ChannelChip = ({ channel_id, token }: { channel_id: number; token: string }) => {
  const channel = state.channels.get(channel_id)
  if (!channel) return <>{token}</>
  const href = placePath(channel_id)
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    jumpTo(channel_id, undefined)
  }
  return (
    <a class="mention" href={href} onClick={onClick}>
      <bdi>{titleOf(channel)}</bdi>
    </a>
  )
}
