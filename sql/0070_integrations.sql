-- Applications that are asked by a request of the server's in place of an event.

alter table applications add column interactions_url text;

-- Pictures that webhooks name in embeds, by the place of the embed; they are fetched with the previews of the message.
create table wanted_pictures (
  message_id bigint not null references messages on delete cascade,
  at int not null,
  place text not null check (place in ('image', 'thumbnail')),
  url text not null,
  primary key (message_id, at, place)
);
