#pragma once

#include "app/tasks/counters/counting_tracer.h"
#include "etdump/recorder.h"
#include "runtime/core/event_tracer.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Records a run and counts events per instruction at the same time. Counters are read between events, so the
/// times of events do not include it; those of whole executions do.
class CountedRecorder final : public core::EventTracer {
  public:
    /// Both must outlive this object.
    CountedRecorder(etdump::Recorder& to, const CounterSet& counters) : recorder(&to), counting(counters) {}

    [[nodiscard]] const CountingTracer& counted() const { return counting; }

    [[nodiscard]] core::TraceName name(std::string_view text) override;
    void beginRun(std::string_view blockName) override;
    void endRun() override;
    void profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start, std::uint64_t end,
                 core::Bytes metadata) override;
    [[nodiscard]] std::uint32_t allocator(std::string_view text) override {
        return recorder->allocator(text);
    }
    void allocation(std::uint32_t allocatorId, std::uint64_t bytes) override {
        recorder->allocation(allocatorId, bytes);
    }
    [[nodiscard]] core::DebugLevel debugLevel() const override { return recorder->debugLevel(); }
    [[nodiscard]] bool wantsDebug(core::TraceName event, const core::TraceIds& ids) override {
        return recorder->wantsDebug(event, ids);
    }
    void debug(core::TraceName event, const core::TraceIds& ids, core::Value& value,
               bool methodOutput) override {
        recorder->debug(event, ids, value, methodOutput);
    }
    [[nodiscard]] bool wantsTaps() const override { return recorder->wantsTaps(); }
    [[nodiscard]] bool wantsTap(const core::TapSite& site) override { return recorder->wantsTap(site); }
    void tapSite(const core::TapSite& next) override { recorder->tapSite(next); }
    void tap(const core::TraceIds& ids, core::Value& value) override { recorder->tap(ids, value); }
    void tapped(const core::TapReport& report) override { recorder->tapped(report); }

  private:
    etdump::Recorder* recorder;
    CountingTracer counting;
    std::vector<core::TraceName> countedAs;  ///< by the recorder's names
    bool executes = false;
};

}  // namespace et::tasks
