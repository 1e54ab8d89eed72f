"""What a machine carries: a town of players and games of a given size, its processes, and the
load that they are put under. `manage.py size` tells the story."""
