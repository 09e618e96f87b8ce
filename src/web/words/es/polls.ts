// Printed from locales/es/polls.json. After a change there: bun run words
import type { pollWords } from '../polls.ts'
import { digits, spanOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  poll: 'Encuesta',
  question: 'Pregunta',
  questionExample: '¿Qué día te viene bien?',
  answer: (n) => `Respuesta ${digits(n)}`,
  addAnswer: 'Añadir respuesta',
  duration: 'Termina después de',
  span: (seconds) => spanOf(seconds),
  multiple: 'Permitir varias respuestas',
  anonymous: 'Anónima',
  promise:
    'El servidor no guarda ningún vínculo entre las personas y sus votos. Los votos son definitivos y los resultados se muestran al final, a partir de cinco votantes.',
  send: 'Enviar encuesta',
  chooseOne: 'Elige una respuesta',
  chooseSeveral: 'Elige una o más respuestas',
  vote: 'Votar',
  change: 'Cambiar voto',
  results: 'Ver resultados',
  back: 'Volver a las respuestas',
  voters: (n) => count(n, '# persona ha votado', '# de personas han votado', '# personas han votado'),
  share: ({ n, percent }) => `${count(n, '# voto', '# de votos', '# votos')}, ${digits(percent)} %`,
  who: 'Ver quién lo ha votado',
  votersOf: (answer) => `Votos para ${answer}`,
  yours: 'Tu voto',
  ends: (time) => `Termina: ${time}`,
  ended: (time) => `Terminó: ${time}`,
  end: 'Terminar encuesta',
  endText: 'Después nadie podrá votar.',
  votedAnonymous: 'Has votado. Los resultados se muestran al final, a partir de cinco votantes.',
  anonymousText:
    'Esta encuesta es anónima: el servidor no guarda ningún vínculo entre tú y tu voto, y tu voto es definitivo. Los resultados se muestran al final, a partir de cinco votantes.',
  tooFew: 'Han votado menos de cinco personas, así que esta encuesta anónima no muestra resultados.',
} satisfies typeof pollWords
