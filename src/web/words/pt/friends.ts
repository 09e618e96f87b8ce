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
      'Ainda sem amigos',
      'Seus amigos estão sempre à mão aqui: veja quem está online, escreva, ligue e crie grupos.',
    ],
    waiting: ['Nenhum pedido em aberto', 'Os pedidos que você envia ou recebe esperam aqui até serem respondidos.'],
    blocked: ['Ninguém está bloqueado', 'Quem você bloqueia não pode escrever nem ligar para você, e não é avisado.'],
  },
  nobody: 'Ninguém encontrado',
  nobodyText: 'O nome de usuário precisa estar inteiro. De um nome de exibição basta uma parte.',
  search: 'Nome de usuário ou nome de exibição',
  searchHint: 'Um nome de usuário inteiro, ou parte de um nome de exibição.',
  find: 'Buscar',
  add: 'Adicionar amigo',
  accept: 'Aceitar',
  decline: 'Recusar',
  cancel: 'Cancelar pedido',
  remove: 'Remover amigo',
  block: 'Bloquear',
  unblock: 'Desbloquear',
} satisfies typeof friendWords
