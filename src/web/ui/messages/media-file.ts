import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { File } from '../../../features/files/model.ts'
import { freshUrlOf, urlOf } from '../../state/download-urls.ts'

/** The address of a played file, renewed at the current position when it expires. */
export function useMediaFile(file: File) {
  const newest = urlOf(file.id, 'original')
  /** The address in use. A new address restarts the file, so it is only taken when this one has expired. */
  const [url, setUrl] = useState<string>()
  const [isBroken, setBroken] = useState(false)
  const element = useRef<HTMLMediaElement | null>(null)
  const resumedAt = useRef(0)
  const wasPlaying = useRef(false)
  /** The address that was requested because the previous one had failed. */
  const renewedUrl = useRef<string | undefined>(undefined)
  if (!isBroken && newest !== undefined && url === undefined) setUrl(newest)
  const onError = async () => {
    if (url === undefined) return
    if (url === renewedUrl.current) return setBroken(true)
    const { currentTime = 0, paused = true } = element.current ?? {}
    resumedAt.current = Math.max(resumedAt.current, currentTime)
    wasPlaying.current = !paused
    renewedUrl.current = await freshUrlOf(file.id).catch(() => undefined)
    if (renewedUrl.current === undefined) return setBroken(true)
    if (renewedUrl.current !== url) return setUrl(renewedUrl.current)
    // The same address has not expired. The network may have failed: the next error says that the file is broken.
    element.current?.load()
    playOn()
  }
  const playOn = () => {
    if (wasPlaying.current) void element.current?.play().catch(() => {})
    wasPlaying.current = false
  }
  useLayoutEffect(playOn, [url])
  /** Restores the position. @param seconds a position to go to instead, once the file can be played */
  const resume = (seconds?: number) => {
    if (seconds !== undefined) resumedAt.current = seconds
    else if (element.current && resumedAt.current > 0) element.current.currentTime = resumedAt.current
  }
  return { url, element, onError, isBroken, resume }
}

/** Pauses all other players, so that only one plays. */
export function pauseOthers(playing: HTMLMediaElement | null): void {
  for (const other of document.querySelectorAll<HTMLMediaElement>('.player :is(video, audio)'))
    if (other !== playing) other.pause()
}
