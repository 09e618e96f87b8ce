// Printed from locales/pt/sounds.json. After a change there: bun run words
import type { soundWords } from '../sounds.ts'

export default {
  message: 'Mensagem de voz',
  recording: 'Gravando. Enter envia, Escape descarta.',
  discard: 'Descartar a gravação',
  keep: 'Parar e enviar mais tarde',
  send: 'Enviar a gravação',
  over: 'A gravação chegou à duração máxima. Está anexada e ainda não foi enviada.',
  noMicrophone: 'Não há microfone, ou seu navegador bloqueia o acesso.',
  play: (name) => `Reproduzir ${name}`,
  pause: (name) => `Pausar ${name}`,
  position: (name) => `Posição em ${name}`,
  of: ({ now, all }) => `${now} de ${all}`,
  rate: (rate) => `Velocidade: ${rate}`,
} satisfies typeof soundWords
