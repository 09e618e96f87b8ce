import type { moderationWords } from '../moderation.ts'

export default {
  reportMessage: 'Denunciar mensagem',
  reportProfile: 'Denunciar perfil',
  reason: 'Motivo',
  note: 'O que eles devem saber? (opcional)',
  readers: 'Quem deve ler?',
  toModerators: (server) => `Os moderadores de ${server}`,
  toOperator: 'Apenas o operador desta instalação',
  readByModerators: (server) =>
    `Lida pelos moderadores de ${server} que estão acima deste membro e podem ler este canal. ` +
    'Eles veem quem denunciou.',
  readByOperator: 'Lida apenas pelo operador desta instalação, não pelos moderadores. Ele vê quem denunciou.',
  kept: 'Eles recebem o texto, as cinco mensagens anteriores e os arquivos como estão agora.',
  keptProfile: 'Eles recebem os nomes e a imagem como estão agora.',
  send: 'Enviar denúncia',
  sent: 'Sua denúncia foi enviada. Obrigado.',
  reasons: {
    spam: 'Spam ou publicidade',
    harassment: 'Assédio ou bullying',
    hate: 'Ódio contra um grupo',
    violence: 'Violência ou ameaças',
    sexual: 'Conteúdo sexual indesejado',
    minor_safety: 'Perigo para um menor',
    self_harm: 'Automutilação ou suicídio',
    illegal: 'Algo ilegal',
    impersonation: 'Finge ser outra pessoa',
    other: 'Outra coisa',
  },
} satisfies typeof moderationWords
