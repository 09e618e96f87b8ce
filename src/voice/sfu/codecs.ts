import type { types } from 'mediasoup'

/** The content of a producer, which determines the permission it needs. */
export type Source = 'microphone' | 'camera' | 'screen' | 'screen_audio'

/** The kind of each source, and its maximum number of simultaneous resolutions (simulcast or SVC). */
export const SOURCES: Record<Source, { kind: types.MediaKind; spatialLayersMax: number }> = {
  microphone: { kind: 'audio', spatialLayersMax: 1 },
  screen_audio: { kind: 'audio', spatialLayersMax: 1 },
  camera: { kind: 'video', spatialLayersMax: 3 },
  screen: { kind: 'video', spatialLayersMax: 2 },
}

/** Reads a text from unchecked parameters of a client; mediasoup validates the rest. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** True if the parameters match the kind: mediasoup accepts video codecs under kind `audio`. */
export const isOfKind = (kind: types.MediaKind, { codecs }: types.RtpParameters): boolean =>
  Array.isArray(codecs) && codecs.every((codec) => textOf(codec?.mimeType).toLowerCase().startsWith(`${kind}/`))

/** The number of resolutions in a producer's parameters. */
export function spatialLayers({ encodings }: types.RtpParameters): number {
  if (!Array.isArray(encodings)) return 1
  // W3C "Scalable Video Coding", §6: the number of spatial layers follows L or S.
  const inMode = encodings.map((each) => Number(/^[LS](\d+)T/.exec(textOf(each?.scalabilityMode))?.[1] ?? 1))
  return Math.max(encodings.length, ...inMode)
}

/** Bits per second that one member may send: a camera and a 4K screen with sound, each in all layers. */
export const INCOMING_BITS_MAX = 18_000_000
/** Initial bits per second towards a member; congestion control adapts them. */
export const OUTGOING_BITS_FIRST = 1_000_000

const video = { kind: 'video', clockRate: 90_000 } as const
const h264 = (profile: string) => ({
  ...video,
  mimeType: 'video/H264',
  parameters: { 'packetization-mode': 1, 'profile-level-id': profile, 'level-asymmetry-allowed': 1 },
})

/** Opus with in-band FEC and DTX, VP8, VP9, and H264 in the profiles that browsers support. Source: docs/voice.md. */
export const mediaCodecs: types.RouterRtpCodecCapability[] = [
  {
    kind: 'audio',
    mimeType: 'audio/opus',
    clockRate: 48_000,
    channels: 2,
    parameters: { useinbandfec: 1, usedtx: 1 },
  },
  { ...video, mimeType: 'video/VP8' },
  { ...video, mimeType: 'video/VP9', parameters: { 'profile-id': 0 } },
  h264('42e01f'),
  h264('4d0032'),
]
