import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Source, VoiceCall } from '../../voice/call.ts'

interface PictureProps {
  call: VoiceCall
  /** The voice session that sends the video; undefined for this member's own. */
  from?: string
  source: Source
  stream: MediaStream
  label: string
  class?: string
}

/** The video of a camera or screen. Reports its size to the call, so that no larger video is received. */
export const Picture = ({ call, from, source, stream, label, class: style = '' }: PictureProps) => {
  const video = useRef<HTMLVideoElement>(null)
  useLayoutEffect(() => {
    if (video.current) video.current.srcObject = stream
  }, [stream])
  useLayoutEffect(() => {
    const { current } = video
    if (!current || from === undefined) return
    return followSize(current, (height) => call.look(current, from, source, height))
  }, [call, from, source])
  return <video ref={video} class={style} autoplay playsInline muted aria-label={label} />
}

const APART_EVENTS = ['enterpictureinpicture', 'leavepictureinpicture']

/**
 * Reports the visible size of an element, now and after each change.
 * @param onHeight called with the height in screen pixels; 0 while hidden, undefined when the reports stop
 * @returns a function that stops the reports
 */
function followSize(video: HTMLVideoElement, onHeight: (height: number | undefined) => void): () => void {
  let isInside = true
  // A call can be shown in a window of its own while the page is hidden.
  const page = video.ownerDocument
  const { ResizeObserver, IntersectionObserver, devicePixelRatio } = page.defaultView ?? window
  const tell = () => {
    // The browser's own small window shows the pictures also while the page is hidden.
    const isApart = document.pictureInPictureElement === video
    const isShown = isApart || (isInside && page.visibilityState === 'visible')
    onHeight(isShown ? Math.round(video.clientHeight * devicePixelRatio) : 0)
  }
  const sizes = new ResizeObserver(tell)
  const places = new IntersectionObserver((entries) => {
    isInside = entries.at(-1)?.isIntersecting ?? true
    tell()
  })
  sizes.observe(video)
  places.observe(video)
  page.addEventListener('visibilitychange', tell)
  for (const event of APART_EVENTS) video.addEventListener(event, tell)
  tell()
  return () => {
    sizes.disconnect()
    places.disconnect()
    page.removeEventListener('visibilitychange', tell)
    for (const event of APART_EVENTS) video.removeEventListener(event, tell)
    onHeight(undefined)
  }
}
