import type { Embed } from '../../../features/previews/model.ts'
import { momentOf } from '../../state/format.ts'
import { words } from '../../words/words.ts'
import { RichText } from './rich-text.tsx'

type Picture = NonNullable<Embed['image']>

const SHOWN_PX = { width: 400, height: 300 }
const OUTSIDE = { target: '_blank', rel: 'noopener noreferrer nofollow' }

/** The cards under a message. */
export const Embeds = ({ embeds }: { embeds: Embed[] }) => (
  <ul class="embeds" aria-label={words.messages.previews}>
    {embeds.map((embed, at) => (
      <li key={at}>{embed.type === 'image' ? <PictureLink embed={embed} /> : <Card embed={embed} />}</li>
    ))}
  </ul>
)

/** A picture of this server: the client loads nothing from elsewhere. */
const own = (picture: Picture | null): Picture | undefined => (picture?.url.startsWith('/') ? picture : undefined)
const hostOf = (url: string | null): string => URL.parse(url ?? '')?.host ?? ''

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

const PictureLink = ({ embed: { image, url } }: { embed: Embed }) => {
  const picture = own(image)
  if (!picture || url === null) return null
  return (
    <a href={url} title={url} {...OUTSIDE}>
      <Shown picture={picture} alt={words.messages.openPicture(hostOf(url))} />
    </a>
  )
}

const Card = ({ embed }: { embed: Embed }) => {
  const { type, title, url, description, color, fields, footer, timestamp } = embed
  const [image, thumbnail] = [own(embed.image), own(embed.thumbnail)]
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
        <span class="thumbnail">
          <img src={thumbnail.url} alt="" width={104} height={84} loading="lazy" decoding="async" />
        </span>
      ) : null}
      {image ? <Shown picture={image} alt="" /> : null}
      {footer !== null || timestamp !== null ? (
        <footer>
          {footer}
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
    <bdi>{children}</bdi>
  ) : (
    <a href={url} title={url} {...OUTSIDE}>
      <bdi>{children}</bdi>
    </a>
  )

/** Fields in columns, those that stand alone over the whole width. */
const Fields = ({ fields }: Pick<Embed, 'fields'>) => (
  <dl>
    {fields.map(({ name, value, inline }, at) => (
      <div key={at} class={inline ? '' : 'wide'}>
        <dt>{name}</dt>
        <dd>
          <RichText text={value} />
        </dd>
      </div>
    ))}
  </dl>
)
