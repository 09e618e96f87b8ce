// Printed from locales/pt/first-steps.json. After a change there: bun run words
import type { firstWords } from '../first-steps.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  templates: {
    friends: {
      title: 'Amigos e família',
      text: 'Planos, fotos e conversas com algumas pessoas.',
      example: 'A casa do lago',
      channels: [
        {
          name: 'planos',
          topic: 'Nossos próximos planos, e quando',
        },
        {
          name: 'fotos',
          topic: 'Compartilhe as boas',
        },
        {
          name: 'Sala de estar',
        },
      ],
    },
    community: {
      title: 'Clube ou comunidade',
      text: 'Notícias para todos, um lugar para dar oi e canais para muitos assuntos.',
      example: 'Observadores de aves',
      channels: [
        {
          name: 'notícias',
          topic: 'O que todos devem saber',
        },
        {
          name: 'apresentações',
          topic: 'Chegou agora? Diga oi',
        },
        {
          name: 'perguntas',
          topic: 'Pergunte qualquer coisa',
        },
        {
          name: 'Ponto de encontro',
        },
      ],
    },
    team: {
      title: 'Equipe ou empresa',
      text: 'Tarefas em tópicos, decisões por escrito e reuniões por voz.',
      example: 'Reforma da represa',
      channels: [
        {
          name: 'tarefas',
          topic: 'Quem faz o quê, até quando',
        },
        {
          name: 'decisões',
          topic: 'O que decidimos, e por quê',
        },
        {
          name: 'café',
          topic: 'Tudo menos trabalho',
        },
        {
          name: 'Reunião diária',
        },
      ],
    },
    gaming: {
      title: 'Jogos',
      text: 'Encontre jogadores, converse durante a partida e compartilhe os melhores momentos.',
      example: 'Caçadores da noite',
      channels: [
        {
          name: 'notícias',
          topic: 'Atualizações e eventos',
        },
        {
          name: 'procuro-jogadores',
          topic: 'Quem joga o quê, e quando',
        },
        {
          name: 'clipes',
          topic: 'Seus melhores momentos',
        },
        {
          name: 'Saguão',
        },
        {
          name: 'Partida',
        },
      ],
    },
    study: {
      title: 'Grupo de estudos',
      text: 'Peça ajuda, compartilhe anotações e estude em grupo.',
      example: 'Álgebra II',
      channels: [
        {
          name: 'notícias',
          topic: 'Datas e avisos',
        },
        {
          name: 'lição-de-casa',
          topic: 'Peça ajuda, dê ajuda',
        },
        {
          name: 'anotações',
          topic: 'Resumos e links',
        },
        {
          name: 'Sala de estudos',
        },
      ],
    },
    project: {
      title: 'Projeto de código aberto',
      text: 'Anuncie versões, ajude usuários e discuta o código.',
      example: 'Garça',
      channels: [
        {
          name: 'notícias',
          topic: 'Versões e avisos',
        },
        {
          name: 'ajuda',
          topic: 'Perguntas de usuários',
        },
        {
          name: 'desenvolvimento',
          topic: 'Código, revisões e planos',
        },
        {
          name: 'vitrine',
          topic: 'O que você fez com ele',
        },
        {
          name: 'Reunião',
        },
      ],
    },
  },
  register: {
    title: 'Crie sua conta',
    closed: 'O cadastro está fechado neste servidor.',
    invited: (server) => `Em seguida, você entrará em ${server}.`,
    name: 'Como as pessoas devem chamar você?',
    nameHint: 'Todos veem isto. Você pode mudar quando quiser.',
    usernameHint: 'Você usa isto para entrar. Ninguém mais vê.',
    nameNotKept: 'Sua conta está pronta, mas não foi possível salvar seu nome. Defina-o de novo nas configurações.',
  },
  home: {
    title: (name) => `Boas-vindas, ${name}`,
    text: 'Converse em servidores ou com amigos. Por onde você quer começar?',
    make: 'Criar um servidor',
    makeText: 'Um lugar seu, para as pessoas que você escolher.',
    join: 'Entrar com um convite',
    joinText: 'Alguém mandou um link? Cole-o aqui.',
    link: 'Link ou código de convite',
    open: 'Abrir convite',
    find: 'Encontrar um amigo',
    findText: 'Busque por nome de usuário ou nome de exibição.',
  },
  setup: {
    steps: {
      name: 'Nome',
      picture: 'Imagem',
      channels: 'Canais',
      rules: 'Regras',
      invite: 'Convite',
    },
    moderators: 'Moderadores',
    power: 'Cargos que podem gerenciar',
    file: 'De um arquivo',
    fileText: 'Um modelo salvo nas configurações de outro servidor.',
    fileWrong: 'Este arquivo não é um modelo.',
    rulesTitle: 'Defina algumas regras',
    rulesText: 'Os novos membros as aceitam antes de poder escrever.',
    rulesExample: '1. Seja gentil.\n2. Nada de spam.',
    progress: 'Etapas',
    whom: 'Para quem é?',
    next: 'Continuar',
    skip: 'Pular por enquanto',
    pictureTitle: 'Adicione uma imagem',
    pictureText: 'É mais fácil achar uma imagem do que um nome. PNG, JPEG, WebP, GIF ou AVIF.',
    channelsTitle: 'Sobre o que vocês vão conversar?',
    channelsText: 'Os canais separam os assuntos. Escolha alguns para começar; você pode mudá-los quando quiser.',
    general: 'Já existe, para tudo',
    readOnly: (topic) => `${topic}. Todos podem ler, só moderadores podem escrever`,
    another: 'Outro canal',
    add: 'Adicionar',
    make: (n) => (n === 0 ? 'Continuar' : count(n, 'Criar # canal', 'Criar # de canais', 'Criar # canais')),
    inviteTitle: 'Convide os primeiros membros',
    inviteText: 'Qualquer pessoa com este link pode entrar. Ele vale por uma semana.',
    share: 'Compartilhar…',
    open: (name) => `Abrir ${name}`,
  },
  invite: {
    from: 'convida você para entrar em',
    without: 'Você recebeu um convite para entrar em',
    online: (n) => `${digits(n)} online`,
    until: (time) => `Este convite vale até ${time}.`,
    call: 'Você será membro até cinco minutos depois da sua última chamada aqui.',
    day: 'Você será membro por um dia.',
    isMember: 'Você já é membro.',
    over: 'Este convite não é mais válido',
    overText: 'Ele expirou, se esgotou ou foi revogado. Peça um novo a quem o enviou.',
    unknown: 'Convite não encontrado',
    unknownText: 'O link pode estar incompleto. Abra de novo o link inteiro, como foi enviado a você.',
    banned: 'Você não pode entrar neste servidor',
    bannedText: 'Um moderador baniu você.',
    join: 'Entrar no servidor',
    notNow: 'Agora não',
    back: 'Voltar às suas conversas',
  },
} satisfies typeof firstWords
