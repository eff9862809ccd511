#pragma once

#include "app/wire/codec.h"
#include "app/wire/messages.h"
#include "app/wire/values.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/fused_events.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace et::wire {

/// Asks the host's tracer whether it wants a value.
using Ask = std::function<bool(const Query& query)>;

/// Records the events of a method for replay on the host. One per module. Whether the host's tracer wants a
/// value is asked once per value and cached: the first run waits for the answers, later ones do not.
class TapeRecorder final : public core::EventTracer, public core::TakesFusedEvents {
  public:
    TapeRecorder(const Listening& wanted, Ask ask) : listening(wanted), asks(std::move(ask)) {}

    [[nodiscard]] core::TraceName name(std::string_view text) override;
    void beginRun(std::string_view blockName) override;
    void endRun() override;
    void profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start, std::uint64_t end,
                 core::Bytes metadata) override;
    [[nodiscard]] std::uint32_t allocator(std::string_view text) override;
    void allocation(std::uint32_t allocatorId, std::uint64_t bytes) override;
    [[nodiscard]] core::DebugLevel debugLevel() const override { return listening.debugLevel; }
    [[nodiscard]] bool wantsDebug(core::TraceName event, const core::TraceIds& ids) override;
    void debug(core::TraceName event, const core::TraceIds& ids, core::Value& value,
               bool methodOutput) override;
    [[nodiscard]] bool wantsTaps() const override { return listening.taps; }
    [[nodiscard]] bool wantsTap(const core::TapSite& site) override;
    void tapSite(const core::TapSite& next) override;
    void tap(const core::TraceIds& ids, core::Value& value) override;
    void tapped(const core::TapReport& report) override;

    /// Changes the wanted events from now on; the tracer must be set on the method again.
    void listenTo(const Listening& wanted) { listening = wanted; }

    /// Events recorded since the last call.
    [[nodiscard]] std::vector<std::byte> take() { return tape.take(); }
    /// Names created since the last call.
    [[nodiscard]] NewNames takeNames();

  private:
    using Key = std::tuple<bool, std::string, std::int64_t, std::int32_t, std::int32_t, std::string,
                           std::uint32_t, std::int64_t>;
    [[nodiscard]] bool asked(const Query& query);
    void addIds(const core::TraceIds& ids);

    Listening listening;
    Ask asks;
    Encoder tape;
    std::vector<std::string> names;
    std::size_t namesTaken = 0;
    std::map<std::string, std::uint32_t, std::less<>> numbers;
    std::map<std::string, std::uint32_t, std::less<>> allocators;
    std::map<Key, bool> answers;
};

/// Replays tapes of one module to a tracer.
class TapePlayer {
  public:
    void addNames(const NewNames& more) { names.insert(names.end(), more.begin(), more.end()); }
    [[nodiscard]] std::size_t nameCount() const { return names.size(); }

    /// Errors: Format; the rest of the tape is not played then.
    [[nodiscard]] core::Result<> play(core::Bytes tape, core::EventTracer& tracer);
    /// Answers a query with `tracer`.
    [[nodiscard]] static bool answer(const Query& query, core::EventTracer& tracer);

  private:
    struct Playing;
    std::vector<std::string> names;
};

}  // namespace et::wire
