import type { File } from '../../../features/files/model.ts'
import { download } from '../../state/download-urls.ts'
import { sizeOf } from '../../state/format.ts'
import type { Entry } from '../../state/timeline.ts'
import { words } from '../../words/words.ts'
import { withoutBidi } from '../../state/names.ts'
import { Icon } from '../kit/icons.tsx'
import { Later } from '../kit/later.tsx'
import { Cover } from './cover.tsx'
import { hasCover, isPicture, nameOfFile, shownUrl } from './media.ts'
import { openViewer } from './open-viewer.tsx'

const SHOWN_PX = { width: 400, height: 300 }

/** The files of a message: pictures, videos, sounds, and files to download. */
export const Attachments = ({ entry }: { entry: Entry }) => (
  <div class="attachments">
    {entry.files.map((file) => (
      <Attachment key={file.id} file={file} entry={entry} />
    ))}
  </div>
)

const playerOf = async (file: File, isVideo: boolean) => {
  const { SoundPlayer, VideoPlayer } = await import('./players.ts')
  const Player = isVideo ? VideoPlayer : SoundPlayer
  return () => <Player file={file} otherwise={<FileButton file={file} />} />
}

const Attachment = ({ file, entry }: { file: File; entry: Entry }) => {
  const isVideo = file.content_type.startsWith('video/')
  const content = isPicture(file) ? (
    <Image file={file} entry={entry} />
  ) : isVideo || file.content_type.startsWith('audio/') ? (
    <div class={isVideo ? 'video-box' : 'sound-box'}>
      <Later key={file.id} load={() => playerOf(file, isVideo)} />
    </div>
  ) : (
    <FileButton file={file} />
  )
  if (!hasCover(file, entry) || !(isPicture(file) || isVideo)) return content
  return (
    <Cover file={file} entry={entry}>
      {content}
    </Cover>
  )
}

/** A picture. Its box has the final size before the picture loads, so that nothing moves. */
const Image = ({ file, entry }: { file: File; entry: Entry }) => {
  const { width, height } = file
  const scale = Math.min(1, SHOWN_PX.width / (width ?? 1), SHOWN_PX.height / (height ?? 1))
  const name = nameOfFile(file)
  const url = shownUrl(file)
  if (url === null) return <FileButton file={file} />
  return (
    <button
      type="button"
      class="image"
      aria-label={file.alt ? words.files.openDescribed({ alt: withoutBidi(file.alt), name }) : words.files.open(name)}
      title={file.alt ?? undefined}
      onClick={() => void openViewer({ file, entry })}
    >
      <span style={{ width: `${Math.round((width ?? 1) * scale)}px`, aspectRatio: `${width} / ${height}` }}>
        {url ? <img src={url} alt={file.alt ?? name} loading="lazy" decoding="async" /> : null}
      </span>
    </button>
  )
}

const FileButton = ({ file }: { file: File }) => {
  const name = nameOfFile(file)
  return (
    <button type="button" class="file" onClick={() => void download(file.id, name)}>
      <Icon name="file" size={28} />
      <span>
        <bdi>{name}</bdi>
        <small>{sizeOf(file.size)}</small>
      </span>
      <Icon name="download" />
    </button>
  )
}
