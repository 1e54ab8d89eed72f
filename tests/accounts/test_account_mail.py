"""Mail about accounts goes by the outbox: no page waits for a mail server, or fails with it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from games.models import Breaker, Notice, Player
from games.services.accounts import delete_account
from games.services.notices import outbox, written
from tests.accounts.conftest import CODE, PASSWORD, delivered, last_code
from tests.notices.post_office import PostOffice
from tests.people import Tables

pytestmark = pytest.mark.both_databases

CONFIRM = "/accounts/confirm-email/"
Kind, State = Notice.Kind, Notice.State
MINUTE = timedelta(minutes=1)


def drain(after: timedelta = timedelta()) -> None:
    outbox.drain(clock=lambda: timezone.now() + after)


def code_in(office: PostOffice) -> str:
    text = office.letters[-1].get_payload()[0].get_payload(decode=True).decode()  # type: ignore[index,union-attr]
    found = CODE.search(text)
    assert found, text
    return found[0]


def bring_down(office: PostOffice, how: str) -> None:
    if how == "gone":
        office.close()
    elif how == "refuses":
        office.at_rcpt = "554 5.7.1 Relay access denied"
    else:
        office.mood = "hangs"


def repair(office: PostOffice, how: str) -> None:
    if how == "gone":
        office.open()
    office.at_rcpt, office.mood = "", "works"


@pytest.mark.parametrize("trouble", ["gone", "refuses", "hangs"])
def test_signing_up_does_not_need_the_mail_server(
    sign_up, post_office: PostOffice, settings, trouble: str
) -> None:
    settings.EMAIL_TIMEOUT = 0.2
    bring_down(post_office, trouble)
    response, client = sign_up()
    assert (response.status_code, response.headers["Location"]) == (302, CONFIRM)
    assert post_office.connections == 0, "no request talks to it"
    assert client.get(CONFIRM).status_code == 200
    drain()
    assert not post_office.letters
    repair(post_office, trouble)
    settings.EMAIL_TIMEOUT = 20
    drain(after=MINUTE)
    assert client.post(CONFIRM, {"code": code_in(post_office)}).headers["Location"] == "/"
    assert EmailAddress.objects.get().verified, "the name is not lost"


@pytest.mark.parametrize(
    ("path", "form", "subject"),
    [
        ("/accounts/login/code/", {"email": "yasmin@souk.example"}, "Your code for Souk"),
        ("/accounts/login/code/", {"email": "stranger@souk.example"}, "No account at Souk"),
        ("/accounts/password/reset/", {"email": "yasmin@souk.example"}, "Your code for Souk"),
        ("/accounts/password/reset/", {"email": "stranger@souk.example"}, "No account at Souk"),
    ],
)
def test_codes_and_resets_do_not_need_it_either(
    yasmin: Player, post_office: PostOffice, path: str, form: dict[str, str], subject: str
) -> None:
    post_office.close()
    response = Client().post(path, form)
    assert response.status_code == 302
    post_office.open()
    drain()
    [letter] = post_office.letters
    assert (letter["Subject"], letter["To"]) == (subject, form["email"])
    assert letter["Auto-Submitted"] == "auto-generated"


def test_a_changed_password_is_told_by_the_outbox_too(
    yasmin: Player, client: Client, post_office: PostOffice
) -> None:
    post_office.close()
    client.post("/accounts/login/", {"login": "Yasmin", "password": PASSWORD})
    form = {"oldpassword": PASSWORD, "password1": "closed-sesame-43"}
    assert client.post("/accounts/password/change/", form).status_code == 302
    post_office.open()
    drain()
    assert [letter["Subject"] for letter in post_office.letters] == ["Your password was changed"]


def test_a_code_goes_out_before_everything_else(sign_up, post_office: PostOffice) -> None:
    tables = Tables()
    long_ago = timezone.now() - timedelta(hours=6)
    for _ in range(3):
        tables.game(now=long_ago)
    sign_up()
    drain()
    assert len(post_office.letters) > 3
    assert post_office.letters[0]["To"] == "omar@souk.example"


def test_a_code_that_comes_while_others_are_sent_is_in_the_next_batch(
    sign_up, post_office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "BATCH", 2)
    tables = Tables()
    for _ in range(3):
        tables.game(now=timezone.now() - timedelta(hours=6))
    claimed = outbox.claim(now=timezone.now())
    assert len(claimed) == 2
    sign_up()
    following = outbox.claim(now=timezone.now())
    assert len(following) == 2
    assert "omar@souk.example" in {notice.address for notice in following}


def test_a_code_is_forgotten_once_it_is_sent(sign_up) -> None:
    _, client = sign_up()
    notice = Notice.objects.get(kind=Kind.ACCOUNT)
    assert CODE.search(notice.content["text"])
    code = last_code()
    notice.refresh_from_db()
    assert (notice.state, notice.content) == (State.SENT, None)
    assert client.post(CONFIRM, {"code": code}).headers["Location"] == "/"


def test_a_code_is_forgotten_once_it_is_worthless(sign_up, post_office: PostOffice) -> None:
    sign_up()
    post_office.close()
    drain(after=14 * MINUTE)
    notice = Notice.objects.get(kind=Kind.ACCOUNT)
    assert notice.content
    Breaker.objects.update_or_create(
        channel="mail", defaults={"refusals": 9, "held_until": timezone.now() + timedelta(days=1)}
    )
    drain(after=15 * MINUTE)
    notice.refresh_from_db()
    assert (notice.state, notice.content) == (State.WITHDRAWN, None), "also while mail is held"
    post_office.open()
    Breaker.objects.all().delete()
    drain(after=20 * MINUTE)
    assert not post_office.letters


def test_a_code_is_forgotten_if_its_address_is_refused(sign_up, post_office: PostOffice) -> None:
    sign_up(email="nobody@souk.example")
    drain()
    notice = Notice.objects.get(kind=Kind.ACCOUNT)
    assert (notice.state, notice.content) == (State.FAILED, None)
    assert outbox.resend(notice_ids=[notice.pk], now=timezone.now()) == 0, "there is nothing left"


@pytest.mark.parametrize("answer", ["", "451 later", "554 5.7.1 no"])
def test_no_code_and_no_address_stands_in_our_log(
    sign_up, post_office: PostOffice, caplog, answer: str
) -> None:
    post_office.at_data = answer
    sign_up()
    code = CODE.search(Notice.objects.get(kind=Kind.ACCOUNT).content["text"])
    assert code
    drain()
    log = " ".join(str(vars(each)) for each in caplog.records if each.name != "mail.log")
    assert code[0] not in log
    assert "omar@souk.example" not in log


def test_who_waits_for_a_code_is_not_made_to_wait_longer_and_longer(
    sign_up, post_office: PostOffice
) -> None:
    sign_up()
    post_office.at_rcpt = "451 4.7.1 greylisted"
    for minutes in range(4):
        drain(after=minutes * MINUTE)
    post_office.at_rcpt = ""
    drain(after=4 * MINUTE)
    assert len(post_office.letters) == 1


def test_the_page_says_when_mail_is_slow(sign_up) -> None:
    _, client = sign_up()
    assert "Mail is slow right now" not in client.get(CONFIRM).content.decode()
    assert "on its way" in client.get(CONFIRM).content.decode()
    Notice.objects.update(created_at=timezone.now() - 2 * MINUTE)
    assert "Mail is slow right now" in client.get(CONFIRM).content.decode()
    delivered()
    assert "Mail is slow right now" not in client.get(CONFIRM).content.decode()
    Breaker.objects.create(channel="mail", held_until=timezone.now() + MINUTE)
    assert "Mail is slow right now" in client.get(CONFIRM).content.decode()


def test_whom_we_wrote_to_is_forgotten(sign_up, yasmin: Player) -> None:
    sign_up()
    delivered()
    written.forget_old(now=timezone.now() + timedelta(days=6))
    assert Notice.objects.filter(address="omar@souk.example").exists()
    written.forget_old(now=timezone.now() + timedelta(days=8))
    assert not Notice.objects.filter(address="omar@souk.example").exists()


def test_a_deleted_account_leaves_no_letters(yasmin: Player) -> None:
    Client().post("/accounts/login/code/", {"email": "yasmin@souk.example"})
    assert Notice.objects.filter(address="yasmin@souk.example").exists()
    delete_account(player=yasmin, now=timezone.now())
    assert not Notice.objects.filter(address="yasmin@souk.example").exists()


def test_no_code_is_shown_in_the_admin(sign_up, client: Client) -> None:
    sign_up()
    notice = Notice.objects.get(kind=Kind.ACCOUNT)
    code = CODE.search(notice.content["text"])
    assert code
    client.force_login(Player.objects.create_superuser("root", "root@souk.example", "secret"))
    for path in ("/admin/games/notice/", f"/admin/games/notice/{notice.pk}/change/"):
        response = client.get(path)
        assert response.status_code == 200
        assert code[0] not in response.content.decode()
