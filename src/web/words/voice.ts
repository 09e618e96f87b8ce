/** Words for voice channels and calls that the page starts with. */
export const voiceWords = {
  voice: {
    members: 'Members of this call',
    start: 'Start a call',
    underway: 'A call is under way',
    declined: (name: string) => `${name} has declined the call.`,
    muted: 'muted',
    deafened: 'deafened',
    sharing: 'shares a screen',
    noMicrophone: 'No microphone: you can listen, but others cannot hear you.',
    noCalls: 'This browser cannot take part in calls: it has no WebRTC. Use another browser or device.',
    ended: {
      taken_over: 'The call continues on another device.',
      access: 'You can no longer be in this call.',
      disconnected: 'A moderator has disconnected you from the call.',
      media_unavailable: 'The server cannot forward this call now.',
    },
    endedOtherwise: 'The call has ended.',
  },
}
