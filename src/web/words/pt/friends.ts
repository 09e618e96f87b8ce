// Printed from locales/pt/friends.json. After a change there: bun run words
import type { friendWords } from '../friends.ts'

export default {
  relation: {
    none: '',
    friends: 'Amigo',
    pending_incoming: 'quer ser seu amigo',
    pending_outgoing: 'Pedido enviado',
    blocked: 'Bloqueado',
  },
  tabs: {
    friends: 'Amigos',
    waiting: 'Pedidos',
    blocked: 'Bloqueados',
    find: 'Encontrar pessoas',
  },
  none: {
    friends: [
      'Nenhum amigo ainda',
      'Adicione amigos para ver quem está online, enviar mensagens, ligar e criar grupos.',
    ],
    waiting: [
      'Nenhum pedido pendente',
      'Os pedidos de amizade que você envia ou recebe aparecem aqui até serem respondidos.',
    ],
    blocked: [
      'Ninguém está bloqueado',
      'As pessoas que você bloqueia não podem enviar mensagens nem ligar para você. Elas não são avisadas.',
    ],
  },
  nobody: 'Ninguém encontrado',
  nobodyText: 'Digite um nome de usuário completo ou parte de um nome de exibição.',
  search: 'Nome de usuário ou nome de exibição',
  searchHint: 'Um nome de usuário completo ou parte de um nome de exibição.',
  find: 'Buscar',
  add: 'Adicionar amigo',
  accept: 'Aceitar',
  decline: 'Recusar',
  cancel: 'Cancelar pedido',
  remove: 'Remover amigo',
  block: 'Bloquear',
  unblock: 'Desbloquear',
  messageRequests: {
    title: 'Pedidos de mensagem',
    text: (name) =>
      `${name} quer escrever para você e não saberá se você leu isto. Se você responder ou aceitar, poderá escrever como qualquer pessoa que você conhece.`,
    hint: 'Aqui esperam as mensagens de pessoas que você não conhece. Elas não notificam nada e suas imagens ficam cobertas.',
    ignore: 'Ignorar',
    ignored: 'Ignorado',
    none: 'Nenhum pedido de mensagem',
  },
} satisfies typeof friendWords
