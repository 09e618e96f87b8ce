// Printed from locales/pt/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Participantes desta chamada',
    start: 'Iniciar uma chamada',
    underway: 'Há uma chamada em andamento',
    muted: 'mudo',
    deafened: 'sem som',
    sharing: 'está compartilhando a tela',
  },
} satisfies typeof voiceWords
