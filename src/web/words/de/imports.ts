import type { importWords } from '../imports.ts'

export default {
  title: 'Übernimm deine Nachrichten',
  text:
    'Nachrichten, die von anderswo hergeholt wurden, werden deine, mit ihren Dateien und Reaktionen. ' +
    'Rollen und Berechtigungen bleiben, wie sie sind. Es gibt keinen Weg zurück.',
  take: 'Das sind meine',
  taken: 'In wenigen Minuten sind es deine.',
  gone: 'Der Link ist abgelaufen, wurde schon verwendet oder gilt für ein anderes Konto.',
  go: 'Weiter',
} satisfies typeof importWords
