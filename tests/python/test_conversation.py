"""et_inspect.Conversation: streaming, turns, stop, reset."""

import threading

import pytest
from samples import sample

import et_inspect


@pytest.fixture
def files():
    return sample("llama") / "llama.pte", sample("llama") / "llama_tokenizer.bin"


def test_streams_what_generate_returns(files):
    chat = et_inspect.Conversation(*files, max_tokens=12, ignore_eos=True)
    pieces = []
    answer = chat.say("Once", on_text=pieces.append)
    assert "".join(pieces) == answer.text
    assert len(answer.ids) == 12
    assert answer.ids == et_inspect.generate(*files, "Once", max_tokens=12, ignore_eos=True).ids
    assert chat.decode(answer.ids) == answer.text
    assert chat.encode("Once") and chat.vocabulary_size > 0
    assert 0 < chat.position < chat.context_length
    assert answer.time_ms.total > 0


def test_continues_until_it_is_reset(files):
    chat = et_inspect.Conversation(*files, max_tokens=4, ignore_eos=True, temperature=1, seed=3)
    first = chat.say("Once")
    before = chat.position
    chat.say("Once")
    assert chat.position > before
    chat.reset()
    assert chat.position == 0
    assert chat.say("Once").ids == first.ids


def test_stops_from_a_listener_and_from_a_thread(files):
    chat = et_inspect.Conversation(*files, ignore_eos=True)
    assert len(chat.say("Once", on_text=lambda text: chat.stop()).ids) < 10
    started = threading.Event()
    stopper = threading.Thread(target=lambda: (started.wait(), chat.stop()))
    stopper.start()
    chat.say("Once", on_text=lambda text: started.set())
    stopper.join()


def test_raises_the_exception_of_a_listener(files):
    chat = et_inspect.Conversation(*files, max_tokens=4, ignore_eos=True)

    def fail(text):
        raise RuntimeError("full")

    with pytest.raises(RuntimeError, match="full"):
        chat.say("Once", on_text=fail)
    assert chat.say("Once").ids


def test_records_a_trace(files, tmp_path):
    chat = et_inspect.Conversation(*files, max_tokens=4, etdump=tmp_path / "chat.etdp")
    chat.say("Once")
    chat.finish_trace()
    from et_inspect.devtools import Inspector

    assert Inspector(etdump_path=str(tmp_path / "chat.etdp")).event_blocks


def test_rejects_wrong_arguments(files):
    with pytest.raises(et_inspect.errors.Error):
        et_inspect.Conversation("none.pte", files[1])
    with pytest.raises(et_inspect.errors.ArgumentError):
        et_inspect.Conversation(*files).say("")
    with pytest.raises(TypeError):
        et_inspect.Conversation(*files, unknown=1)
