-- The picture that a webhook's message comes with: it is fetched with the previews of the message, once.
alter table wanted_pictures drop constraint wanted_pictures_place_check,
  add constraint wanted_pictures_place_check check (place in ('image', 'thumbnail', 'avatar'));
