// Printed from locales/en/voice.json. After a change there: bun run words
import type { Words } from './plural.ts'

/** Words for voice channels and calls that the page starts with. */
export const voiceWords = {
  voice: {
    members: 'Members of this call',
    start: 'Start a call',
    underway: 'A call is in progress',
    declined: (name: string) => `${name} declined the call.`,
    muted: 'muted',
    deafened: 'deafened',
    sharing: 'sharing a screen',
    noMicrophone: 'No microphone: you can listen, but others cannot hear you.',
    noCalls: 'This browser does not support calls (WebRTC). Use another browser or device.',
    ended: {
      taken_over: 'The call continues on another device.',
      access: 'You no longer have access to this call.',
      disconnected: 'A moderator has disconnected you from the call.',
      media_unavailable: 'The server cannot forward this call right now.',
    },
    endedOtherwise: 'The call has ended.',
  },
} satisfies Words
