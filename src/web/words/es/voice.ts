// Printed from locales/es/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Miembros de esta llamada',
    start: 'Empezar una llamada',
    underway: 'Hay una llamada en curso',
    declined: (name) => `${name} ha rechazado la llamada.`,
    muted: 'silenciado',
    deafened: 'ensordecido',
    sharing: 'está compartiendo pantalla',
    noMicrophone: 'Sin micrófono: puedes escuchar, pero los demás no te oyen.',
    noCalls: 'Este navegador no admite llamadas (WebRTC). Usa otro navegador o dispositivo.',
    ended: {
      taken_over: 'La llamada continúa en otro dispositivo.',
      access: 'Ya no tienes acceso a esta llamada.',
      disconnected: 'La moderación te ha desconectado de la llamada.',
      media_unavailable: 'El servidor no puede retransmitir esta llamada ahora.',
    },
    endedOtherwise: 'La llamada ha terminado.',
  },
} satisfies typeof voiceWords
