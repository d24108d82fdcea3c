"""Language models at the table, over the Model Context Protocol (extra `mcp`; docs/agents.md)."""
