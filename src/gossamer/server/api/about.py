from gossamer.server.api.calls import CallTable

CALLS = CallTable()
