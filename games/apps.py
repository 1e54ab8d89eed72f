from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = "Souk"

    def ready(self) -> None:
        from games import checks, security_events, titles  # noqa: F401
