import type { types } from 'mediasoup-client'
import type { Source } from './local-tracks.ts'

interface Share {
  priority: RTCPriorityType
  maxBitrate?: number
}

/** Priority and maximum bitrate of each source: audio before video, speech before everything. */
const SHARES: Record<Source, Share> = {
  microphone: { priority: 'high' },
  screen_audio: { priority: 'medium' },
  camera: { priority: 'very-low', maxBitrate: 1_200_000 },
  screen: { priority: 'low', maxBitrate: 10_000_000 },
}

/**
 * Sets a sender's priority and maximum bitrate.
 * @param isBounded false for a simulcast source, whose layers have their own maximum
 */
export async function shareOut(sender: RTCRtpSender | undefined, source: Source, isBounded: boolean): Promise<void> {
  if (!sender) return
  const { priority, maxBitrate } = SHARES[source]
  const parameters = sender.getParameters()
  for (const encoding of parameters.encodings ?? []) {
    encoding.priority = priority
    encoding.networkPriority = priority
    if (isBounded && maxBitrate !== undefined) encoding.maxBitrate = maxBitrate
  }
  // Browsers that know no priorities refuse or ignore them.
  await sender.setParameters(parameters).catch(() => undefined)
}

/**
 * Makes browsers send speech twice (RED, RFC 2198) if both can, so that a single lost packet is inaudible. A sender
 * uses the codec that the other side lists first.
 */
export function preferRedundancy(connection: RTCPeerConnection): void {
  const codecs = RTCRtpReceiver.getCapabilities?.('audio')?.codecs ?? []
  const isRed = ({ mimeType }: { mimeType: string }) => mimeType.toLowerCase() === 'audio/red'
  if (!codecs.some(isRed)) return
  const preferred = [...codecs.filter(isRed), ...codecs.filter((codec) => !isRed(codec))]
  for (const transceiver of connection.getTransceivers())
    if (transceiver.receiver.track.kind === 'audio') transceiver.setCodecPreferences?.(preferred)
}

/** The contentHint of a microphone's track that is sent as music: in stereo, whole, and with more bits. */
export const MUSIC = 'music'
/** Capture stereo audio unfiltered, since filters for voices spoil music. */
export const WHOLE = {
  echoCancellation: false,
  autoGainControl: false,
  noiseSuppression: false,
  channelCount: { ideal: 2 },
}
/** Bits per second of music. */
const MUSIC_BITS = 128_000

/** The options of Opus in a description, RFC 7587 §6.1, changed by `change`. */
function withOpus(sdp: string, change: (options: Map<string, string>) => void): string {
  const [, type] = /^a=rtpmap:(\d+) opus\//im.exec(sdp) ?? []
  if (type === undefined) return sdp
  return sdp.replace(new RegExp(`^(a=fmtp:${type} )(.*)$`, 'gm'), (_, start: string, text: string) => {
    const pairs = text.trimEnd().split(/; */)
    const options = new Map(pairs.filter(Boolean).map((pair) => pair.split('=', 2) as [string, string]))
    change(options)
    return start + [...options].map(([name, value]) => `${name}=${value}`).join(';')
  })
}

/**
 * Requests, in a local description, Opus with silence suppression (DTX) and forward error correction (FEC), and accepts
 * stereo.
 */
export const withOpusOptions = (sdp: string): string =>
  withOpus(sdp, (options) => {
    for (const option of ['useinbandfec', 'usedtx', 'stereo']) options.set(option, '1')
  })

/**
 * Changes a peer's description so that audio is sent as wanted: speech in mono; music, and all audio during a screen
 * share with audio, in stereo and without pauses; music also without RED, and with more bits. `bits` per second are the
 * channel's, if it says so. RFC 9143 requires the
 * same Opus parameters in all sections ("Payload Type (PT) Value Reuse"): speech is stereo too during that share.
 */
export function asSent(sdp: string, isMusic: boolean, hasScreen: boolean, bits?: number): string {
  const most = bits ?? (isMusic ? MUSIC_BITS : undefined)
  const changedSdp = withOpus(sdp, (options) => {
    if (most !== undefined) options.set('maxaveragebitrate', `${most}`)
    if (!isMusic && !hasScreen) return void options.delete('stereo')
    options.delete('usedtx')
    options.set('stereo', '1')
  })
  const [, opus] = /^a=rtpmap:(\d+) opus\//im.exec(sdp) ?? []
  if (!isMusic || opus === undefined) return changedSdp
  // A sender uses the codec that the receiver names first: not RED.
  return changedSdp.replace(/^(m=audio \S+ \S+)((?: \d+)+)/gm, (_, start: string, types: string) => {
    const otherTypes = types.split(' ').filter((type) => type !== '' && type !== opus)
    return [start, opus, ...otherTypes].join(' ')
  })
}

export const isMusic = (track: MediaStreamTrack | null): boolean => track?.contentHint === MUSIC

/** How Opus is sent over the SFU. It forwards no RED: it sends lost packets again instead. */
export function opusOptions(source: Source, track: MediaStreamTrack, bits?: number): types.ProducerCodecOptions {
  const music = isMusic(track)
  const most = source === 'microphone' ? (bits ?? (music ? MUSIC_BITS : undefined)) : undefined
  const common = { opusFec: true, opusNack: true, ...(most === undefined ? {} : { opusMaxAverageBitrate: most }) }
  const options = { ...common, opusDtx: source === 'microphone' && !music }
  return music || source === 'screen_audio' ? { ...options, opusStereo: true } : options
}
