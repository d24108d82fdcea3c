"""The endpoints, a file for each concern. The live feed is in `sockets`; the types are in
`wire`."""

from lampion.server.web.endpoints import admin, games, people, probes, records, tables, texts

ENDPOINTS = (
    *people.ENDPOINTS,
    *tables.ENDPOINTS,
    *games.ENDPOINTS,
    *records.ENDPOINTS,
    *texts.ENDPOINTS,
    *probes.ENDPOINTS,
    *admin.ENDPOINTS,
)
