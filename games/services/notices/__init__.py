"""Mail to players: what is queued, how it reads, how it is sent."""
