import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { customEmojiId } from '../../../core/emoji.ts'
import { pictureOf, type ShownIn } from '../../state/emoji.ts'
import { follow } from '../../state/session.ts'

/** The message whose text or reactions are rendered; undefined if the account chooses among its own emoji. */
export const MessageShown = createContext<ShownIn | undefined>(undefined)

/** A custom emoji; its name as text until its picture is loaded, and if the author may not use it there. */
export const CustomPicture = ({ id, name }: { id: number; name: string }) => {
  follow('shell')
  const url = pictureOf(id, useContext(MessageShown))
  const title = `:${name}:`
  return url ? <EmojiImage url={url} title={title} /> : <>{title}</>
}

/** The picture of a custom emoji; for who wants less motion, still-emoji.ts says when it moves. */
export const EmojiImage = ({ url, title }: { url: string; title: string }) => (
  <picture>
    <source srcset={`${url}?still`} media="(prefers-reduced-motion)" />
    <img class="emoji" src={url} alt={title} title={title} draggable={false} />
  </picture>
)

/** An emoji of Unicode, or `name:id` of a custom one. */
export const Emoji = ({ emoji }: { emoji: string }) => {
  const id = customEmojiId(emoji)
  return id === undefined ? <span class="emoji">{emoji}</span> : <CustomPicture id={id} name={nameOfEmoji(emoji)} />
}

/** An emoji as text: a custom one by its name, without its id. */
export const nameOfEmoji = (emoji: string): string => emoji.replace(/:\d+$/, '')
