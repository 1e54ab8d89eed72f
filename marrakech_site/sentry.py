"""Errors go to Sentry where an operator wants that (SENTRY_DSN); what players do does not.

An event says where the code broke, by which kind of error and on which route. No address, form,
header, cookie, variable or name of anybody goes along: seeds and tokens would be among them. Nor do
the words of the error, in which servers quote rows and addresses; the log has them, under the id of
the request that the event is tagged with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint


def report_errors(dsn: str, *, release: str, environment: str) -> None:
    import sentry_sdk

    sentry_sdk.init(
        dsn=dsn,
        release=release or None,
        environment=environment,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        traces_sample_rate=0,
        before_send=only_the_code,
    )


def only_the_code(event: Event, hint: Hint) -> Event:
    from .logs import request_id  # which asks for the settings, and those for this

    method = event.pop("request", {}).get("method")
    if method:
        event["request"] = {"method": method}
    event.pop("user", None)
    event.pop("extra", None)
    event.pop("server_name", None)
    for error in event.get("exception", {}).get("values", []):
        error.pop("value", None)
    # What was logged is told as it stands in the code, without what was filled in.
    if words := event.pop("logentry", {}).get("message"):
        event["logentry"] = {"message": words}
    if identity := request_id.get():
        event["tags"] = {"request_id": identity}
    return event
