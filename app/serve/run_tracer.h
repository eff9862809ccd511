#pragma once

#include "etdump/debug_filter.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/fused_events.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::serve {

/// Forwards the events of a run, and the requested values, to another tracer. Delegates cache what they
/// prepared for a tracer by its address, so one that taps values must outlive the program.
class RunTracer final : public core::EventTracer, public core::TakesFusedEvents {
  public:
    struct Choice {
        etdump::DebugFilter calls;                         ///< calls whose values are requested; empty: all
        bool noCalls = false;                              ///< none
        std::function<bool(const core::TapSite&)> taps{};  ///< empty: none
    };

    RunTracer(core::EventTracer& listener, Choice wanted) : target(&listener), choice(std::move(wanted)) {}

    /// Stops forwarding, and frees its buffers.
    void mute();

    [[nodiscard]] core::TraceName name(std::string_view text) override;
    void beginRun(std::string_view blockName) override;
    void endRun() override;
    void profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start, std::uint64_t end,
                 core::Bytes metadata) override;
    [[nodiscard]] std::uint32_t allocator(std::string_view text) override;
    void allocation(std::uint32_t allocatorId, std::uint64_t bytes) override;
    [[nodiscard]] core::DebugLevel debugLevel() const override;
    [[nodiscard]] bool wantsDebug(core::TraceName event, const core::TraceIds& ids) override;
    void debug(core::TraceName event, const core::TraceIds& ids, core::Value& value,
               bool methodOutput) override;
    [[nodiscard]] bool wantsTaps() const override { return target != nullptr && choice.taps; }
    [[nodiscard]] bool wantsTap(const core::TapSite& site) override {
        return wantsTaps() && choice.taps(site);
    }
    void tapSite(const core::TapSite& next) override;
    void tap(const core::TraceIds& ids, core::Value& value) override;
    void tapped(const core::TapReport& report) override;

  private:
    core::EventTracer* target;  ///< null: stopped
    Choice choice;
    std::vector<std::string> names;  ///< by number
};

}  // namespace et::serve
