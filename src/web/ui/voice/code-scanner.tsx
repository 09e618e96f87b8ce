import { useEffect, useRef, useState } from 'preact/hooks'
import { readCode } from '../../voice/read-code.ts'
import { callWords } from '../../words/call.ts'

/** Interval between two looks at the camera's picture, ms. */
const LOOK_MS = 200
const PICTURE_BYTES_MAX = 50 * 1024 * 1024

interface ScannerProps {
  name: string
  /** Called with each text that is read. @returns true if the scanner is done */
  onText: (text: string) => boolean
}

/** Reads a QR code by the camera, or from a picture. */
export const CodeScanner = ({ name, onText }: ScannerProps) => {
  const video = useRef<HTMLVideoElement>(null)
  const [hasCamera, setCamera] = useState(true)
  const [isUnreadable, setUnreadable] = useState(false)
  useEffect(() => scanCamera(video, onText, () => setCamera(false)), [])
  const readFile = async (file: File | undefined) => {
    if (!file) return
    const picture = file.size <= PICTURE_BYTES_MAX ? await createImageBitmap(file).catch(() => undefined) : undefined
    const text = picture && (await readCode(picture))
    picture?.close()
    setUnreadable(text === undefined)
    if (text !== undefined) onText(text)
  }
  const says = callWords.verification
  return (
    <>
      {hasCamera ? (
        <>
          <p class="quiet">{says.aim(name)}</p>
          <video ref={video} class="code-camera" muted playsInline aria-label={says.camera} />
        </>
      ) : null}
      {isUnreadable || !hasCamera ? (
        <p class="warned" role="alert">
          {isUnreadable ? says.unreadable : says.noCamera}
        </p>
      ) : null}
      <label class="field">
        <span>{says.choose}</span>
        <input type="file" accept="image/*" onChange={({ currentTarget }) => void readFile(currentTarget.files?.[0])} />
      </label>
    </>
  )
}

/** Looks for a code in the camera's picture. @returns a function that stops it */
function scanCamera(
  video: { readonly current: HTMLVideoElement | null },
  onText: (text: string) => boolean,
  onFault: () => void,
): () => void {
  let isStopped = false
  let stream: MediaStream | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = async () => {
    const { current } = video
    const text = current && (await readCode(current).catch(() => undefined))
    if (isStopped || (text && onText(text))) return stop()
    timer = setTimeout(() => void look(), LOOK_MS)
  }
  const start = async () => {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
    if (isStopped || !video.current) return stop()
    video.current.srcObject = stream
    await video.current.play()
    await look()
  }
  const stop = () => {
    isStopped = true
    clearTimeout(timer)
    for (const track of stream?.getTracks() ?? []) track.stop()
  }
  start().catch(() => {
    if (!isStopped) onFault()
    stop()
  })
  return stop
}
