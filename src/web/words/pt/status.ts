// Printed from locales/pt/status.json. After a change there: bun run words
import type { statusWords } from '../status.ts'

export default {
  title: 'Seu status',
  choice: 'Os outros veem',
  about: {
    online: 'Ausente após dez minutos sem atividade',
    idle: 'Sempre ausente',
    dnd: 'Sem avisos nem sons nos seus dispositivos',
    invisible: 'Offline. Ninguém fica sabendo que você digita, e @here não avisa você.',
  },
  text: 'O que você está fazendo?',
  emoji: 'Escolher um emoji',
  noEmoji: (emoji) => `Remover ${emoji}`,
  ends: 'Termina',
  never: 'nunca',
  callers: 'Amigos cujas chamadas tocam mesmo assim, no máximo 50',
  seen: {
    title: 'Os outros verão você',
    text: 'Você está invisível, mas todos que veem esta chamada verão que você participa dela.',
    action: 'Entrar na chamada',
  },
} satisfies typeof statusWords
