#pragma once

#include "backends/reference/reference_value.h"
#include "inspector/join/event_blocks.h"
#include "inspector/numeric_gap/value_store.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"
#include "runtime/core/strong_id.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Values computed by a program: those written by its instructions, and those inside its delegates.
namespace et::inspector {

/// A kernel or delegate call with its logged values: the out arguments of a kernel, all arguments of a
/// delegate.
struct RuntimeCall {
    std::string name;  ///< event name: "native_call_add.out", "DELEGATE_CALL"
    std::int64_t chain = -1;
    std::int32_t instruction = -1;
    std::vector<backends::reference::ReferenceValue> values;

    [[nodiscard]] bool isDelegate() const;
};

/// A value inside a delegate.
struct TappedValue {
    std::int64_t chain = -1;
    std::int32_t instruction = -1;
    std::string kind;  ///< kind of the node that computes it: "Conv2d"; in a trace: the operator's event
    std::optional<std::uint32_t> value;  ///< id inside the delegate; nothing: not recorded in a trace
    std::optional<core::DebugHandle> handle;
    backends::reference::ReferenceTensor tensor;  ///< in the delegate's form
};

/// The values of one run, in order of arrival; only the last ones for repeated calls.
struct RuntimeValues {
    std::vector<RuntimeCall> calls;
    std::vector<TappedValue> taps;
    std::vector<core::TapReport> tapReports;
    std::uint64_t leftOut = 0;  ///< number of values that exceeded the memory limit, or that no tensor can
                                ///< represent
};

/// Keeps the values of a run in memory. Traces one execution of one method at a time.
class ValueTracer final : public core::EventTracer {
  public:
    /// `maxBytes`: limit for all values together. `store`: for large ones; null: all stay in memory.
    explicit ValueTracer(std::uint64_t maxBytes, ValueStore* valueStore = nullptr)
        : budget(maxBytes), left(maxBytes), store(valueStore) {}

    [[nodiscard]] core::TraceName name(std::string_view text) override;
    /// Discards the values of the previous run.
    void beginRun(std::string_view blockName) override;
    void endRun() override {}
    void profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start, std::uint64_t end,
                 core::Bytes metadata) override;
    [[nodiscard]] std::uint32_t allocator(std::string_view) override { return 1; }
    void allocation(std::uint32_t, std::uint64_t) override {}
    [[nodiscard]] core::DebugLevel debugLevel() const override { return core::DebugLevel::Intermediates; }
    void debug(core::TraceName event, const core::TraceIds& ids, core::Value& value,
               bool methodOutput) override;
    [[nodiscard]] bool wantsTaps() const override { return true; }
    [[nodiscard]] bool wantsTap(const core::TapSite&) override { return true; }
    void tapSite(const core::TapSite& next) override;
    void tap(const core::TraceIds& ids, core::Value& value) override;
    void tapped(const core::TapReport& report) override { values.tapReports.push_back(report); }

    /// Replaces the limit; call before a run.
    void setLimit(std::uint64_t maxBytes) { budget = left = maxBytes; }
    /// Bytes of the values of the last run.
    [[nodiscard]] std::uint64_t bytesKept() const { return budget - left; }
    /// Moves the values of the last run out of the tracer.
    [[nodiscard]] RuntimeValues take();

  private:
    [[nodiscard]] RuntimeCall& callOf(core::TraceName event, const core::TraceIds& ids);
    [[nodiscard]] std::optional<backends::reference::ReferenceValue> keep(core::Value& value);
    [[nodiscard]] std::optional<backends::reference::ReferenceTensor> keep(const core::Tensor& tensor);

    std::uint64_t budget;
    std::uint64_t left;
    ValueStore* store;
    std::vector<std::string> names;
    std::optional<core::TraceName> running;  ///< the event to which incoming values belong
    core::TraceIds runningIds;
    core::TapSite site;
    RuntimeValues values;
};

/// Reads the values from a trace and its debug buffer. Errors: InvalidArgument (no debug buffer), Format (a
/// tensor is outside the buffer; the message names the location), Limit (more than `maxBytes`).
[[nodiscard]] core::Result<RuntimeValues> valuesOf(const EventBlocks& blocks, std::uint64_t maxBytes);

}  // namespace et::inspector
