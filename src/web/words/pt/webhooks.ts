import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'Integrações',
  title: 'Webhooks',
  hint: 'Um webhook é uma URL pela qual outro programa escreve em um canal: Grafana, GitHub, um script seu.',
  name: 'Nome do webhook',
  channel: 'Canal',
  make: 'Novo webhook',
  none: 'Ainda sem webhooks',
  noneText: 'Crie um e cole a URL dele no outro programa.',
  madeBy: (name) => `de ${name}`,
  url: 'URL do webhook',
  shownOnce: 'Esta URL é mostrada uma vez. Quem a tem pode escrever no canal: guarde-a como uma senha.',
  suffixes: 'Para o formato do Slack acrescente /slack, para o do GitHub /github.',
  edit: (name) => `Mudar ${name}`,
  close: 'Fechar',
  rotate: 'Renovar a URL',
  rotateText: 'A URL anterior deixa de valer na hora. Os programas que a usam precisam da nova.',
  delete: (name) => `Excluir ${name}`,
  deleteText: 'Os programas que usam a URL dele não podem mais escrever. O que ele escreveu fica.',
  mentions: 'Pode mencionar todos e todos os cargos',
  problems: {
    too_many_webhooks: 'Este canal já tem 15 webhooks.',
  },
} satisfies typeof webhookWords
