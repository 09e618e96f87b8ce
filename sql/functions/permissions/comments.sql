comment on table roles is 'Named sets of permissions of a server.';
comment on column roles.id is 'Primary key.';
comment on column roles.server_id is 'The server.';
comment on column roles.name is 'Name.';
comment on column roles.self_assignable is 'Members give it to themselves.';
comment on column roles.color is 'Colour as #rrggbb; null for none.';
comment on column roles.permissions is 'Bits; see permission_bit().';
comment on column roles.position is 'Rank: members change only what stands below their highest role.';
comment on column roles.is_everyone is 'The role that every member has.';
comment on column roles.created_at is 'When the row was made.';
comment on column roles.updated_at is 'Last change.';
comment on column roles.hoist is 'Members with the role are listed apart.';
comment on column roles.mentionable is 'Anybody may mention the role.';
comment on column roles.bot_id is 'The bot that the role belongs to.';

comment on table member_roles is 'Roles of members.';
comment on column member_roles.server_id is 'The server.';
comment on column member_roles.user_id is 'The account.';
comment on column member_roles.role_id is 'The role.';

comment on table overwrites is 'What a channel or category allows or denies a role.';
comment on column overwrites.channel_id is 'The channel.';
comment on column overwrites.role_id is 'The role.';
comment on column overwrites.allow is 'Bits that are granted.';
comment on column overwrites.deny is 'Bits that are taken.';

comment on table effective_overwrites is
  'Overwrites of a channel with those of its category where it has none, kept by triggers.';
comment on column effective_overwrites.channel_id is 'The channel.';
comment on column effective_overwrites.role_id is 'The role.';
comment on column effective_overwrites.allow is 'Bits that are granted.';
comment on column effective_overwrites.deny is 'Bits that are taken.';

comment on table member_overwrites is 'What a channel or category allows or denies a single account.';
comment on column member_overwrites.server_id is 'The server.';
comment on column member_overwrites.channel_id is 'The channel.';
comment on column member_overwrites.user_id is 'The account; denials stay after it has left the server.';
comment on column member_overwrites.allow is 'Bits that are granted.';
comment on column member_overwrites.deny is 'Bits that are taken.';

comment on column roles.icon_url is 'Path of its small picture; null: none.';

comment on table role_icons is 'Small pictures of roles.';
comment on column role_icons.id is 'Primary key.';
comment on column role_icons.role_id is 'The role.';
comment on column role_icons.server_id is 'Its server.';
comment on column role_icons.key is 'Unguessable last part of its URL; its object is role-icons/<key>.';
comment on column role_icons.size is 'Bytes, which the quota of the server counts.';
comment on column role_icons.file_id is 'The upload that it was made from, which is gone.';
comment on column role_icons.created_at is 'When the row was made.';
