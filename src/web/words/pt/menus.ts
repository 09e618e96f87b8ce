// Printed from locales/pt/menus.json. After a change there: bun run words
import type { menuWords } from '../menus.ts'

export default {
  of: (name) => `Menu de ${name}`,
  write: 'Enviar uma mensagem',
  accept: 'Aceitar pedido de amizade',
  read: 'Marcar como lido',
  notifications: 'Notificações…',
  copyLink: 'Copiar link',
  settings: 'Configurações…',
  events: 'Eventos',
  hide: 'Ocultar conversa',
  deleteChannel: 'Excluir canal',
  deleteCategory: 'Excluir categoria',
  moveTo: 'Mover para…',
  serverSettings: 'Configurações do servidor',
  leaveServer: 'Sair do servidor',
  leaveServerText: (name) => `Você precisará de um novo convite para voltar a ${name}.`,
} satisfies typeof menuWords
