// Printed from locales/pt/webhooks.json. After a change there: bun run words
import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'Integrações',
  title: 'Webhooks',
  hint: 'Um webhook é uma URL que permite a outro programa publicar em um canal: Grafana, GitHub ou seu próprio script.',
  name: 'Nome do webhook',
  channel: 'Canal',
  make: 'Novo webhook',
  none: 'Nenhum webhook ainda',
  noneText: 'Crie um e cole a URL dele no outro programa.',
  madeBy: (name) => `de ${name}`,
  url: 'URL do webhook',
  shownOnce:
    'Esta URL só é mostrada uma vez. Qualquer pessoa que a tenha pode publicar no canal: guarde-a como uma senha.',
  suffixes: 'Para o formato do Slack, acrescente /slack; para o do GitHub, /github.',
  edit: (name) => `Editar ${name}`,
  close: 'Fechar',
  rotate: 'Redefinir URL',
  rotateText: 'A URL antiga deixa de funcionar imediatamente. Os programas que a usam precisam da nova.',
  delete: (name) => `Excluir ${name}`,
  deleteText: 'Os programas que usam a URL dele não podem mais publicar. As mensagens dele permanecem.',
  mentions: 'Pode mencionar todos e todos os cargos',
  problems: {
    too_many_webhooks: 'Este canal já tem 15 webhooks.',
  },
} satisfies typeof webhookWords
