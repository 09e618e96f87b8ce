// Printed from locales/pt/messages.json. After a change there: bun run words
import type { messageWords } from '../messages.ts'
import { listOf, spanOf } from '../plural.ts'
import { choose, count } from './plural.ts'

export default {
  messages: {
    list: (place) => `Mensagens em ${place}`,
    beginnings: {
      channel: 'Este é o começo do canal. Diga para que ele serve e convide pessoas.',
      dm: 'Este é o começo da conversa de vocês. Não há mais ninguém nela.',
      group: 'Este é o começo do grupo. Quem for adicionado depois pode ver todas as mensagens.',
      thread: 'Este é o começo do tópico. Você passa a segui-lo quando escreve nele.',
    },
    one: 'mensagem',
    spoiler: 'Mostrar spoiler',
    copyCode: 'Copiar código',
    codeCopied: 'Código copiado.',
    fromBlocked: 'Mensagem de alguém que você bloqueou.',
    show: 'Mostrar mensagem',
    new: 'Novas',
    newAbove: 'Novas mensagens acima',
    toNewest: 'Ir para as mensagens mais recentes',
    failed: 'Não foi possível carregar estas mensagens.',
    edited: '(editada)',
    imported: 'importada',
    sending: 'enviando…',
    refused: 'Não enviada:',
    retry: 'Tentar de novo',
    withoutReply: 'Enviar sem a resposta',
    giveUp: 'Excluir',
    replyTo: 'Respondendo a',
    gone: 'A mensagem original foi excluída',
    selectThis: 'Selecionar esta mensagem',
    previews: 'Prévias de links',
    openPicture: (host) => `Imagem de ${host}`,
    video: 'Vídeo',
    webhook: 'Webhook',
  },
  notices: {
    raid_alert: (n) =>
      `Modo invasão: muitas contas entraram de uma vez. ${n} estão em quarentena, e ninguém mais pode entrar.`,
    automod_alert: ({ place, who, rule, n }) =>
      place === undefined
        ? `AutoMod: ${who} quebrou a regra “${rule}” (${n}×).`
        : `AutoMod: ${who} quebrou a regra “${rule}” em ${place} (${n}×).`,
    shortCall: (who) => `${who} iniciou uma chamada que durou menos de um minuto.`,
    call: ({ who, seconds }) => `${who} iniciou uma chamada. Duração: ${spanOf(seconds)}.`,
    missed: (who) => `Você perdeu uma chamada de ${who}.`,
    unanswered: 'Ninguém atendeu sua chamada.',
    recipient_added: ({ who, target }) => `${who} adicionou ${target} ao grupo.`,
    recipient_removed: ({ who, target }) => `${who} removeu ${target} do grupo.`,
    left: (who) => `${who} saiu do grupo.`,
    renamed: ({ who, name }) => `${who} deu ao grupo o nome ${name}.`,
    unnamed: (who) => `${who} removeu o nome do grupo.`,
    member_joined: (who) => `${who} entrou no servidor.`,
    pinned: (who) => `${who} fixou uma mensagem.`,
    thread_created: ({ who, name }) => `${who} iniciou o tópico ${name}.`,
    poll_ended: 'Uma enquete terminou.',
  },
  retention: {
    pruned: 'As mensagens mais antigas foram excluídas.',
    messages: (n) =>
      count(
        n,
        'As mensagens são excluídas após # dia.',
        'As mensagens são excluídas após # de dias.',
        'As mensagens são excluídas após # dias.',
      ),
    files: (n) =>
      count(
        n,
        'Os arquivos são excluídos após # dia.',
        'Os arquivos são excluídos após # de dias.',
        'Os arquivos são excluídos após # dias.',
      ),
  },
  forward: {
    forwarded: 'Encaminhada',
    original: 'Ir para a original',
  },
  composer: {
    to: (place) => `Conversar em ${place}`,
    send: 'Enviar',
    later: 'Enviar mais tarde',
    poll: 'Criar enquete',
    record: 'Gravar uma mensagem de voz',
    replyMention: (name) => `Mencionar ${name} na resposta`,
    mentionOn: '@ ligado',
    mentionOff: '@ desligado',
    mayNot: 'Você não tem permissão para enviar mensagens aqui.',
    timedOut: (time) => `Você está de castigo até ${time}. Pode ler, mas não escrever.`,
    blocked: 'Você bloqueou esta pessoa. Desbloqueie para escrever.',
  },
  files: {
    add: 'Adicionar arquivos',
    drop: 'Solte arquivos aqui',
    waiting: 'Esta mensagem será enviada quando o envio dos arquivos terminar.',
    open: (name) => `Abrir ${name}`,
    spoiler: 'Spoiler',
    reveal: 'Mostrar arquivo com spoiler',
    count: (n) => count(n, '# arquivo', '# de arquivos', '# arquivos'),
    uncover: 'Mostrar esta imagem',
    openDescribed: ({ alt, name }) => `${alt}. Abrir ${name}`,
  },
  direct: {
    list: 'Mensagens diretas',
    none: 'Suas conversas com pessoas e grupos aparecem aqui.',
    begin: 'Iniciar uma conversa',
    cannot: 'Esta pessoa não aceita mensagens suas.',
    hide: (name) => `Ocultar a conversa com ${name}`,
    write: (name) => `Escrever para ${name}`,
    read: 'Lida',
    requests: (n) =>
      n === 0
        ? 'Pedidos de mensagem'
        : count(n, '# pedido de mensagem', '# de pedidos de mensagem', '# pedidos de mensagem'),
  },
  groups: {
    new: 'Nova conversa',
    add: 'Adicionar pessoas',
    settings: 'Configurações do grupo',
    people: (n) => count(n, '# pessoa', '# de pessoas', '# pessoas'),
  },
  typing: ({ names, n }) =>
    choose(
      n,
      `${listOf(names)} está digitando…`,
      `${listOf(names)} estão digitando…`,
      `${listOf(names)} estão digitando…`,
    ),
  typingMany: 'Várias pessoas estão digitando…',
} satisfies typeof messageWords
