"""What the site itself remembers: keys, limits, signs of life."""

from __future__ import annotations

from django.db import models


class SigningKey(models.Model):
    """A private key of the site, drawn once; see services.signing."""

    name = models.CharField(max_length=20, primary_key=True)
    private = models.BinaryField(max_length=32, editable=False)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"key for {self.name}"


class Use(models.Model):
    """How often something limited was done in a stretch of time; see services.limits."""

    key = models.CharField(max_length=64, primary_key=True)
    times = models.PositiveIntegerField(default=0)
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.times} times until {self.until}"


class Heartbeat(models.Model):
    """When a background process was last seen alive."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"
