// Printed from locales/fr/polls.json. After a change there: bun run words
import type { pollWords } from '../polls.ts'
import { digits, spanOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  poll: 'Sondage',
  question: 'Question',
  questionExample: 'Quel jour vous convient ?',
  answer: (n) => `Réponse ${digits(n)}`,
  addAnswer: 'Ajouter une réponse',
  duration: 'Se termine après',
  span: (seconds) => spanOf(seconds),
  multiple: 'Autoriser plusieurs réponses',
  anonymous: 'Anonyme',
  promise:
    'Le serveur ne garde aucun lien entre les personnes et leurs votes. Les votes sont définitifs, et les résultats s’affichent à la fin, à partir de cinq votants.',
  send: 'Envoyer le sondage',
  chooseOne: 'Choisissez une réponse',
  chooseSeveral: 'Choisissez une ou plusieurs réponses',
  vote: 'Voter',
  change: 'Modifier le vote',
  results: 'Afficher les résultats',
  back: 'Revenir aux réponses',
  voters: (n) => count(n, '# personne a voté', '# de personnes ont voté', '# personnes ont voté'),
  share: ({ n, percent }) => `${count(n, '# vote', '# de votes', '# votes')}, ${digits(percent)} %`,
  who: 'Voir qui a voté pour',
  votersOf: (answer) => `Votes pour ${answer}`,
  yours: 'Votre vote',
  ends: (time) => `Se termine le ${time}`,
  ended: (time) => `Terminé le ${time}`,
  end: 'Terminer le sondage',
  endText: 'Plus personne ne pourra voter.',
  votedAnonymous: 'Vous avez voté. Les résultats s’affichent à la fin, à partir de cinq votants.',
  anonymousText:
    'Ce sondage est anonyme : le serveur ne garde aucun lien entre vous et votre vote, et votre vote est définitif. Les résultats s’affichent à la fin, à partir de cinq votants.',
  tooFew: 'Moins de cinq personnes ont voté : ce sondage anonyme n’affiche donc aucun résultat.',
} satisfies typeof pollWords
