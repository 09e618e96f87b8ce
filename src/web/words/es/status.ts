// Printed from locales/es/status.json. After a change there: bun run words
import type { statusWords } from '../status.ts'

export default {
  title: 'Tu estado',
  choice: 'Los demás ven',
  about: {
    online: 'Ausente tras diez minutos sin actividad',
    idle: 'Siempre ausente',
    dnd: 'Sin avisos ni sonidos en tus dispositivos',
    invisible: 'Desconectado. Nadie sabe que escribes y @here no te avisa.',
  },
  text: '¿Qué haces?',
  emoji: 'Elegir un emoji',
  noEmoji: (emoji) => `Quitar ${emoji}`,
  ends: 'Termina',
  never: 'nunca',
  callers: 'Amigos cuyas llamadas suenan igualmente, 50 como máximo',
  seen: {
    title: 'Los demás te verán',
    text: 'Eres invisible, pero quienes vean esta llamada verán que participas en ella.',
    action: 'Unirse a la llamada',
  },
} satisfies typeof statusWords
