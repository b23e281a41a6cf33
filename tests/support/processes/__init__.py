"""Other processes: scripts, children, a browser, a server, another tool."""
