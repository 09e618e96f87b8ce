// Printed from locales/pt/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Participantes desta chamada',
    start: 'Iniciar uma chamada',
    underway: 'Há uma chamada em andamento',
    declined: (name) => `${name} recusou a chamada.`,
    muted: 'mudo',
    deafened: 'sem som',
    sharing: 'está compartilhando a tela',
    noMicrophone: 'Sem microfone: você pode ouvir, mas os outros não ouvem você.',
    noCalls: 'Este navegador não é compatível com chamadas (WebRTC). Use outro navegador ou dispositivo.',
    ended: {
      taken_over: 'A chamada continua em outro dispositivo.',
      access: 'Você não tem mais acesso a esta chamada.',
      disconnected: 'A moderação desconectou você da chamada.',
      media_unavailable: 'O servidor não pode repassar esta chamada agora.',
    },
    endedOtherwise: 'A chamada terminou.',
  },
} satisfies typeof voiceWords
