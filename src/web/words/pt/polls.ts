// Printed from locales/pt/polls.json. After a change there: bun run words
import type { pollWords } from '../polls.ts'
import { digits, spanOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  poll: 'Enquete',
  question: 'Pergunta',
  questionExample: 'Qual dia é melhor para você?',
  answer: (n) => `Resposta ${digits(n)}`,
  addAnswer: 'Adicionar resposta',
  duration: 'Termina após',
  span: (seconds) => spanOf(seconds),
  multiple: 'Permitir várias respostas',
  anonymous: 'Anônima',
  promise:
    'O servidor não guarda nenhuma ligação entre as pessoas e seus votos. Os votos são definitivos, e os resultados aparecem no fim, a partir de cinco votantes.',
  send: 'Enviar enquete',
  chooseOne: 'Escolha uma resposta',
  chooseSeveral: 'Escolha uma ou mais respostas',
  vote: 'Votar',
  change: 'Mudar voto',
  results: 'Ver resultados',
  back: 'Voltar às respostas',
  voters: (n) => count(n, '# pessoa votou', '# de pessoas votaram', '# pessoas votaram'),
  share: ({ n, percent }) => `${count(n, '# voto', '# de votos', '# votos')}, ${digits(percent)} %`,
  who: 'Ver quem votou nela',
  votersOf: (answer) => `Votos para ${answer}`,
  yours: 'Seu voto',
  ends: (time) => `Termina: ${time}`,
  ended: (time) => `Terminou: ${time}`,
  end: 'Encerrar enquete',
  endText: 'Depois disso ninguém poderá votar.',
  votedAnonymous: 'Você votou. Os resultados aparecem no fim, a partir de cinco votantes.',
  anonymousText:
    'Esta enquete é anônima: o servidor não guarda nenhuma ligação entre você e seu voto, e seu voto é definitivo. Os resultados aparecem no fim, a partir de cinco votantes.',
  tooFew: 'Menos de cinco pessoas votaram, por isso esta enquete anônima não mostra resultados.',
} satisfies typeof pollWords
