import decodeQr from 'qr/decode.js'

// Reads QR codes: by the browser where it can, else by a library, which is loaded with this file.

interface Detector {
  detect(source: ImageBitmapSource): Promise<{ rawValue: string }[]>
}
type DetectorClass = (new (options: { formats: string[] }) => Detector) & { getSupportedFormats(): Promise<string[]> }

/** The larger side of a picture that the library reads, px: more costs time and finds nothing more. */
const SIDE_MAX = 1_000

let detector: Promise<Detector | undefined> | undefined

async function openDetector(): Promise<Detector | undefined> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  const formats = await BarcodeDetector?.getSupportedFormats()
  return BarcodeDetector && formats?.includes('qr_code') ? new BarcodeDetector({ formats: ['qr_code'] }) : undefined
}

/** The text of a QR code in a picture; undefined if there is none. */
export async function readCode(picture: HTMLVideoElement | ImageBitmap): Promise<string | undefined> {
  const native = await (detector ??= openDetector().catch(() => undefined))
  const [code] = (await native?.detect(picture).catch(() => [])) ?? []
  return code?.rawValue ?? decoded(picture)
}

function decoded(picture: HTMLVideoElement | ImageBitmap): string | undefined {
  const isVideo = picture instanceof HTMLVideoElement
  const [wide, high] = isVideo ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height]
  const scale = Math.min(1, SIDE_MAX / Math.max(wide, high))
  const [width, height] = [Math.round(wide * scale), Math.round(high * scale)]
  if (width === 0 || height === 0) return undefined
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d', { willReadFrequently: true })
  // A transparent picture has a white ground.
  if (context) context.fillStyle = '#fff'
  context?.fillRect(0, 0, width, height)
  context?.drawImage(picture, 0, 0, width, height)
  const pixels = context?.getImageData(0, 0, width, height)
  try {
    return pixels && decodeQr({ width, height, data: pixels.data })
  } catch {
    // There is no code, or an unreadable one.
    return undefined
  }
}
