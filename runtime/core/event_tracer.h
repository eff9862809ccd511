#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/strong_id.h"
#include "runtime/core/tap.h"
#include "runtime/core/value.h"

#include <chrono>
#include <cstdint>
#include <string_view>

// What a running method tells about itself. The vocabulary is that of the ETDump format (docs/formats.md).
namespace et::core {

/// A name that a tracer knows; valid for the tracer that made it.
using TraceName = StrongId<struct TraceNameTag, std::uint32_t>;

/// What an event belongs to. Unset: -1, or an empty string.
struct TraceIds {
    std::int64_t chain = -1;
    std::int32_t instruction = -1;
    std::int32_t delegateInt = -1;
    std::string_view delegateString = {};
};

enum class DebugLevel : std::uint8_t {
    None,
    Outputs,       ///< the outputs of the method
    Intermediates  ///< what every instruction writes, too
};

/// Takes the events of runs. One thread at a time. Events come as they end: inner before outer.
/// Errors of writing are kept by the tracer and given when it is finished: a run does not fail because its
/// trace does.
class EventTracer {
  public:
    virtual ~EventTracer() = default;

    /// Nanoseconds of the clock that all events use; its zero means nothing.
    [[nodiscard]] static std::uint64_t now() {
        return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                              std::chrono::steady_clock::now().time_since_epoch())
                                              .count());
    }

    /// The text is copied. Names are interned where a method or delegate is loaded, not while it runs.
    [[nodiscard]] virtual TraceName name(std::string_view text) = 0;

    /// Later events belong to a new block of that name ("Default": loading, "Execute": one execution).
    virtual void beginRun(std::string_view blockName) = 0;
    /// Says that the block is complete, so that a tracer may write it.
    virtual void endRun() = 0;

    /// `start` and `end` are of now(); `metadata` is a delegate's own.
    virtual void profile(TraceName event, const TraceIds& ids, std::uint64_t start, std::uint64_t end,
                         Bytes metadata = {}) = 0;

    /// Returns an id for allocation(), valid in the block begun last; 0: it wants none.
    [[nodiscard]] virtual std::uint32_t allocator(std::string_view text) = 0;
    virtual void allocation(std::uint32_t allocatorId, std::uint64_t bytes) = 0;

    /// How much of the values it wants. Fixed while a method is loaded.
    [[nodiscard]] virtual DebugLevel debugLevel() const { return DebugLevel::None; }
    /// Whether it wants the values of this event; asked only from Intermediates on.
    [[nodiscard]] virtual bool wantsDebug(TraceName, const TraceIds&) { return true; }
    /// A value as it is now; `methodOutput`: one of the method's outputs.
    virtual void debug(TraceName, const TraceIds&, Value&, bool /*methodOutput*/) {}

    /// Whether it wants values inside of delegates. Where it does, delegates run a second time to get them.
    [[nodiscard]] virtual bool wantsTaps() const { return false; }
    /// Whether it wants this one. Asked once, where the delegate first runs with taps.
    [[nodiscard]] virtual bool wantsTap(const TapSite&) { return false; }
    /// What the next tap() is of.
    virtual void tapSite(const TapSite& /*next*/) {}
    /// A value inside a delegate: of the operator that `ids` name as its profile event does, or, where no
    /// operator has it as its output, of the value with the id `ids.delegateInt`.
    virtual void tap(const TraceIds& /*ids*/, Value&) {}
    /// Follows the taps of a call.
    virtual void tapped(const TapReport&) {}
};

}  // namespace et::core
