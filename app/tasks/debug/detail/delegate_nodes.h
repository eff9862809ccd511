#pragma once

#include "app/tasks/debug/timeline.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/value.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace et::tasks {

/// Copies the values inside a delegate call.
class DelegateNodeTracer final : public core::EventTracer {
  public:
    [[nodiscard]] core::TraceName name(std::string_view) override { return core::TraceName(0); }
    void beginRun(std::string_view) override {}
    void endRun() override {}
    void profile(core::TraceName, const core::TraceIds&, std::uint64_t, std::uint64_t, core::Bytes) override {
    }
    [[nodiscard]] std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}
    [[nodiscard]] bool wantsTaps() const override { return true; }
    [[nodiscard]] bool wantsTap(const core::TapSite&) override { return true; }
    void tapSite(const core::TapSite& next) override { site = next; }
    void tap(const core::TraceIds& ids, core::Value& value) override;
    void tapped(const core::TapReport& report) override { view.report = report; }

    DelegateView view;

  private:
    core::TapSite site;
};

}  // namespace et::tasks
