// Printed from locales/es/stages.json. After a change there: bun run words
import type { stageWords } from '../stages.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  kind: 'Escenario',
  make: 'Nuevo escenario',
  listen: 'Escuchar',
  start: 'Iniciar el escenario',
  startNow: 'Iniciar',
  edit: 'Cambiar el tema',
  end: 'Terminar el escenario',
  topic: 'Tema',
  noSpeakers: 'Todavía no habla nadie.',
  audience: (n) => count(n, '# oyente', '# de oyentes', '# oyentes'),
  showAudience: 'Mostrar oyentes',
  others: (n) => `y ${digits(n)} más`,
  raise: 'Levantar la mano',
  lower: 'Bajar la mano',
  place: (n) =>
    count(
      n,
      '# mano levantada antes de la tuya',
      '# de manos levantadas antes de la tuya',
      '# manos levantadas antes de la tuya',
    ),
  speak: 'Hablar',
  stepDown: 'Bajar del escenario',
  invited: 'Un moderador te invita a hablar.',
  refuse: 'No, gracias',
  hands: 'Manos levantadas',
  noHands: 'No hay manos levantadas.',
  letUp: (name) => `Dejar hablar a ${name}`,
  invite: (name) => `Invitar a ${name} a hablar`,
  sendDown: (name) => `Pasar a ${name} a los oyentes`,
  lowerHand: (name) => `Bajar la mano de ${name}`,
  isInvited: 'Invitación enviada',
} satisfies typeof stageWords
