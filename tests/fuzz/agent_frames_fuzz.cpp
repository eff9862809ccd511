// Fuzzes the messages between et-inspect and the agent on a device: neither side trusts the other.
#include "app/agent/session.h"
#include "app/wire/frame.h"
#include "app/wire/messages.h"
#include "app/wire/tape.h"
#include "tests/fuzz/support/byte_source.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace {

namespace wire = et::wire;
using et::core::Bytes;
using et::core::Result;

/// Accepts all events at every debug level.
class Listener final : public et::core::EventTracer {
  public:
    et::core::TraceName name(std::string_view text) override {
        length += text.size();
        return et::core::TraceName(0);
    }
    void beginRun(std::string_view block) override { length += block.size(); }
    void endRun() override {}
    void profile(et::core::TraceName, const et::core::TraceIds& ids, std::uint64_t, std::uint64_t,
                 Bytes metadata) override {
        length += metadata.size() + ids.delegateString.size();
    }
    std::uint32_t allocator(std::string_view text) override {
        return static_cast<std::uint32_t>(text.size());
    }
    void allocation(std::uint32_t, std::uint64_t) override {}
    void debug(et::core::TraceName, const et::core::TraceIds&, et::core::Value& value, bool) override {
        see(value);
    }
    void tap(const et::core::TraceIds&, et::core::Value& value) override { see(value); }
    void tapped(const et::core::TapReport& report) override { length += report.failure.size(); }

  private:
    void see(const et::core::Value& value) {
        if (const auto* tensor = value.as<et::core::Tensor>()) {
            for (const std::byte each : tensor->rawBytes()) {
                length += static_cast<std::size_t>(each);
            }
        }
    }
    std::size_t length = 0;
};

/// Reads from `bytes` until the end.
wire::ReadAll readingOf(Bytes& bytes) {
    return [&bytes](std::span<std::byte> into) -> Result<> {
        if (into.size() > bytes.size()) {
            return et::core::fail(et::core::ErrorCode::Io, "the end");
        }
        std::ranges::copy(bytes.first(into.size()), into.begin());
        bytes = bytes.subspan(into.size());
        return {};
    };
}

void decodeAll(Bytes body) {
    std::ignore = wire::decode<wire::PutRequest>(body);
    std::ignore = wire::decode<wire::OpenRequest>(body);
    std::ignore = wire::decode<wire::LoadRequest>(body);
    std::ignore = wire::decode<wire::ExecuteRequest>(body);
    std::ignore = wire::decode<wire::FetchRequest>(body);
    std::ignore = wire::decode<wire::Query>(body);
    std::ignore = wire::decode<wire::DeviceDescription>(body);
    std::ignore = wire::decodeError(body).toString();
    std::ignore = wire::decode<wire::LoadReply>(body);
    if (const auto ran = wire::decode<wire::ExecuteReply>(body)) {
        Listener listener;
        wire::TapePlayer player;
        player.addNames(ran->names);
        for (const Bytes tape : ran->tapes) {
            std::ignore = player.play(tape, listener);
        }
        wire::ValueStore store;
        wire::Decoder outputs(ran->outputs);
        std::ignore = store.decode(outputs);
    }
    Listener listener;
    wire::TapePlayer player;
    player.addNames({"a", "b"});
    std::ignore = player.play(body, listener);
}

/// A folder for all inputs: a session removes the files that it creates there.
const std::filesystem::path& folder() {
    static const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("et-agent-fuzz-" + std::to_string(::getpid()));
    static const struct Removal {
        ~Removal() {
            std::error_code unknown;
            std::filesystem::remove_all(path, unknown);
        }
    } removal;
    return path;
}

/// Sends frames to an agent; every reply must be readable.
void serve(Bytes frames) {
    const auto heard = [](wire::FrameKind kind, Bytes body) -> Result<> {
        et::fuzz::require(static_cast<std::uint8_t>(kind) < wire::frameKinds);
        if (kind == wire::FrameKind::Failed) {
            et::fuzz::require(!wire::decodeError(body).message.empty());
        }
        return {};
    };
    const auto session = et::agent::Session::open({.folder = folder(), .name = "fuzz"},
                                                  {.read = readingOf(frames), .write = heard});
    if (!session) {
        return;
    }
    while ((*session)->step().value_or(false)) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const Bytes bytes = std::as_bytes(std::span(data, size)).subspan(1);
    if (data[0] % 2 == 0) {
        decodeAll(bytes);
    } else {
        serve(bytes);
    }
    return 0;
}
