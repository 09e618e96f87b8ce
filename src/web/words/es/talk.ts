// Printed from locales/es/talk.json. After a change there: bun run words
import type { talkWords } from '../talk.ts'

export default {
  muted: 'Unirse a las llamadas con el micrófono silenciado',
  mode: 'Modo de entrada',
  modes: {
    open: 'Siempre activo',
    voice: 'Actividad de voz',
    push: 'Pulsar para hablar',
  },
  key: 'Tecla de pulsar para hablar',
  keyText: 'Funciona mientras esta página está activa. Las teclas de letras no funcionan mientras escribes.',
  press: 'Pulsa una tecla…',
  threshold: 'Sensibilidad de entrada',
  level: 'Nivel de entrada',
  listen: 'Probar micrófono',
  noise: 'Supresión de ruido',
  noises: {
    off: 'Desactivada',
    browser: 'Navegador',
    rnnoise: 'RNNoise (más fuerte, usa más CPU)',
  },
  echo: 'Cancelación de eco',
  gain: 'Control automático de ganancia',
  music: 'Modo música',
  musicText: 'Estéreo a 128 kbit/s, sin procesar el sonido. Usa auriculares, o los demás oirán eco.',
  keys: 'Teclas durante una llamada',
  noKey: 'Ninguna',
  keysText: 'Pulsa una tecla, con o sin Ctrl, Alt o Mayús. Retroceso la borra.',
} satisfies typeof talkWords
