import { signal } from '@preact/signals'
import type { File } from '../../../features/files/model.ts'
import type { Embed } from '../../../features/previews/model.ts'
import { hasNoThumbnail, urlOf } from '../../state/download-urls.ts'
import { withoutBidi } from '../../state/names.ts'
import { state } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { placeKey } from '../../client/outbox.ts'
import type { Entry } from '../../state/timeline.ts'

const SPOILER = 'SPOILER_'
/** Of so many files is it known that they were revealed. */
const REVEALED_MAX = 500

/** Types that browsers show. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp|avif)$/
/** The server makes no thumbnail of a larger picture, and a browser would take 200 MB for it. */
const PIXELS_MAX = 50_000_000

export const isPicture = ({ content_type, width, height }: File): boolean =>
  SHOWN.test(content_type) && width !== null && height !== null && width * height <= PIXELS_MAX

const MIB = 1024 * 1024
/** A picture that has no thumbnail is loaded whole up to this size. */
const WHOLE_BYTES_MAX = 8 * MIB
/** Of what may move, up to this size. Most WebP pictures stand still, and have a smaller thumbnail. */
const MOVING_BYTES_MAX: Record<string, number> = { 'image/gif': 8 * MIB, 'image/webp': MIB }

/** The address that a picture is shown from in its message; null for one that is not worth its bytes. */
export function shownUrl({ id, content_type, size }: File): string | null | undefined {
  const moves = size <= (MOVING_BYTES_MAX[content_type] ?? 0) && !matchMedia('(prefers-reduced-motion)').matches
  if (moves) return urlOf(id, 'original')
  if (!hasNoThumbnail(id)) return urlOf(id)
  return size <= WHOLE_BYTES_MAX ? urlOf(id, 'original') : null
}

/** Whether a file is covered until somebody reveals it: by its name, as elsewhere. */
export const isSpoiler = (filename: string): boolean => filename.startsWith(SPOILER)

/** The name that is shown of a file. */
export const nameOfFile = ({ filename }: Pick<File, 'filename'>): string =>
  withoutBidi((isSpoiler(filename) && filename.slice(SPOILER.length)) || filename)

/** The name of a file that is marked as a spoiler, or no longer if it was. */
export const markedOtherwise = (filename: string): string =>
  isSpoiler(filename) ? filename.slice(SPOILER.length) || filename : SPOILER + filename

const revealed = signal<ReadonlySet<number>>(new Set())

/** Whether a file lies under a cover now. */
export const isCovered = (file: File): boolean => isSpoiler(file.filename) && !revealed.value.has(file.id)

export function reveal({ id }: File): void {
  revealed.value = new Set([...revealed.value, id].slice(-REVEALED_MAX))
}

type EmbedPicture = NonNullable<Embed['image']>

/** A file or the picture of an embed, with the message that it belongs to. */
export type ShownPicture = { entry: Entry } & ({ file: File } | { embed: Embed; picture: EmbedPicture })

/** The host of a URL. */
export const hostOf = (url: string | null | undefined): string => URL.parse(url ?? '')?.host ?? ''

/** What an embed is called: by its title, else by where it comes from. */
export const nameOfEmbed = ({ title, site_name, url }: Embed): string => title ?? site_name ?? hostOf(url)

/** What tells a picture from the others of its place. */
export const keyOfPicture = (shown: ShownPicture): string =>
  'file' in shown ? `file ${shown.file.id}` : `embed ${shown.entry.id} ${shown.picture.url}`

/** A picture of this server: the client loads nothing from elsewhere. */
export const ownPicture = (picture: EmbedPicture | null): EmbedPicture | undefined =>
  picture?.url.startsWith('/') ? picture : undefined

const picturesIn = (entry: Entry): ShownPicture[] => [
  ...entry.files.filter(isPicture).map((file) => ({ file, entry })),
  ...entry.embeds.flatMap((embed) =>
    [embed.thumbnail, embed.image].flatMap((given) => {
      const picture = ownPicture(given)
      return picture ? { embed, picture, entry } : []
    }),
  ),
]

/** The pictures of a place's loaded messages, oldest first; without those of blocked accounts, which are folded. */
export const picturesOf = (place: ChannelPlace): ShownPicture[] =>
  (state.timelines.get(placeKey(place))?.entries ?? [])
    .filter(({ author }) => state.relations.get(author.id)?.state !== 'blocked')
    .flatMap(picturesIn)
