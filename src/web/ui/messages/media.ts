import { signal } from '@preact/signals'
import type { File } from '../../../features/files/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { state } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { placeKey } from '../../client/outbox.ts'
import type { Entry } from '../../state/timeline.ts'

const SPOILER = 'SPOILER_'
/** Of so many files is it known that they were revealed. */
const REVEALED_MAX = 500

export const isPicture = (file: File): boolean => file.width !== null

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

/** A picture with the message that it belongs to. */
export interface ShownPicture {
  file: File
  entry: Entry
}

/** The pictures of a place's loaded messages, oldest first; without those of blocked accounts, which are folded. */
export const picturesOf = (place: ChannelPlace): ShownPicture[] =>
  (state.timelines.get(placeKey(place))?.entries ?? [])
    .filter(({ author }) => state.relations.get(author.id)?.state !== 'blocked')
    .flatMap((entry) => entry.files.filter(isPicture).map((file) => ({ file, entry })))
