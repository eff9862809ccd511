"""Sessions: contents, SQL, saving, reopening, et-studio."""

import os
import pathlib
import signal
import threading
import time

import pandas as pd
import pytest
from samples import command_line, conv_net, sample

import et_inspect
from et_inspect import errors
from et_inspect.devtools import Inspector
from et_inspect.devtools.etrecord import ETRecord


@pytest.fixture
def session():
    with et_inspect.open(conv_net("pte"), conv_net("etrecord"), conv_net("etdp"), conv_net("debug")) as opened:
        yield opened


def test_what_is_in_it(session):
    assert isinstance(session.trace, Inspector)
    assert isinstance(session.record, ETRecord)
    assert session.record.methods == ["forward"]
    assert session.program.kind == "program"
    assert session.program.methods[0].name == "forward"
    assert session.bundle is None
    assert session.warnings == []
    assert session.files["debug_buffer"] == conv_net("debug")
    events = [event for block in session.trace.event_blocks for event in block.events]
    assert any(event.op_types == ["aten.convolution.default"] for event in events)


def test_what_is_not_in_it():
    with et_inspect.open(conv_net("bpte")) as opened:
        assert opened.trace is None
        assert opened.record is None
        assert opened.program is None
        assert opened.bundle.kind == "bundled_program"


def test_sql_gives_data_frames(session):
    frame = session.sql("SELECT name, p50, instruction FROM events WHERE instruction >= 0 ORDER BY p50 DESC LIMIT 3")
    assert frame.columns.tolist() == ["name", "p50", "instruction"]
    assert frame["p50"].is_monotonic_decreasing
    assert frame["instruction"].dtype == "int64"
    printed = command_line(
        "sql", conv_net("pte"), conv_net("etrecord"), conv_net("etdp"), "--format", "csv",
        "SELECT name, p50, instruction FROM events WHERE instruction >= 0 ORDER BY p50 DESC LIMIT 3",
    )  # fmt: skip
    assert [line.split(",")[0] for line in printed.splitlines()[1:]] == frame["name"].tolist()
    assert session.sql("SELECT 1 AS a WHERE 0").empty
    assert session.sql("SELECT 1 AS a WHERE 0").columns.tolist() == ["a"]
    assert session.sql("SELECT 1 AS a; SELECT 2 AS a, 3 AS a").iloc[0].tolist() == [2, 3]
    assert pd.isna(session.sql("SELECT NULL AS a")["a"][0])
    assert len(session.sql("SELECT * FROM events", limit=2)) == 2
    tables = session.tables().set_index("table")["rows"]
    assert tables["instructions"] == 10


@pytest.mark.parametrize("query", ["DROP TABLE events", "SELECT nothing FROM events", "", "ATTACH 'x.db' AS x"])
def test_sql_that_is_wrong_or_writes(session, query):
    with pytest.raises(errors.ArgumentError):
        session.sql(query)
    assert session.sql("SELECT count(*) AS n FROM events")["n"][0] > 0


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"


def test_ctrl_c_ends_a_query(session):
    threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        session.sql(ENDLESS)
    assert time.monotonic() - began < 5
    assert session.sql("SELECT 1 AS a")["a"].tolist() == [1]


def test_many_threads_ask_one_session(session):
    found = []

    def ask():
        found.append(session.sql("SELECT count(*) AS n FROM samples")["n"][0])

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


@pytest.mark.filterwarnings("ignore:the Edge graph is compared")
def test_saved_and_opened_again(session, tmp_path):
    saved = tmp_path / "session.db"
    gap = et_inspect.gap(conv_net("pte"), conv_net("etrecord"))
    session.save(saved, gap=gap, notes=["slow since Monday"])
    with et_inspect.open(saved) as again:
        assert again.sql("SELECT text FROM notes")["text"].tolist() == ["slow since Monday"]
        query = "SELECT name, p50, instruction FROM events ORDER BY 1, 2"
        pd.testing.assert_frame_equal(again.sql(query), session.sql(query))
        assert again.sql("SELECT count(*) AS n FROM gap")["n"][0] == len(gap.to_dataframe())
        unpacked = pathlib.Path(again.files["trace"])
        assert unpacked.read_bytes() == pathlib.Path(conv_net("etdp")).read_bytes()
        pd.testing.assert_frame_equal(
            again.trace.to_dataframe().drop(columns="debug_data"), session.trace.to_dataframe().drop(columns="debug_data")
        )
        assert again.findings().to_json() == session.findings().to_json()
        with pytest.raises(errors.ArgumentError, match="1 note"):
            session.save(saved)
        session.save(saved, force=True)
    assert not unpacked.exists()


def test_verdicts_are_saved(tmp_path):
    with et_inspect.open(conv_net("bpte")) as opened:
        opened.save(tmp_path / "session.db", verify=et_inspect.verify(conv_net("bpte")))
    with et_inspect.open(tmp_path / "session.db") as again:
        assert set(again.sql("SELECT verdict FROM verdicts")["verdict"]) == {"pass"}


def test_what_is_no_session(tmp_path):
    with pytest.raises(errors.FileError):
        et_inspect.open("nowhere.pte")
    with pytest.raises(errors.ArgumentError):
        et_inspect.open(conv_net("pte"), sample("add_mul") / "add_mul.pte")
    with pytest.raises(ValueError, match="expected a session"):
        et_inspect.open()
    with et_inspect.open(conv_net("pte")) as opened, pytest.raises(errors.ArgumentError):
        opened.save(conv_net("pte"))
    assert pathlib.Path(conv_net("pte")).stat().st_size > 1000


@pytest.mark.filterwarnings("ignore")
def test_files_that_contradict_are_told(tmp_path):
    command_line("sample", "add_mul", "-o", tmp_path)
    with et_inspect.open(conv_net("pte"), tmp_path / "add_mul.etrecord") as opened:
        assert opened.warnings


def test_studio_is_started_on_the_files(session, monkeypatch, tmp_path):
    for name in ("et-inspect", "et-studio"):
        program = tmp_path / name
        program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/arguments\n')
        program.chmod(0o755)
    monkeypatch.setenv("ET_INSPECT_LAUNCHER", str(tmp_path / "et-inspect"))
    assert session.studio().wait(10) == 0
    files = [conv_net("pte"), conv_net("etrecord"), conv_net("etdp"), conv_net("debug")]
    assert (tmp_path / "arguments").read_text().splitlines() == files


def test_weights_of_another_export_are_a_warning(shared):
    pairs = shared / "pairs" / "portable_same_sizes"
    with et_inspect.open(pairs / "a.pte", pairs / "a.ptd", pairs / "a.etrecord") as right:
        assert right.warnings == []
        assert right.program.external_data.verdict == "match"
    with pytest.warns(UserWarning, match="belongs to another export"):
        wrong = et_inspect.open(pairs / "a.pte", pairs / "b.ptd", pairs / "a.etrecord")
    assert wrong.program.external_data.verdict == "mismatch"


def test_profiles_of_vendors_tools(tmp_path):
    vela = tmp_path / "vela.csv"
    vela.write_text("NNG Operator,Op Cycles,Name\nConv2D,5000,conv\n")
    with et_inspect.open(vela, delegate_time_scale="500MHz") as opened:
        assert opened.warnings == []
        assert opened.sql("SELECT p50 FROM events WHERE name = 'conv'")["p50"].tolist() == [0.01]
        assert opened.trace.to_dataframe(include_units=False)["p50"][0] == pytest.approx(0.01)
    with pytest.warns(UserWarning, match="cycles of an unknown clock"):
        inspector = Inspector(etdump_path=vela)
    assert [event.name for event in inspector.event_blocks[0].events][0] == "conv"
    with pytest.warns(UserWarning, match="not added: no delegate call of EthosUBackend"):
        Inspector(etdump_path=conv_net("etdp"), etrecord=conv_net("etrecord"), profiles=[vela])
    with pytest.raises(errors.Error, match="expected"):
        Inspector(etdump_path=conv_net("etdp"), delegate_time_scale="parsecs")
