import type { ComponentChildren } from 'preact'
import type { Embed } from '../../../features/previews/model.ts'
import { momentOf } from '../../state/format.ts'
import { words } from '../../words/words.ts'
import type { Entry } from '../../state/timeline.ts'
import { hostOf, nameOfEmbed, ownPicture } from './media.ts'
import { Timed } from './moment.tsx'
import { namesAddress } from './addresses.ts'
import { openViewer } from './open-viewer.tsx'
import { OutsideLink } from './outside-link.tsx'
import { RichText } from './rich-text.tsx'

type Picture = NonNullable<Embed['image']>

const SHOWN_PX = { width: 400, height: 300 }
const OUTSIDE = { target: '_blank', rel: 'noopener noreferrer nofollow' }

interface EmbedsProps {
  embeds: Embed[]
  /** The message with the embeds; absent in a bot's private answer, whose pictures do not open in the viewer. */
  entry?: Entry
}

/** The cards under a message. */
export const Embeds = ({ embeds, entry }: EmbedsProps) => (
  <ul class="embeds" aria-label={words.messages.previews}>
    {embeds.map((embed, at) => (
      <li key={at}>
        {embed.type === 'image' ? <PictureLink embed={embed} entry={entry} /> : <Card embed={embed} entry={entry} />}
      </li>
    ))}
  </ul>
)

/** A picture in a box that has its final size before it loads, so that nothing moves. */
const Shown = ({ picture, alt }: { picture: Picture; alt: string }) => {
  const { width, height } = picture
  const scale = Math.min(1, SHOWN_PX.width / width, SHOWN_PX.height / height)
  return (
    <span
      class="embed-picture"
      style={{ width: `${Math.round(width * scale)}px`, aspectRatio: `${width} / ${height}` }}
    >
      <img src={picture.url} alt={alt} width={width} height={height} loading="lazy" decoding="async" />
    </span>
  )
}

interface EmbedProps {
  embed: Embed
  entry: Entry | undefined
}

/** A picture that was linked: a click shows it large, and with a key for a new tab it opens the link. */
const PictureLink = ({ embed, entry }: EmbedProps) => {
  const { image, url } = embed
  const picture = ownPicture(image)
  if (!picture || url === null) return null
  const onClick = (event: MouseEvent) => {
    if (!entry || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void openViewer({ embed, picture, entry })
  }
  return (
    <a href={url} title={url} {...OUTSIDE} onClick={onClick}>
      <Shown picture={picture} alt={words.messages.openPicture(hostOf(url))} />
    </a>
  )
}

/** The picture of a card, which a click shows large. */
const Enlarged = ({
  embed,
  entry,
  picture,
  children,
}: EmbedProps & { picture: Picture; children: ComponentChildren }) =>
  entry ? (
    <button
      type="button"
      class="image"
      aria-label={words.messages.openPicture(nameOfEmbed(embed))}
      onClick={() => void openViewer({ embed, picture, entry })}
    >
      {children}
    </button>
  ) : (
    <span class="image">{children}</span>
  )

const Card = ({ embed, entry }: EmbedProps) => {
  const { type, title, url, description, color, fields, footer, timestamp } = embed
  const [image, thumbnail] = [ownPicture(embed.image), ownPicture(embed.thumbnail)]
  return (
    <article
      class={`embed ${color === null ? '' : 'colored'}`}
      style={color === null ? {} : { borderInlineStartColor: color }}
      dir="auto"
    >
      <div>
        <Source embed={embed} />
        {title === null ? null : (
          <strong class="title">
            <Linked url={url}>{title}</Linked>
          </strong>
        )}
        {description === null ? null : type === 'rich' ? <RichText text={description} /> : <p>{description}</p>}
        {fields.length > 0 ? <Fields fields={fields} /> : null}
      </div>
      {thumbnail ? (
        <Enlarged embed={embed} entry={entry} picture={thumbnail}>
          <span class="thumbnail">
            <img src={thumbnail.url} alt="" width={104} height={84} loading="lazy" decoding="async" />
          </span>
        </Enlarged>
      ) : null}
      {image ? (
        <Enlarged embed={embed} entry={entry} picture={image}>
          <Shown picture={image} alt="" />
        </Enlarged>
      ) : null}
      {footer !== null || timestamp !== null ? (
        <footer>
          {footer === null ? null : <Timed text={footer} />}
          {timestamp === null ? null : <time dateTime={timestamp}>{momentOf(timestamp)}</time>}
        </footer>
      ) : null}
    </article>
  )
}

/** The site and the author; a video says that it is one. */
const Source = ({ embed: { type, url, site_name, author } }: { embed: Embed }) => {
  const site = site_name ?? hostOf(url)
  const parts = [site && <bdi>{site}</bdi>, type === 'video' && words.messages.video].filter(Boolean)
  return (
    <>
      {parts.length > 0 ? (
        <small class="site">
          {parts[0]}
          {parts.length > 1 ? <> · {parts[1]}</> : null}
        </small>
      ) : null}
      {author === null ? null : (
        <small class="author">
          <Linked url={author.url}>{author.name}</Linked>
        </small>
      )}
    </>
  )
}

const Linked = ({ url, children }: { url: string | null; children: string }) =>
  url === null ? (
    <bdi>
      <Timed text={children} />
    </bdi>
  ) : (
    <OutsideLink href={url} label={namesAddress(children) ? children : undefined}>
      <Timed text={children} />
    </OutsideLink>
  )

/** Fields in columns; fields that are not inline take the whole width. */
const Fields = ({ fields }: Pick<Embed, 'fields'>) => (
  <dl>
    {fields.map(({ name, value, inline }, at) => (
      <div key={at} class={inline ? '' : 'wide'}>
        <dt>
          <Timed text={name} />
        </dt>
        <dd>
          <RichText text={value} />
        </dd>
      </div>
    ))}
  </dl>
)
