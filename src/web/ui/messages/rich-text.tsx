import { nameOf } from '../../state/names.ts'
import { follow, state } from '../../state/session.ts'
import { type Block, type Inline, parse } from './markdown.ts'
import { CustomPicture } from '../emoji/emoji.tsx'
import { showDialog } from '../kit/dialogs.tsx'
import { Profile } from '../people/profile.tsx'

/** A message's text with its Markdown. Text never becomes HTML. */
export const RichText = ({ text }: { text: string }) => (
  <div class="rich" dir="auto">
    {parse(text).map(blockOf)}
  </div>
)

function blockOf(block: Block, key: number) {
  switch (block.kind) {
    case 'code':
      return (
        <pre key={key} tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      )
    case 'quote':
      return <blockquote key={key}>{block.inside.map(blockOf)}</blockquote>
    case 'list': {
      const items = block.items.map((item, at) => <li key={at}>{item.map(inlineOf)}</li>)
      return block.ordered ? <ol key={key}>{items}</ol> : <ul key={key}>{items}</ul>
    }
    case 'paragraph':
      return <p key={key}>{block.inside.map(inlineOf)}</p>
  }
}

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
    case 'strike':
      return <s key={key}>{piece.inside.map(inlineOf)}</s>
    case 'link':
      return (
        <a key={key} href={piece.href} title={piece.href} target="_blank" rel="noopener noreferrer nofollow">
          {piece.inside.map(inlineOf)}
        </a>
      )
    case 'mention':
      return <Mention key={key} user_id={piece.user_id} />
    case 'emoji':
      return <CustomPicture key={key} id={piece.id} name={piece.name} />
  }
}

const Mention = ({ user_id }: { user_id: number }) => {
  follow('members')
  return (
    <button
      type="button"
      class={`mention ${user_id === state.me() ? 'mine' : ''}`}
      onClick={() => showDialog(() => <Profile user_id={user_id} />)}
    >
      @<bdi>{nameOf(user_id, String(user_id))}</bdi>
    </button>
  )
}
