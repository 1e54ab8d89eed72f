"""Pure reckoning: time, chance and mail servers' replies, with no database and no clock."""
