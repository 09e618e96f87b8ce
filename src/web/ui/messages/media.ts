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
/** Revealed files to remember. */
const REVEALED_MAX = 500

/** The server makes no thumbnail of a larger picture, and a browser would take 200 MB for it. */
const PIXELS_MAX = 50e6
/** Largest file that is loaded as it is, if it may be animated or has no thumbnail. */
const WHOLE_BYTES_MAX = 4e6

/** Few browsers show HEIC: it is a file. */
export const isPicture = ({ content_type, width, height }: File): boolean =>
  width !== null && !/hei/.test(content_type) && width * (height ?? 1) <= PIXELS_MAX

/** The address of a picture in its message; null for a large one without a thumbnail. */
export function shownUrl({ id, content_type, size }: File): string | null | undefined {
  const isMoving = /gif|webp/.test(content_type) && !matchMedia('(prefers-reduced-motion)').matches
  if (size <= WHOLE_BYTES_MAX) return urlOf(id, isMoving || hasNoThumbnail(id) ? 'original' : undefined)
  return hasNoThumbnail(id) ? null : urlOf(id)
}

/** True if the file's name marks it as a spoiler, as in other messengers. */
export const isSpoiler = (filename: string): boolean => filename.startsWith(SPOILER)

/** The visible name of a file. */
export const nameOfFile = ({ filename }: Pick<File, 'filename'>): string =>
  withoutBidi((isSpoiler(filename) && filename.slice(SPOILER.length)) || filename)

/** The name of a file that is marked as a spoiler, or no longer if it was. */
export const markedOtherwise = (filename: string): string =>
  isSpoiler(filename) ? filename.slice(SPOILER.length) || filename : SPOILER + filename

const revealedIds = signal<ReadonlySet<number>>(new Set())

/** True if a file begins under a cover: a spoiler, and each one in a message request. */
export const hasCover = (file: File, { channel_id, author }: Pick<Entry, 'channel_id' | 'author'>): boolean =>
  isSpoiler(file.filename) || (state.isRequest(channel_id) && author.id !== state.me())

/** True if the cover is still on the file. */
export const isCovered = (file: File, entry: Entry): boolean => hasCover(file, entry) && !revealedIds.value.has(file.id)

export function reveal({ id }: File): void {
  revealedIds.value = new Set([...revealedIds.value, id].slice(-REVEALED_MAX))
}

type EmbedPicture = NonNullable<Embed['image']>

/** A file or the picture of an embed, with the message that it belongs to. */
export type ShownPicture = { entry: Entry } & ({ file: File } | { embed: Embed; picture: EmbedPicture })

/** The host of a URL. */
export const hostOf = (url: string | null | undefined): string => URL.parse(url ?? '')?.host ?? ''

/** Name of an embed: its title, or else its source. */
export const nameOfEmbed = ({ title, site_name, url }: Embed): string => title ?? site_name ?? hostOf(url)

/** Description that distinguishes a picture from others in the same place. */
export const keyOfPicture = (picture: ShownPicture): string =>
  'file' in picture ? `file ${picture.file.id}` : `embed ${picture.entry.id} ${picture.picture.url}`

/** A picture of this server: the client loads nothing from elsewhere. */
export const ownPicture = (picture: EmbedPicture | null): EmbedPicture | undefined =>
  picture?.url.startsWith('/') ? picture : undefined

const picturesIn = (entry: Entry): ShownPicture[] => [
  ...entry.files.filter(isPicture).map((file) => ({ file, entry })),
  ...entry.embeds.flatMap((embed) =>
    [embed.thumbnail, embed.image].flatMap((image) => {
      const picture = ownPicture(image)
      return picture ? { embed, picture, entry } : []
    }),
  ),
]

/** Pictures of a place's loaded messages, oldest first; without collapsed messages of blocked accounts. */
export const picturesOf = (place: ChannelPlace): ShownPicture[] =>
  (state.timelines.get(placeKey(place))?.entries ?? [])
    .filter(({ author }) => state.relations.get(author.id)?.state !== 'blocked')
    .flatMap(picturesIn)
