from __future__ import annotations

from email.mime.image import MIMEImage

import pytest
from django.core.mail import EmailMultiAlternatives, get_connection

from games.kept_mail import folder

DOT = bytes.fromhex("89504e470d0a1a0a")


@pytest.fixture
def kept(settings, tmp_path):
    settings.MAIL_KEPT_IN = tmp_path / "mail"
    settings.PUBLIC = False
    return settings.MAIL_KEPT_IN


def send(subject: str = "Your turn", html: str = "", picture: bytes = b"") -> str:
    message = EmailMultiAlternatives(
        subject,
        "Play at http://127.0.0.1:8000/g/abc/ <now>",
        "Souk <souk@souk.example>",
        ["yasmin@souk.example"],
        connection=get_connection("games.kept_mail.folder.EmailBackend"),
    )
    if html:
        message.attach_alternative(html, "text/html")
    if picture:
        image = MIMEImage(picture, "png")
        image["Content-ID"] = "<board>"
        message.attach(image)
    message.attach("game.txt", "a record", "text/plain")
    message.send()
    return folder.mail_ids()[0]


def test_mail_is_listed_newest_first_and_read(kept, client):
    send("First")
    mail_id = send("Zweite 🎲")
    page = client.get("/mailbox/").content.decode()
    assert page.index("Zweite 🎲") < page.index("First")
    assert "For this machine only" in page
    page = client.get(f"/mailbox/{mail_id}/").content.decode()
    assert '<a href="http://127.0.0.1:8000/g/abc/"' in page
    assert "&lt;now&gt;" in page
    assert "yasmin@souk.example" in page
    assert "game.txt" in page
    assert "<iframe" not in page


def test_an_empty_mailbox_is_a_page(kept, client):
    assert "No mail yet." in client.get("/mailbox/").content.decode()


def test_a_page_opens_only_the_mails_it_shows(kept, client, monkeypatch):
    for n in range(30):
        send(f"Mail {n:02}")
    opened = []
    read = folder.read_headers

    def read_and_count(mail_id):
        opened.append(mail_id)
        return read(mail_id)

    monkeypatch.setattr(folder, "read_headers", read_and_count)
    first = client.get("/mailbox/").content.decode()
    assert len(opened) == 25
    second = client.get("/mailbox/?page=2").content.decode()
    assert "Mail 29" in first
    assert "Mail 00" in second
    assert "Mail 29" not in second


def test_the_html_part_is_shown_in_a_cage(kept, client):
    mail_id = send(html='<p>Hi</p><img src="cid:board"><script>alert(1)</script>', picture=DOT)
    page = client.get(f"/mailbox/{mail_id}/")
    assert "frame-src 'self'" in page.headers["Content-Security-Policy"]
    assert 'sandbox="allow-top-navigation-by-user-activation"' in page.content.decode()

    html = client.get(f"/mailbox/{mail_id}/html/")
    policy = html.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "sandbox allow-top-navigation-by-user-activation" in policy
    assert "script-src" not in policy
    assert "allow-scripts" not in policy
    assert html.headers["X-Frame-Options"] == "SAMEORIGIN"
    source = html.content.decode().split('<img src="')[1].split('"')[0]
    picture = client.get(source)
    assert (picture.content, picture.headers["Content-Type"]) == (DOT, "image/png")


def test_attachments_are_downloads(kept, client):
    mail_id = send()
    path = (
        client.get(f"/mailbox/{mail_id}/").content.decode().split('<li><a href="')[1].split('"')[0]
    )
    response = client.get(path)
    assert response.content == b"a record"
    assert response.headers["Content-Type"] == "application/octet-stream"
    assert response.headers["Content-Disposition"] == "attachment"
    assert "sandbox" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/mailbox/nothing/",
        "/mailbox/..%2f..%2fsecret-key/",
        "/mailbox/../secret-key/",
        "/mailbox/%2e%2e/html/",
        "/mailbox/ABC/",
        "/mailbox/0000-00/",
    ],
)
def test_there_is_no_way_out_of_the_folder(kept, client, path):
    (kept.parent / "secret-key").write_text("secret")
    (kept.parent / "secret-key.eml").write_text("secret")
    send()
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("mail_id", ["../secret", "..", "a/b", "", "x" * 200, "\0"])
def test_only_ids_are_ids(kept, mail_id):
    with pytest.raises(FileNotFoundError):
        folder.read_mail(mail_id)


def test_what_has_no_such_part_is_not_found(kept, client):
    mail_id = send()
    assert client.get(f"/mailbox/{mail_id}/html/").status_code == 404
    assert client.get(f"/mailbox/{mail_id}/0/").status_code == 404
    assert client.get(f"/mailbox/{mail_id}/99/").status_code == 404


@pytest.mark.parametrize("public", [True, False])
def test_never_in_public_and_not_when_mail_is_sent(kept, client, settings, public):
    mail_id = send(html="<p>Hi</p>")
    if public:
        settings.PUBLIC = True
    else:
        settings.MAIL_KEPT_IN = None
    for path in ("", f"{mail_id}/", f"{mail_id}/html/", f"{mail_id}/1/"):
        assert client.get(f"/mailbox/{path}").status_code == 404
    assert "/mailbox/" not in client.get("/accounts/login/").content.decode()


def test_the_footer_leads_there_while_mail_is_kept(kept, client):
    assert 'href="/mailbox/"' in client.get("/accounts/login/").content.decode()


def test_half_a_mail_is_no_mail(kept, client):
    send("Whole")
    (kept / ".20260101-000000-000000-00.partial").write_text("half")
    (kept / "notes.txt").write_text("not a mail")
    assert len(folder.mail_ids()) == 1
