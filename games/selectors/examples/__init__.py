"""What rules pages and tutorials show, as moves that the engine plays: one module a game."""
