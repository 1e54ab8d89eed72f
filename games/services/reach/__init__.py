"""Beside mail: notices on devices (web push) and webhooks, sent by errands."""
