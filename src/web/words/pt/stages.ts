// Printed from locales/pt/stages.json. After a change there: bun run words
import type { stageWords } from '../stages.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  kind: 'Palco',
  make: 'Novo palco',
  listen: 'Ouvir',
  start: 'Iniciar o palco',
  startNow: 'Iniciar',
  edit: 'Mudar o tema',
  end: 'Encerrar o palco',
  topic: 'Tema',
  noSpeakers: 'Ninguém está falando ainda.',
  audience: (n) => count(n, '# ouvinte', '# de ouvintes', '# ouvintes'),
  showAudience: 'Mostrar ouvintes',
  others: (n) => `e mais ${digits(n)}`,
  raise: 'Levantar a mão',
  lower: 'Baixar a mão',
  place: (n) =>
    count(n, '# mão levantada antes da sua', '# de mãos levantadas antes da sua', '# mãos levantadas antes da sua'),
  speak: 'Falar',
  stepDown: 'Descer do palco',
  invited: 'Um moderador convida você a falar.',
  refuse: 'Não, obrigado',
  hands: 'Mãos levantadas',
  noHands: 'Nenhuma mão está levantada.',
  letUp: (name) => `Deixar ${name} falar`,
  invite: (name) => `Convidar ${name} para falar`,
  sendDown: (name) => `Mover ${name} para os ouvintes`,
  lowerHand: (name) => `Baixar a mão de ${name}`,
  isInvited: 'Convite enviado',
} satisfies typeof stageWords
