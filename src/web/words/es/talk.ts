import type { talkWords } from '../talk.ts'

export default {
  muted: 'Entrar en las llamadas silenciado',
  mode: 'Los demás te oyen',
  modes: {
    open: 'Siempre',
    voice: 'Mientras hablas',
    push: 'Mientras mantienes una tecla o un botón',
  },
  key: 'Tecla que mantener',
  keyText: 'Funciona mientras esta página tiene el foco; las letras no, mientras escribes.',
  press: 'Pulsa una tecla…',
  threshold: 'Volumen para que te oigan',
  level: 'Tu volumen ahora',
  listen: 'Mostrar mi volumen',
  noise: 'Supresión de ruido',
  noises: { off: 'Desactivada', browser: 'La del navegador', rnnoise: 'RNNoise: más fuerte, exige más al procesador' },
  echo: 'Cancelación de eco',
  gain: 'Ajustar el volumen del micrófono',
  music: 'Modo música',
  musicText: 'Estéreo a 128 kbit/s, sin quitar nada del sonido. Usa auriculares: si no, los demás oirían eco.',
  keys: 'Teclas durante una llamada',
  noKey: 'Ninguna',
  keysText: 'Pulsa una tecla sola o con Ctrl, Alt o Mayús. Retroceso la quita.',
} satisfies typeof talkWords
