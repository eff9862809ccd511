#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/strong_id.h"
#include "runtime/core/tap.h"
#include "runtime/core/value.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string_view>

// Interface for events of a running method, in terms of the ETDump format (docs/reference/formats.md).
namespace et::core {

/// An interned name; valid for the tracer that returned it.
using TraceName = StrongId<struct TraceNameTag, std::uint32_t>;

/// Identifies the source of an event. Unset: -1, or an empty string.
struct TraceIds {
    std::int64_t chain = -1;
    std::int32_t instruction = -1;
    std::int32_t delegateInt = -1;
    std::string_view delegateString = {};
};

enum class DebugLevel : std::uint8_t {
    None,
    Outputs,       ///< outputs of the method
    Intermediates  ///< additionally the results of every instruction
};

/// A clock in nanoseconds that replaces the system's in EventTracer::now(), for hosts with their own; null:
/// the system's.
inline std::atomic<std::uint64_t (*)()> hostClock = nullptr;

/// Receives the events of runs, on one thread at a time. Events arrive when they end: inner before outer. The
/// tracer stores write errors and returns them when finished, so that they do not fail the run.
class EventTracer {
  public:
    virtual ~EventTracer() = default;

    /// Time in nanoseconds of the clock used by all events; its origin is arbitrary.
    [[nodiscard]] static std::uint64_t now() {
        if (auto* const clock = hostClock.load(std::memory_order_relaxed); clock != nullptr) {
            return clock();
        }
        return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                              std::chrono::steady_clock::now().time_since_epoch())
                                              .count());
    }

    /// Interns a name; the text is copied. Names are interned when a method or delegate is loaded, not while
    /// it runs.
    [[nodiscard]] virtual TraceName name(std::string_view text) = 0;

    /// Starts a new block for later events ("Default": loading, "Execute": one execution).
    virtual void beginRun(std::string_view blockName) = 0;
    /// Marks the block as complete, so that a tracer may write it.
    virtual void endRun() = 0;

    /// `start` and `end` are values of now(); `metadata` is defined by the delegate.
    virtual void profile(TraceName event, const TraceIds& ids, std::uint64_t start, std::uint64_t end,
                         Bytes metadata = {}) = 0;

    /// Returns an id for allocation(), valid in the current block; 0: allocations are not traced.
    [[nodiscard]] virtual std::uint32_t allocator(std::string_view text) = 0;
    virtual void allocation(std::uint32_t allocatorId, std::uint64_t bytes) = 0;

    /// The values to trace. Constant while a method is loaded.
    [[nodiscard]] virtual DebugLevel debugLevel() const { return DebugLevel::None; }
    /// Whether to trace the values of this event; called only from Intermediates on.
    [[nodiscard]] virtual bool wantsDebug(TraceName, const TraceIds&) { return true; }
    /// Records a value's current contents; `methodOutput`: one of the method's outputs.
    virtual void debug(TraceName, const TraceIds&, Value&, bool /*methodOutput*/) {}

    /// Whether to trace values inside delegates, for which delegates run a second time.
    [[nodiscard]] virtual bool wantsTaps() const { return false; }
    /// Whether to trace this value. Called once, when the delegate first runs with taps.
    [[nodiscard]] virtual bool wantsTap(const TapSite&) { return false; }
    /// Announces the site of the next tap().
    virtual void tapSite(const TapSite& /*next*/) {}
    /// Records a value inside a delegate: the output of the operator identified by `ids` as in its profile
    /// event, or, if it is not an operator's output, the value with id `ids.delegateInt`.
    virtual void tap(const TraceIds& /*ids*/, Value&) {}
    /// Called after the taps of a call.
    virtual void tapped(const TapReport&) {}
};

}  // namespace et::core
