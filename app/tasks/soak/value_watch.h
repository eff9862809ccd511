#pragma once

#include "app/tasks/soak/number_kinds.h"
#include "app/tasks/surgery/memory_poison.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/value.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// A value that an instruction wrote, or an output of the method.
struct ValueSite {
    std::int64_t chain = -1;
    std::int32_t instruction = -1;          ///< -1: an output of the method
    std::string name;                       ///< of the operator or backend; of an output: "output"
    std::size_t position = 0;               ///< among the values that are logged of this call
    std::optional<std::uint32_t> inner{};   ///< inside of the delegate that is called: the id of the value
    std::optional<std::uint32_t> handle{};  ///< then the debug handle of the operator that makes it

    auto operator<=>(const ValueSite&) const = default;
};

/// How a value differs from the one of the first execution.
struct ValueDifference {
    ValueSite site;
    std::uint64_t elements = 0;
    std::uint64_t differing = 0;        ///< 0: other sizes or another dtype, or only known by their sum
    std::vector<std::int64_t> first{};  ///< index of the first element that differs
    std::string pattern{};              ///< "dimension 1 at 3 only"; empty: none is seen
};

/// Where numbers of a kind appear first in an execution: no value before has any.
struct KindOrigin {
    NumberKind kind = NumberKind::Nan;
    ValueSite site;
    KindCounts counts;
};

/// What was seen in one execution on some inputs, to compare others with.
struct ExecutionRecord {
    struct Seen {
        ValueSite site;
        std::size_t hash = 0;
        std::vector<std::int64_t> sizes;  ///< of a tensor
        std::vector<std::int64_t> strides;
        std::size_t elementBytes = 0;
        std::vector<std::byte> bytes;  ///< empty: there was no room for them
    };
    std::vector<Seen> values;  ///< in the order of execution
    std::array<std::optional<KindOrigin>, numberKinds> origins{};
};

/// Sees all values of executions: records those of the first, compares those of others. For one thread.
class ValueWatch final : public core::EventTracer {
  public:
    /// `poison` may be null; it hears all events, too. `keptBytes`: for values, beyond which only sums are
    /// kept. `lookInside`: see the values inside of delegates as well, each before its call's own.
    ValueWatch(MemoryPoison* poison, std::uint64_t keptBytes, bool lookInside = false)
        : inner(poison), room(keptBytes), inside(lookInside) {}

    /// What the next execution is for. `record` outlives it.
    void recordInto(ExecutionRecord& record);
    void compareWith(const ExecutionRecord& record);
    /// The first value, in the order of execution, that differs in the execution that was compared.
    [[nodiscard]] const std::optional<ValueDifference>& difference() const { return found; }

    [[nodiscard]] core::TraceName name(std::string_view text) override;
    void beginRun(std::string_view) override {}
    void endRun() override {}
    void profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start, std::uint64_t end,
                 core::Bytes metadata) override;
    [[nodiscard]] std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}
    [[nodiscard]] core::DebugLevel debugLevel() const override { return core::DebugLevel::Intermediates; }
    void debug(core::TraceName event, const core::TraceIds& ids, core::Value& value,
               bool methodOutput) override;
    [[nodiscard]] bool wantsTaps() const override { return inside; }
    [[nodiscard]] bool wantsTap(const core::TapSite&) override { return inside; }
    void tapSite(const core::TapSite& next) override;
    void tap(const core::TraceIds& ids, core::Value& value) override;

  private:
    [[nodiscard]] ValueSite siteOf(core::TraceName event, const core::TraceIds& ids, bool methodOutput);
    void take(const ValueSite& site, const core::Tensor& tensor);
    void noteKinds(const ValueSite& site, const core::Tensor& tensor);
    void compare(const ValueSite& site, const core::Tensor& tensor);

    MemoryPoison* inner;
    std::uint64_t room;
    bool inside;
    ValueSite tapped;  ///< what the next tap() is of, but for its instruction
    std::vector<std::string> names;
    ExecutionRecord* recording = nullptr;
    const ExecutionRecord* wanted = nullptr;
    std::size_t next = 0;  ///< value of `wanted`
    ValueSite last;
    std::optional<ValueDifference> found;
};

}  // namespace et::app
