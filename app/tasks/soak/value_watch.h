#pragma once

#include "app/tasks/rewrite/memory_poison.h"
#include "app/tasks/soak/number_kinds.h"
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

namespace et::tasks {

/// A value written by an instruction, or an output of the method.
struct ValueSite {
    std::int64_t chain = -1;
    std::int32_t instruction = -1;          ///< -1: an output of the method
    std::string name;                       ///< name of the operator or backend; "output" for an output
    std::size_t position = 0;               ///< index among the logged values of this call
    std::optional<std::uint32_t> inner{};   ///< id of the value inside the called delegate
    std::optional<std::uint32_t> handle{};  ///< with `inner`: debug handle of the operator that produces it

    auto operator<=>(const ValueSite&) const = default;
};

/// Difference between a value and that of the first execution.
struct ValueDifference {
    ValueSite site;
    std::uint64_t elements = 0;
    std::uint64_t differing = 0;        ///< 0: sizes or dtype differ, or only the hash is known
    std::vector<std::int64_t> first{};  ///< index of the first element that differs
    std::string pattern{};              ///< "dimension 1 at 3 only"; empty: no pattern found
};

/// First occurrence of a number kind in an execution: no earlier value contains it.
struct KindOrigin {
    NumberKind kind = NumberKind::Nan;
    ValueSite site;
    KindCounts counts;
};

/// Values of one execution on an input set, for comparing others with.
struct ExecutionRecord {
    struct Seen {
        ValueSite site;
        std::size_t hash = 0;
        std::vector<std::int64_t> sizes;  ///< of a tensor
        std::vector<std::int64_t> strides;
        std::size_t elementBytes = 0;
        std::vector<std::byte> bytes;  ///< empty if the memory limit was reached
    };
    std::vector<Seen> values;  ///< in execution order
    std::array<std::optional<KindOrigin>, numberKinds> origins{};
};

/// Tracer that records all values of the first execution and compares those of later ones. For one thread.
class ValueWatch final : public core::EventTracer {
  public:
    /// `poison` may be null; it also receives all events. `keptBytes`: memory for values; beyond it only
    /// hashes are kept. `lookInside`: also record values inside delegates, each before those of its call.
    ValueWatch(MemoryPoison* poison, std::uint64_t keptBytes, bool lookInside = false)
        : inner(poison), room(keptBytes), inside(lookInside) {}

    /// Sets the mode of the next execution. `record` must outlive it.
    void recordInto(ExecutionRecord& record);
    void compareWith(const ExecutionRecord& record);
    /// The first value, in execution order, that differs in the compared execution.
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
    ValueSite tapped;  ///< site of the next tap(), without its instruction
    std::vector<std::string> names;
    ExecutionRecord* recording = nullptr;
    const ExecutionRecord* wanted = nullptr;
    std::size_t next = 0;  ///< index into the values of `wanted`
    ValueSite last;
    std::optional<ValueDifference> found;
};

}  // namespace et::tasks
