"""The endpoints, a file for each concern. The live feed is in `sockets`; the types are in
`wire`."""

from lampion.server.web.endpoints import (
    admin,
    games,
    identity,
    lessons,
    notifications,
    people,
    pictures,
    practice,
    probes,
    profile,
    records,
    tables,
    texts,
)

ENDPOINTS = (
    *people.ENDPOINTS,
    *notifications.ENDPOINTS,
    *identity.ENDPOINTS,
    *profile.ENDPOINTS,
    *tables.ENDPOINTS,
    *games.ENDPOINTS,
    *records.ENDPOINTS,
    *practice.ENDPOINTS,
    *lessons.ENDPOINTS,
    *texts.ENDPOINTS,
    *pictures.ENDPOINTS,
    *probes.ENDPOINTS,
    *admin.ENDPOINTS,
)
