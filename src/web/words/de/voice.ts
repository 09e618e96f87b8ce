import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Mitglieder dieses Anrufs',
    start: 'Anruf starten',
    underway: 'Ein Anruf läuft',
    declined: (name) => `${name} hat den Anruf abgelehnt.`,
    muted: 'stumm',
    deafened: 'hört nichts',
    sharing: 'teilt einen Bildschirm',
    noMicrophone: 'Kein Mikrofon: Du kannst zuhören, aber andere hören dich nicht.',
    noCalls: 'Dieser Browser kann nicht an Anrufen teilnehmen: Ihm fehlt WebRTC. Nimm einen anderen Browser.',
    ended: {
      taken_over: 'Der Anruf läuft auf einem anderen Gerät weiter.',
      access: 'Du kannst an diesem Anruf nicht mehr teilnehmen.',
      disconnected: 'Die Moderation hat dich aus dem Anruf entfernt.',
      media_unavailable: 'Der Server kann diesen Anruf gerade nicht weiterleiten.',
    },
    endedOtherwise: 'Der Anruf ist beendet.',
  },
} satisfies typeof voiceWords
