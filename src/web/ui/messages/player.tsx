import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { File } from '../../../features/files/model.ts'
import { download, urlOf } from '../../state/download-urls.ts'
import { sizeOf } from '../../state/format.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { nameOfFile } from './media.ts'

interface PlayerProps {
  file: File
  kind: 'video' | 'audio'
  /** Shown instead where the browser cannot play the file. */
  otherwise: VNode
}

/** Chromium paints nothing of a video that has not begun: this makes a frame near the beginning the poster. */
const POSTER = '#t=0.1'

/** A video or a sound with the browser's controls. */
export const Player = ({ file, kind, otherwise }: PlayerProps) => {
  const newest = urlOf(file.id, 'original')
  /** Another address would begin again: it is taken only when this one has expired. */
  const [url, setUrl] = useState<string>()
  const [isBroken, setBroken] = useState(false)
  const element = useRef<HTMLMediaElement | null>(null)
  const resumed_at = useRef(0)
  if (isBroken) return otherwise
  if (newest !== undefined && url === undefined) setUrl(newest)
  const name = nameOfFile(file)
  const onError = () => {
    if (newest === undefined || newest === url) return setBroken(true)
    resumed_at.current = element.current?.currentTime ?? 0
    setUrl(newest)
  }
  const media = {
    ref: (shown: HTMLMediaElement | null) => void (element.current = shown),
    src: url === undefined ? undefined : kind === 'video' ? url + POSTER : url,
    controls: true,
    preload: 'metadata' as const,
    'aria-label': name,
    onError,
    onLoadedMetadata: () => {
      if (element.current && resumed_at.current > 0) element.current.currentTime = resumed_at.current
    },
    onPlay: () => pauseOthers(element.current),
  }
  return (
    <figure class={`player ${kind}`}>
      {kind === 'video' ? <video {...media} playsInline /> : null}
      <figcaption>
        <bdi>{name}</bdi>
        <small>{sizeOf(file.size)}</small>
        <IconButton
          icon="download"
          size={18}
          label={words.files.downloadOne(name)}
          onClick={() => void download(file.id, name)}
        />
      </figcaption>
      {kind === 'audio' ? <audio {...media} /> : null}
    </figure>
  )
}

/** One plays at a time. */
function pauseOthers(playing: HTMLMediaElement | null): void {
  for (const other of document.querySelectorAll<HTMLMediaElement>('.player :is(video, audio)'))
    if (other !== playing) other.pause()
}
