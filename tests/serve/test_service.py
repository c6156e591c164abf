"""Ids and labels that come later, tokens, measurements, the description for programs, many clients at once."""

import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate
from prometheus_client.parser import text_string_to_metric_families

from tests.serve.replay import file_of, replayed
from tests.serve.server import Server, running
from tests.serve.test_serve import examples

MODEL = {"kind": "Perceptron", "parameters": {"readout": "average"}}


def test_a_retry_gets_the_first_answer(tmp_path: Path) -> None:
    rows = examples(30)
    with running(tmp_path / "models") as server:
        server.ask("PUT", "/v1/models/m", MODEL)
        first = server.learn("m", rows)
        again = server.learn("m", [{**rows[7], "y": "class True"}, *rows[3:5]])
        assert again == [{**first[k], "repeated": True} for k in (7, 3, 4)]
        twice = server.learn("m", [{**rows[0], "id": "new"}, {**rows[1], "id": "new"}])
        assert twice[1] == {**twice[0], "repeated": True}
        file = server.file("m")
        server.kill()
    with running(tmp_path / "models") as server:
        assert server.learn("m", rows) == [{**one, "repeated": True} for one in first]
        assert server.file("m") == file


def test_labels_that_come_later(tmp_path: Path) -> None:
    rows = examples(40)
    with running(tmp_path / "models", "--kept", "5") as server:
        server.ask("PUT", "/v1/models/m", MODEL)
        server.learn("m", rows[:30])
        asked = {"rows": [row["x"] for row in rows[30:34]], "ids": [row["id"] for row in rows[30:34]]}
        found = server.ask("POST", "/v1/models/m/predict", asked).body["predictions"]
        assert [one["id"] for one in found] == asked["ids"]
        server.learn("m", [{**rows[39], "id": "between"}])
        assert server.ask("POST", "/v1/models/m/predict", asked).body["predictions"] == found, "the first answer"
        server.kill()
    with running(tmp_path / "models", "--kept", "5") as server:
        labels = [{"id": row["id"], "y": row["y"]} for row in rows[30:33]]
        learned = server.ask("POST", "/v1/models/m/feedback", {"feedback": labels}).body["examples"]
        assert [(one["seq"], one["id"]) for one in learned] == [(32, "0-30"), (33, "0-31"), (34, "0-32")]
        again = server.ask("POST", "/v1/models/m/feedback", {"feedback": labels}).body["examples"]
        assert again == [{**one, "repeated": True} for one in learned]
        log = server.log("m")
        assert [entry["x"] for entry in log[31:]] == asked["rows"][:3]
        assert server.file("m") == file_of(replayed(log, readout="average"))
        more = {"rows": [row["x"] for row in rows[34:39]], "ids": [row["id"] for row in rows[34:39]]}
        assert server.ask("POST", "/v1/models/m/predict", more).status == 200
        gone = server.ask("POST", "/v1/models/m/feedback", {"feedback": [{"id": "0-33", "y": "class True"}]})
        assert gone.status == 404, "only the newest five are kept"


def test_tokens_and_their_scopes(tmp_path: Path) -> None:
    tokens = {scope: f"{scope}-token-0123456789" for scope in ("predict", "learn", "admin")}
    file = tmp_path / "tokens"
    file.write_text("".join(f"{scope} {token} # of a test\n" for scope, token in tokens.items()))
    with running(tmp_path / "models", "--token-file", str(file)) as server:

        def status(method: str, path: str, body: Any, scope: str | None) -> int:
            sent = {} if scope is None else {"authorization": f"Bearer {tokens[scope]}"}
            return server.ask(method, path, body, **sent).status

        learn = {"examples": [{"x": [1.0], "y": "a"}]}
        calls: list[tuple[str, str, Any, dict[str | None, int]]] = [
            ("PUT", "/v1/models/m", MODEL, {None: 401, "predict": 403, "learn": 403, "admin": 201}),
            ("POST", "/v1/models/m/learn", learn, {None: 401, "predict": 403, "learn": 200, "admin": 200}),
            (
                "POST",
                "/v1/models/m/predict",
                {"rows": [[1.0]]},
                {None: 401, "predict": 200, "learn": 403, "admin": 200},
            ),
            ("GET", "/v1/models/m/log", None, {None: 401, "predict": 403, "learn": 200, "admin": 200}),
            ("POST", "/v1/models/m/rollback", {"seq": 1}, {None: 401, "predict": 403, "learn": 403, "admin": 200}),
            ("GET", "/metrics", None, {None: 401, "predict": 200, "admin": 200}),
            ("GET", "/healthz", None, {None: 200}),
            ("GET", "/openapi.json", None, {None: 200}),
        ]
        for method, path, body, expected in calls:
            assert {scope: status(method, path, body, scope) for scope in expected} == expected, path
        for wrong in ("Bearer ", "Bearer predict-token-0123456788", f"Basic {tokens['admin']}", "Bearer \xff"):
            reply = server.ask("GET", "/v1/models", authorization=wrong)
            assert (reply.status, reply.headers["www-authenticate"]) == (401, "Bearer")


def test_a_number_sign_inside_a_token_is_part_of_it(tmp_path: Path) -> None:
    token = "0123456789abcdef#and-more"
    (tmp_path / "tokens").write_text(f"# all of them\nadmin {token}\t# of a test\n")
    with running(tmp_path / "models", "--token-file", str(tmp_path / "tokens")) as server:
        assert server.ask("GET", "/v1/models", authorization=f"Bearer {token}").status == 200
        assert server.ask("GET", "/v1/models", authorization=f"Bearer {token.partition('#')[0]}").status == 401


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ":1:1: expected a token, found none"),
        ("predict short", ":1:1: expected a token of at least 16 characters"),
        ("# all\nwrite 0123456789abcdef", ":2:1: expected predict, learn, admin, found 'write'"),
        ("predict", ":1:1: expected scopes and a token, found 1 words"),
        ("predict #0123456789abcdef", ":1:1: expected scopes and a token, found 1 words"),
        ("predict 0123456789abcdef\nlearn 0123456789abcdef", ":2:1: expected each token once, found one twice"),
    ],
)
def test_a_wrong_token_file(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "tokens").write_text(text)
    with pytest.raises(RuntimeError, match=re.escape(f"tokens{said}")):
        Server(tmp_path / "models", "--token-file", str(tmp_path / "tokens"))


def test_elsewhere_only_with_tokens(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"(?s)no server: 2: .*--host 0\.0\.0\.0: expected --token-file"):
        Server(tmp_path / "models", "--host", "0.0.0.0")


def test_measurements(tmp_path: Path) -> None:
    with running(tmp_path / "models", "--snapshot-every", "20") as server:
        server.ask("PUT", "/v1/models/m", MODEL)
        learned = server.learn("m", examples(30))
        server.ask("GET", "/nowhere")
        reply = server.ask("GET", "/metrics")
        assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
        text = reply.body.decode()
    lines = text.splitlines()
    found = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert found['rosenblatt_requests_total{path="/v1/models/{name}/learn",status="200"}'] == "1"
    assert found['rosenblatt_requests_total{path="other",status="404"}'] == "1"
    assert found['rosenblatt_request_seconds_count{path="/v1/models/{name}/learn"}'] == "1"
    assert found['rosenblatt_request_seconds_bucket{path="/v1/models/{name}/learn",le="+Inf"}'] == "1"
    assert found['rosenblatt_examples{model="m"}'] == "30"
    assert found['rosenblatt_mistakes{model="m"}'] == str(sum(one["mistake"] for one in learned))
    assert found['rosenblatt_seq{model="m"}'] == "30"
    assert found['rosenblatt_stopped{model="m"}'] == "0"
    assert float(found['rosenblatt_commit_seconds_total{model="m"}']) > 0
    for line in lines:  # the format: a comment, or a name with labels and a number
        assert re.fullmatch(r'# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)*\})? -?[0-9.e+-]+', line), line
    families = {family.name: family for family in text_string_to_metric_families(text)}
    assert {family.type for family in families.values()} == {"counter", "gauge", "histogram"}
    for name, family in families.items():
        assert name.startswith("rosenblatt_")
        assert family.documentation
        assert family.type == "counter" or not name.endswith("_total")
        assert family.type != "counter" or all(sample.name == f"{name}_total" for sample in family.samples)
        assert len({(sample.name, *sorted(sample.labels.items())) for sample in family.samples}) == len(family.samples)
    if promtool := shutil.which("promtool"):
        done = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_description_is_openapi_and_has_all_paths(tmp_path: Path) -> None:
    with running(tmp_path / "models") as server:
        found = server.ask("GET", "/openapi.json").body
    validate(found)
    assert "/v1/models/{name}/learn" in found["paths"]
    assert set(found["paths"]["/v1/models/{name}"]) == {"get", "put"}


def test_many_clients_and_models_at_once(tmp_path: Path) -> None:
    rows = examples(400)
    with running(tmp_path / "models", "--snapshot-every", "50") as server:
        for name in ("a", "b"):
            server.ask("PUT", f"/v1/models/{name}", MODEL)

        def work(part: int) -> list[int]:
            seqs = []
            for k in range(part, 400, 8):
                seqs += [one["seq"] for one in server.learn("ab"[part % 2], [rows[k]])]
                server.ask("POST", f"/v1/models/{'ab'[part % 2]}/predict", {"rows": [rows[k]["x"]]})
            return seqs

        with ThreadPoolExecutor(8) as pool:
            seqs = list(pool.map(work, range(8)))
        for name in ("a", "b"):
            log = server.log(name)
            assert sorted(seq for part in seqs["ab".index(name) :: 2] for seq in part) == [*range(1, 201)]
            assert [entry["seq"] for entry in log] == [*range(1, 201)]
            assert server.file(name) == file_of(replayed(log, readout="average"))
            newest = server.ask("GET", f"/v1/models/{name}/log?last=7").body["examples"]
            assert newest == log[-7:]
            page = server.ask("GET", f"/v1/models/{name}/log?after=20&limit=5").body
            assert (page["examples"], page["last"]) == (log[20:25], 200)


def test_a_page_of_the_log_is_bounded_in_bytes(tmp_path: Path) -> None:
    with running(tmp_path / "models") as server:
        server.ask("PUT", "/v1/models/t", {"kind": "SequenceTagger", "parameters": {"templates": ["U:%x[0,0]"]}})
        for k in range(5):
            server.learn("t", [{"id": f"{k}", "x": [f"{k}" * 3_000_000], "y": ["A"]}])
        pages = list[list[int]]()
        while page := server.ask("GET", f"/v1/models/t/log?after={pages[-1][-1] if pages else 0}").body["examples"]:
            pages.append([entry["seq"] for entry in page])
        assert pages == [[1, 2, 3], [4, 5]]
        newest = server.ask("GET", "/v1/models/t/log?last=4").body["examples"]
        assert [entry["seq"] for entry in newest] == [4, 5]


def test_the_memory_of_a_server_at_rest(tmp_path: Path) -> None:
    with running(tmp_path / "models") as server:
        server.ask("PUT", "/v1/models/m", MODEL)
        server.learn("m", examples(100))
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found is not None
        assert int(found[1]) < 80 * 1024
        maps = Path(f"/proc/{server.process.pid}/maps").read_text()
        assert not re.search(r"/(scipy|sklearn|pandas|pyarrow)/", maps)
