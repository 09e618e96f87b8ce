import type { talkWords } from '../talk.ts'

export default {
  muted: 'Entrar em chamadas no mudo',
  mode: 'Os outros ouvem você',
  modes: {
    open: 'Sempre',
    voice: 'Enquanto você fala',
    push: 'Enquanto você segura uma tecla ou um botão',
  },
  key: 'Tecla a segurar',
  keyText: 'Funciona enquanto esta página tem o foco; letras não, enquanto você escreve.',
  press: 'Pressione uma tecla…',
  threshold: 'Volume para ser ouvido',
  level: 'Seu volume agora',
  listen: 'Mostrar meu volume',
  noise: 'Supressão de ruído',
  noises: { off: 'Desligada', browser: 'A do navegador', rnnoise: 'RNNoise: mais forte, exige mais do processador' },
  echo: 'Cancelamento de eco',
  gain: 'Ajustar o volume do microfone',
  music: 'Modo música',
  musicText: 'Estéreo a 128 kbit/s, sem tirar nada do som. Use fones de ouvido: senão, os outros ouviriam eco.',
  keys: 'Teclas durante uma chamada',
  noKey: 'Nenhuma',
  keysText: 'Pressione uma tecla sozinha ou com Ctrl, Alt ou Shift. Backspace a remove.',
} satisfies typeof talkWords
