// Printed from locales/pt/talk.json. After a change there: bun run words
import type { talkWords } from '../talk.ts'

export default {
  muted: 'Entrar em chamadas no mudo',
  mode: 'Modo de entrada',
  modes: {
    open: 'Sempre ativo',
    voice: 'Detecção de voz',
    push: 'Pressionar para falar',
  },
  key: 'Tecla de pressionar para falar',
  keyText: 'Funciona enquanto esta página está em foco. Teclas de letras não funcionam enquanto você digita.',
  press: 'Pressione uma tecla…',
  threshold: 'Sensibilidade de entrada',
  level: 'Nível de entrada',
  listen: 'Testar microfone',
  noise: 'Supressão de ruído',
  noises: {
    off: 'Desativada',
    browser: 'Navegador',
    rnnoise: 'RNNoise (mais forte, usa mais CPU)',
  },
  echo: 'Cancelamento de eco',
  gain: 'Controle automático de ganho',
  music: 'Modo música',
  musicText: 'Estéreo a 128 kbit/s, sem processar o som. Use fones de ouvido, ou os outros ouvirão eco.',
  keys: 'Teclas durante uma chamada',
  noKey: 'Nenhuma',
  keysText: 'Pressione uma tecla, com ou sem Ctrl, Alt ou Shift. Backspace a apaga.',
} satisfies typeof talkWords
