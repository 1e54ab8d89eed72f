"""Mail of a site that has no mail server: kept in a folder, and read on a page of its own."""
