"""What a machine carries: a site of a given size, its processes, and load on them."""
