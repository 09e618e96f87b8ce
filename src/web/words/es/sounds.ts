// Printed from locales/es/sounds.json. After a change there: bun run words
import type { soundWords } from '../sounds.ts'

export default {
  message: 'Mensaje de voz',
  recording: 'Grabando. Intro lo envía, Escape lo descarta.',
  discard: 'Descartar la grabación',
  keep: 'Parar y enviar más tarde',
  send: 'Enviar la grabación',
  over: 'La grabación ha llegado a su duración máxima. Está adjunta y aún no se ha enviado.',
  noMicrophone: 'No hay micrófono, o tu navegador bloquea el acceso.',
  play: (name) => `Reproducir ${name}`,
  pause: (name) => `Pausar ${name}`,
  position: (name) => `Posición en ${name}`,
  of: ({ now, all }) => `${now} de ${all}`,
  rate: (rate) => `Velocidad: ${rate}`,
} satisfies typeof soundWords
