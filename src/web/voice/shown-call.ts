import { signal } from '@preact/signals'
import { state } from '../state/session.ts'
import type { RemotePeer, VoiceCall } from './call.ts'

// The call of this page as it is drawn; src/web/voice/current-call.ts, which a call loads, runs it.

/** True if this browser supports calls. Some are built without WebRTC. */
export const canCall = (): boolean => typeof RTCPeerConnection === 'function'

/** The call of this page, if there is one. */
export const currentCall = signal<VoiceCall | undefined>(undefined)
/** True if a phone shows a line that leads to the call, instead of the call on the whole screen. */
export const isCallSmall = signal(false)
/** True while a call is being joined. */
export const joining = signal(false)
/** The last error of the call, in words for the person. */
export const callError = signal('')
const version = signal(0)
/** Renders the calling component again when the call changes. */
export const followCall = (): VoiceCall | undefined => {
  void version.value
  return currentCall.value
}
/** Renders the call again: muting and volume changes emit no event. */
export const touchCall = (): void => void version.value++

/** The members in a voice channel, by the time that they joined. */
export const voicesIn = (channelId: number) =>
  [...state.voices.values()]
    .filter((voice) => voice.channel_id === channelId)
    .toSorted((a, b) => a.joined_at.localeCompare(b.joined_at))

/** The same, without listeners of a stage. */
export const speakersIn = (channelId: number) => voicesIn(channelId).filter(({ stage }) => stage?.speaks !== false)

/** A member of the current call, by account. */
export const remoteOf = (userId: number): RemotePeer | undefined =>
  [...(currentCall.value?.peers.values() ?? [])].find((peer) => peer.info.user.id === userId)

/** True while others hear this member speak. src/web/voice/attend-call.ts measures it. */
export const heardOneself = signal(false)
/** True if the account is speaking in the current call. */
export const speaksNow = (userId: number): boolean =>
  userId === state.me() ? heardOneself.value : remoteOf(userId)?.speaking === true
