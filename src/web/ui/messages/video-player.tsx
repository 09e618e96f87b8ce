import type { VNode } from 'preact'
import type { File } from '../../../features/files/model.ts'
import { download } from '../../state/download-urls.ts'
import { sizeOf } from '../../state/format.ts'
import { fileWords } from '../../words/files.ts'
import { IconButton } from '../kit/controls.tsx'
import { nameOfFile } from './media.ts'
import { pauseOthers, useMediaFile } from './media-file.ts'

/** Chromium paints nothing of a video that has not begun: this makes a frame near the beginning the poster. */
const POSTER = '#t=0.1'

export interface PlayerProps {
  file: File
  /** Shown instead if the browser cannot play the file. */
  otherwise: VNode
}

/** A video with the browser's controls. */
export const VideoPlayer = ({ file, otherwise }: PlayerProps) => {
  const { url, element, onError, isBroken, resume } = useMediaFile(file)
  if (isBroken) return otherwise
  const name = nameOfFile(file)
  return (
    <figure class="player video">
      <video
        ref={(video) => void (element.current = video)}
        src={url && url + POSTER}
        controls
        preload="metadata"
        aria-label={name}
        onError={onError}
        onLoadedMetadata={() => resume()}
        onPlay={() => pauseOthers(element.current)}
        playsInline
      />
      <figcaption>
        <bdi>{name}</bdi>
        <small>{sizeOf(file.size)}</small>
        <IconButton
          icon="download"
          size={18}
          label={fileWords.downloadOne(name)}
          onClick={() => void download(file.id, name)}
        />
      </figcaption>
    </figure>
  )
}
